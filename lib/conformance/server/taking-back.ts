import { Blocked, fail, NotApplicable, type Rule } from "../check.ts";
import { expectAccepted, expectStatus, refusalOf } from "../expect-status.ts";
import { unpredictableBits } from "../flow/codes.ts";
import { forgedAddress, untilLimited } from "../flow/limits.ts";
import type { Answer } from "../http-client.ts";
import { expectBrowserName } from "./asking-browser.ts";
import { answeredCode } from "./shared-logins.ts";
import type { Code, Site } from "./site.ts";
import type { Wallet } from "./wallet.ts";

/** Section 11.2: what a wallet is told of the browser that it has signed in, and how a login is taken back. */

/** Of so many random texts something repeats where anything repeats. */
const SAMPLES = 20;
const UNDO_BITS = 128;

type Members = { browser?: unknown; new_browser?: unknown; undo?: unknown };

/** What the site told the wallet whose response it accepted. @throws {Blocked} where it did not */
async function answer(site: Site, code: Code, wallet: Wallet): Promise<Members> {
  const answered = await site.respond(code, wallet);
  expectAccepted(answered);
  return (answered.json ?? {}) as Members;
}

const loggedIn = async (site: Site, browser = site.browser()) => {
  const wallet = await site.knownWallet();
  const code = await site.issue(browser);
  return { code, browser, members: await answer(site, code, wallet) };
};

/** @throws {NotApplicable} where the site does not tell whether a browser is new */
function isNew({ new_browser: isNewBrowser }: Members): boolean {
  if (typeof isNewBrowser !== "boolean") throw new NotApplicable(notTold("new_browser"));
  return isNewBrowser;
}

const notTold = (member: string) => `The answer has no \`${member}\`, which is optional (see 11.2-told).`;

/**
 * Where a login is taken back, as a path of this site.
 * @throws {NotApplicable} where it cannot be; {Blocked} where that is not at this site
 */
function undoPathOf(site: Site, { undo }: Members): string {
  if (undo === undefined) throw new NotApplicable(notTold("undo"));
  if (typeof undo !== "string" || !URL.canParse(undo)) throw new Blocked("`undo` is no URL.");
  const url = new URL(undo);
  if (url.origin !== site.target.origin.origin) throw new Blocked("`undo` is on another host.");
  return url.pathname + url.search;
}

/** A login that was answered, and where it is taken back. */
async function undoable(site: Site) {
  const { members, ...login } = await loggedIn(site);
  return { ...login, path: undoPathOf(site, members) };
}

const undo = (site: Site, path: string): Promise<Answer> => site.ask("POST", path);

/** @throws {Blocked} unless the login was taken back: another check says why */
async function takeBack(site: Site, path: string): Promise<void> {
  const answered = await undo(site, path);
  if (answered.status !== 200) throw new Blocked(`A login is not taken back: ${refusalOf(answered)}`);
}

/** @throws {Failure} where the login is over */
async function expectNotOver(site: Site, { sid }: Code, what: string): Promise<void> {
  expectStatus(await site.check(sid), 200, `the status after ${what}`);
}

/** The parts of an undo address that may be its secret: with another first letter in each. */
function guessesOf(path: string): string[] {
  return [...path.matchAll(/[A-Za-z0-9_~.-]{8,}/g)].map(({ 0: part, index }) => {
    const letter = part.startsWith("A") ? "B" : "A";
    return path.slice(0, index) + letter + path.slice(index + 1);
  });
}

