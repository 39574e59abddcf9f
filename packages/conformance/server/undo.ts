import { block, exhaustsLimits, fail, type Rules, runsLast, skip } from "../check.ts";
import { describeUnexpectedResponse, expectEqual, expectStatus } from "../expect-status.ts";
import { expectRandom } from "../flow/codes.ts";
import { isLimited } from "../flow/headers.ts";
import { bodyOf } from "../http-client.ts";
import type { SiteId } from "../texts/site.ts";
import { expectBrowserName } from "./asking-browser.ts";
import { SAMPLE_COUNT } from "./codes.ts";
import { type Code, type Details, NO_SESSION_PATH, type Site } from "./site.ts";

/** Section 11.2: what the site's response says about the browser that is signed in, and how a login can be undone. */

/** Might be the secret of an undo URL. */
const LONG_PARTS = /[A-Za-z0-9_~.-]{8,}/g;

/** @throws {NotApplicableError} if the site does not say whether a browser is new */
function isNew({ new_browser: isNewBrowser }: Details): boolean {
  if (typeof isNewBrowser !== "boolean") skip(lacks("new_browser"));
  return isNewBrowser;
}

const lacks = (member: string) => `The response has no \`${member}\`, which is optional (see 11.2-told).`;

/**
 * With the query.
 * @throws {NotApplicableError} if the response contains no undo URL; {BlockedError} if the URL is on another site
 */
function undoPathOf(site: Site, { undo }: Details): string {
  if (undo === undefined) skip(lacks("undo"));
  const url = typeof undo === "string" ? URL.parse(undo) : null;
  if (url === null) block("`undo` is not a URL");
  if (url.origin !== site.target.origin.origin) block("`undo` is on another host");
  return url.pathname + url.search;
}

async function undoable(site: Site) {
  const { details, ...login } = await site.logIn(await site.knownWallet());
  return { ...login, path: undoPathOf(site, details) };
}

/** @throws {BlockedError} unless the site undoes the login; a different check reports this problem */
async function undoLogin(site: Site, path: string): Promise<void> {
  const answered = await site.ask("POST", path);
  if (answered.status !== 200) block("A login is not undone", describeUnexpectedResponse(answered));
}

async function expectNotOver(site: Site, { sid }: Code, what: string): Promise<void> {
  expectStatus(await site.check(sid), 200, `the status after ${what}`);
}

/** Each differs in the first letter of one long part. */
function guessesOf(path: string): string[] {
  return [...path.matchAll(LONG_PARTS)].map(({ 0: part, index }) => {
    const letter = part.startsWith("A") ? "B" : "A";
    return path.slice(0, index) + letter + path.slice(index + 1);
  });
}

export const UNDO_CHECKS = {
  async "11.2-told"(site) {
    const { details } = await site.answerNewCode();
    const { new_browser: isNewBrowser, undo: address } = details;
    const missing = ["browser", "new_browser", "undo"].filter((name) => details[name] === undefined);
    if (missing.length > 0)
      fail(
        `The response lacks ${missing.join(", ")}. That is optional. With it, users can end a relayed login from the wallet.`,
      );
    if (typeof isNewBrowser !== "boolean")
      fail(`\`new_browser\` is ${JSON.stringify(isNewBrowser)} instead of true or false.`);
    const { origin } = site.target.origin;
    if (typeof address !== "string" || URL.parse(address)?.origin !== origin)
      fail(`\`undo\` is ${JSON.stringify(address)} instead of a URL that begins with ${origin}/.`);
  },
  async "11.2-browser"(site) {
    const { details } = await site.answerNewCode();
    if (details.browser === undefined) skip(lacks("browser"));
    expectBrowserName(details, "Chrome");
  },
  async "11.2-new-browser"(site) {
    const { details } = await site.answerNewCode();
    if (!isNew(details)) fail("`new_browser` is false for a new browser.");
    const other = await site.answerNewLogin(undefined, await site.knownBrowser());
    if (!isNew(other.details)) fail("`new_browser` is false for a browser of another account.");
  },
  async "11.2-known-browser"(site) {
    const { details } = await site.logIn(await site.knownWallet(), await site.knownBrowser());
    if (isNew(details)) fail("`new_browser` is true for a browser that signed in before.");
  },
  "11.2-undo-random": runsLast(async (site) => {
    undoPathOf(site, (await site.answerNewCode()).details);
    const texts = () => {
      const addresses = site.walletAnswers().map(({ answer }) => bodyOf(answer).undo);
      const knownSids = new Set(site.run.codes.map(({ sid }) => sid));
      return addresses
        .filter((address) => typeof address === "string")
        .map((address) => address.replace(LONG_PARTS, (part) => (knownSids.has(part) ? "" : part)));
    };
    while (texts().length < SAMPLE_COUNT) await site.logIn(await site.knownWallet());
    expectRandom(texts(), 64, "undo URLs");
  }),
  async "11.2-undo-before"(site) {
    const { browser, code, path } = await undoable(site);
    const answer = await site.ask("POST", path);
    expectStatus(answer, 200, "a request to the undo URL");
    expectEqual(bodyOf(answer).status, "undone", "The response's status");
    expectStatus(await site.check(code.sid, browser), 410, "the status of a login that was undone");
    await site.expectSignedOut(browser, code.sid, "A browser whose login was undone");
  },
  async "11.2-undo-after"(site) {
    const { browser, code, path } = await undoable(site);
    if (!(await site.canSignIn(browser, code.sid)))
      block("The browser that started a login is not signed in");
    if (!(await browser.user())) skip(NO_SESSION_PATH);
    await undoLogin(site, path);
    const user = await browser.user();
    if (user !== null) fail(`The browser is still signed in as ${JSON.stringify(user)}.`);
  },
  async "11.2-undo-this-login"(site) {
    const { browser, code, path } = await undoable(site);
    const own = await site.openSignedInBrowser(await site.knownWallet());
    if (!(await own.user())) skip(NO_SESSION_PATH);
    await site.canSignIn(browser, code.sid);
    await undoLogin(site, path);
    if (!(await own.user())) fail("Another browser of the user is signed out.");
  },
  async "11.2-undo-twice"(site) {
    const { path } = await undoable(site);
    await undoLogin(site, path);
    expectStatus(await site.ask("POST", path), 200, "a second request to the same undo URL");
  },
  async "11.2-undo-guessed"(site) {
    const { code, path: own } = await undoable(site);
    const other = undoPathOf(site, (await site.answerNewCode()).details);
    const parts = own.split(/(?=[?&])/);
    const otherParts = other.split(/(?=[?&])/);
    const swappable = parts.length === otherParts.length ? parts : [];
    const swapped = swappable.map((part, index) => otherParts.with(index, part).join(""));
    const altered = [...guessesOf(own), ...swapped];
    for (const path of altered.filter((each) => each !== own && each !== other))
      expectStatus(await site.ask("POST", path), 404, "a request to a guessed undo URL");
    await expectNotOver(site, code, "a guess");
  },
  async "11.2-undo-get"(site) {
    const { code, details } = await site.answerNewCode();
    const path = undoPathOf(site, details);
    for (const Accept of ["text/html", "application/json"])
      await site.http.send({ path, headers: { Accept } });
    await expectNotOver(site, code, "a GET");
  },
  "11.2-undo-limited": exhaustsLimits(async (site) => {
    const { path } = await undoable(site);
    const [guess = path] = guessesOf(path).slice(-1);
    await isLimited<Site>(
      120,
      ({ http }, forged) => http.send({ method: "POST", path: guess, ...forged }),
      "undos",
    ).run(site);
  }),
} satisfies Rules<Site, SiteId>;