export const TAKING_BACK_CHECKS: readonly Rule<Site>[] = [
  {
    id: "11.2-told",
    level: "SHOULD",
    proves:
      "The answer to an accepted response has `browser`, `new_browser` and `undo`, an absolute URL on the webhook's host.",
    cause:
      "The site has none of section 11, which is optional. With it a user sees who was signed in, and ends a relayed login from the wallet.",
    async run(site) {
      const { told } = await answeredCode(site);
      const { browser, new_browser: isNewBrowser, undo: address } = told;
      const missing = Object.entries({ browser, new_browser: isNewBrowser, undo: address })
        .filter(([, value]) => value === undefined)
        .map(([name]) => name);
      if (missing.length > 0)
        fail(
          `The answer lacks ${missing.join(", ")}. That is optional. Whoever has it lets users end a relayed login from the wallet.`,
        );
      if (typeof isNewBrowser !== "boolean")
        fail(`\`new_browser\` is ${JSON.stringify(isNewBrowser)} instead of true or false.`);
      const { origin } = site.target.origin;
      if (typeof address !== "string" || !URL.canParse(address) || new URL(address).origin !== origin)
        fail(`\`undo\` is ${JSON.stringify(address)} instead of a URL that begins with ${origin}/.`);
    },
  },
  {
    id: "11.2-browser",
    level: "SHOULD",
    proves: "The answer names the browser that showed the code, by its `User-Agent`.",
    cause: "The name is made from the wallet's own request.",
    async run(site) {
      const { told } = await answeredCode(site);
      if (told.browser === undefined) throw new NotApplicable(notTold("browser"));
      expectBrowserName(told, "Chrome");
    },
  },
  {
    id: "11.2-new-browser",
    level: "SHOULD",
    proves:
      "A browser is new to an account in which it has never signed in, whatever other account it knows.",
    cause: "A cookie alone makes a browser known, or `new_browser` tells whether the account is new.",
    async run(site) {
      const { told } = await answeredCode(site);
      if (!isNew(told)) fail("A browser that was never here is not new.");
      const code = await site.issueForNew(await site.knownBrowser());
      if (!isNew(await answer(site, code, site.newWallet())))
        fail("A browser that has signed in to another account is not new to this one.");
    },
  },
  {
    id: "11.2-known-browser",
    level: "SHOULD",
    proves: "A browser that has signed in to the account before is not new to it.",
    cause: "Nothing is kept in the browser, or it ends with the session or the login.",
    async run(site) {
      const { members } = await loggedIn(site, await site.knownBrowser());
      if (isNew(members)) fail("A browser that has signed in before is new.");
    },
  },
  {
    id: "11.2-undo-random",
    level: "SHOULD",
    proves: "128 bits of each undo address cannot be told from others, nor from the code.",
    cause: "The address holds the sid alone, a counter, or a short random text.",
    looksBack: true,
    async run(site) {
      undoPathOf(site, (await answeredCode(site)).told);
      const texts = () => {
        const addresses = site.walletAnswers().flatMap(({ answer: { json } }) => {
          const { undo: address } = (json ?? {}) as Members;
          return typeof address === "string" ? [address] : [];
        });
        const known = new Set(site.run.codes.map(({ sid }) => sid));
        return addresses.map((address) =>
          address.replace(/[A-Za-z0-9_~.-]{8,}/g, (part) => (known.has(part) ? "" : part)),
        );
      };
      while (texts().length < SAMPLES) await loggedIn(site);
      const bits = unpredictableBits(texts(), 64);
      // The last letter may hold less than six, and a UUID of version 4 has 122.
      if (bits < UNDO_BITS - 8) fail(`About ${Math.round(bits)} bits of an undo address vary.`);
    },
  },
  {
    id: "11.2-undo-before",
    level: "SHOULD",
    proves: "A login that is taken back before it is redeemed signs nobody in, and is over: 410.",
    cause: "Only sessions are ended, and the answered login waits for its browser.",
    async run(site) {
      const { browser, code, path } = await undoable(site);
      const { status, json } = await undo(site, path);
      if (status !== 200 || (json as { status?: unknown } | undefined)?.status !== "undone")
        fail(`The undo is answered ${status} with ${JSON.stringify(json)}.`);
      expectStatus(await site.check(code.sid, browser), 410, "a login that was taken back");
      await site.expectNobody(browser, code.sid, "A browser whose login was taken back");
    },
  },
  {
    id: "11.2-undo-after",
    level: "SHOULD",
    proves: "A login that is taken back after it was redeemed ends the browser session that it opened.",
    cause: "The login is ended, and its session lives on.",
    async run(site) {
      const { browser, code, path } = await undoable(site);
      if (!(await site.signsIn(browser, code.sid)))
        throw new Blocked("The browser that started a login is not signed in here.");
      if (!(await browser.user())) throw new NotApplicable("The site does not tell who is signed in.");
      await takeBack(site, path);
      const user = await browser.user();
      if (user !== null) fail(`The browser is still signed in as ${JSON.stringify(user)}.`);
    },
  },
  {
    id: "11.2-undo-this-login",
    level: "SHOULD",
    proves: "Taking a login back leaves the user's other browsers signed in.",
    cause: "All sessions of the user are ended, so whoever undoes a stranger's login is signed out too.",
    async run(site) {
      const { browser, code, path } = await undoable(site);
      const own = await site.signedInBrowser(await site.knownWallet());
      if (!(await own.user())) throw new NotApplicable("The site does not tell who is signed in.");
      await site.signsIn(browser, code.sid);
      await takeBack(site, path);
      if (!(await own.user())) fail("Another browser of the user is signed out.");
    },
  },
  {
    id: "11.2-undo-twice",
    level: "SHOULD",
    proves: "Taking a login back again is answered 200 again.",
    cause:
      "The address is forgotten once it was used, so a wallet that tries again says that it was too late.",
    async run(site) {
      const { path } = await undoable(site);
      await takeBack(site, path);
      expectStatus(await undo(site, path), 200, "the same undo again");
    },
  },
  {
    id: "11.2-undo-guessed",
    level: "SHOULD",
    proves: "An undo address with a letter changed, or another login's secret, gets 404 and ends nothing.",
    cause: "The login is found by its sid, and the secret beside it is not compared.",
    async run(site) {
      const login = await undoable(site);
      const other = { path: undoPathOf(site, (await answeredCode(site)).told) };
      const [own, foreign] = [login.path, other.path].map((path) => path.split(/(?=[?&])/)) as [
        string[],
        string[],
      ];
      const swapped = own.map((part, index) =>
        foreign.map((their, place) => (place === index ? part : their)).join(""),
      );
      const altered = [...guessesOf(login.path), ...(own.length === foreign.length ? swapped : [])];
      for (const path of altered.filter((each) => each !== login.path && each !== other.path))
        expectStatus(await undo(site, path), 404, "an undo address that was guessed");
      await expectNotOver(site, login.code, "a guess");
    },
  },
  {
    id: "11.2-undo-get",
    level: "SHOULD",
    proves: "Opening the undo address changes nothing: only a POST takes a login back.",
    cause: "The link itself acts, so that a preview or a scanner of links ends the login.",
    async run(site) {
      const { code, told } = await answeredCode(site);
      const path = undoPathOf(site, told);
      for (const Accept of ["text/html", "application/json"])
        await site.http.send({ path, headers: { Accept } });
      await expectNotOver(site, code, "a GET");
    },
  },
  {
    id: "11.2-undo-limited",
    level: "SHOULD",
    proves: "One address tries at most 120 undos a minute, whatever addresses it claims.",
    cause: "Nothing counts, since nobody guesses 128 bits: but each try costs the site a look-up.",
    locksOut: true,
    async run(site) {
      const { path } = await undoable(site);
      const [guess = path] = guessesOf(path).slice(-1);
      const refusal = await untilLimited(
        120,
        (index) =>
          site.http.send({ method: "POST", path: guess, headers: forgedAddress(index), expectsLimit: true }),
        "undos",
      );
      site.expectLimited(refusal);
    },
  },
];
