import { createHash } from "node:crypto";
import type { Browser } from "../browser.ts";
import { block, fail, type Rule, runsLast } from "../check.ts";
import type { Cookie } from "../cookies.ts";
import { expectEqual, expectMatch, expectStatus, type Statuses } from "../expect-status.ts";
import { bodyOf } from "../http-client.ts";
import type { LoginCode, LoginSite } from "./flow.ts";

/**
 * Sections 3.1, 4.1 and 6.1: which browser can continue a login, the cookie that binds a login to its browser, and what
 * a page can request.
 */

const COOKIE = "svc-browser";
const LIFETIME_SECONDS = 10 * 60;

/** @throws {BlockedError} if the site sets no such cookie */
export function bindingOf({ answer: { cookies } }: Pick<LoginCode, "answer">): Cookie {
  const named = cookies.find(({ name }) => name.endsWith(COOKIE));
  const cookie = named ?? cookies.find(({ value }) => value.length >= 16) ?? cookies[0];
  if (!cookie) block("The response with the code does not set a cookie");
  return cookie;
}

export function bindingsOf({ run }: Pick<LoginSite, "run">): Cookie[] {
  return run.codes.filter(({ answer }) => answer.cookies.length > 0).map(bindingOf);
}

export function isDerivedFrom(value: string, texts: readonly string[]): boolean {
  return texts.flatMap((text) => [text, ...hashesOf(text)]).some((part) => value.includes(part));
}

function hashesOf(text: string): string[] {
  const digest = createHash("sha256").update(text).digest();
  return [digest.toString("hex"), digest.toString("base64url")];
}

export function expectHostOnlyCookie({ name, attributes }: Cookie): void {
  if (attributes.domain !== undefined)
    fail(
      `The cookie ${name} has Domain=${attributes.domain}, which lets other hosts read it: leave Domain out.`,
    );
  expectEqual(attributes.path, "/", `The Path of the cookie ${name}`);
}

function ofEveryBinding(examine: (cookie: Cookie, site: LoginSite) => void) {
  return runsLast(async (site: LoginSite): Promise<void> => {
    await site.codesOfRun();
    const cookies = bindingsOf(site);
    if (cookies.length === 0) block("No code's answer sets a cookie");
    for (const cookie of cookies) examine(cookie, site);
  });
}

// Every flow must follow these rules for the binding cookie.

export const cookieIsHttpOnly = ofEveryBinding(expectHttpOnly);

export const cookieIsLax = ofEveryBinding(({ name, attributes: { samesite } }) =>
  expectMatch(samesite, /^lax$/i, `SameSite of the cookie ${name}`, "Lax"),
);

export const cookieIsSecure = ofEveryBinding((cookie, { isSecure }) => {
  const { name, attributes } = cookie;
  if (isSecure) {
    expectSecure(cookie);
    if (!name.startsWith("__Host-")) fail(`The cookie ${name} has no prefix __Host-.`);
  } else if (attributes.secure || name.startsWith("__"))
    fail(`The cookie ${name} is Secure, or begins with "__", and cannot be set over http.`);
});

export const cookieIsShortLived = ofEveryBinding(({ name, attributes }) => {
  const age = Number(attributes["max-age"] ?? Number.NaN);
  if (!(age > 0 && age <= LIFETIME_SECONDS)) fail(`The cookie ${name} has Max-Age=${attributes["max-age"]}.`);
});

function expectHttpOnly({ name, attributes }: Cookie): void {
  if (!attributes.httponly) fail(`The cookie ${name} is not HttpOnly.`);
}

function expectSecure({ name, attributes }: Cookie): void {
  if (!attributes.secure) fail(`The cookie ${name} is not Secure.`);
}

/** Neither scripts nor other sites can use the cookie. */
export function expectSessionCookie(cookie: Cookie, { isSecure }: Pick<LoginSite, "isSecure">): void {
  const { name, attributes } = cookie;
  expectHttpOnly(cookie);
  expectMatch(attributes.samesite, /^(lax|strict)$/i, `SameSite of the cookie ${name}`, "Lax or Strict");
  if (isSecure) expectSecure(cookie);
}

export async function secretIsRandom(site: LoginSite): Promise<void> {
  const codes = await Promise.all(Array.from({ length: 4 }, () => site.issue()));
  const values = codes.map((code) => bindingOf(code).value);
  if (new Set(values).size < values.length) fail("Two browsers get the same binding secret.");
  for (const code of codes) expectSecret(bindingOf(code).value, code);
  const prefix = values[0]?.slice(0, 8) ?? "";
  if (values.every((value) => value.startsWith(prefix))) fail("All binding secrets begin the same way.");
}

function expectSecret(value: string, { sid, challenge, answer }: LoginCode): void {
  const isHex = /^[0-9a-f]+$/i.test(value);
  if (value.length < (isHex ? 64 : 43)) fail(`The binding secret has only ${value.length} characters.`);
  if (isDerivedFrom(value, [sid, challenge])) fail("The binding secret can be derived from the code.");
  if (answer.text.includes(value)) fail("The response's body contains the binding secret.");
}

export async function renewsOwnLogin(site: LoginSite): Promise<void> {
  const first = await site.issue();
  const second = await site.issue(first);
  if (second.sid !== first.sid) fail("The new code for the same browser has another sid.");
  if (second.challenge === first.challenge) fail("The new code has the same challenge as the previous one.");
}

export const renewsNoForeignLogin: Rule<LoginSite> = async (site) => {
  const { sid } = await site.issue();
  for (const stranger of [site.browser(), await site.createThief()]) {
    if ((await site.issue({ browser: stranger, sid })).sid === sid)
      fail("A browser that did not start the login gets a code for it.");
  }
};

/** @param formed returns a text in the format of this site's sids */
export const preventsSidFixation =
  (formed: (shape: LoginCode) => string): Rule<LoginSite> =>
  async (site) => {
    for (const sid of ["attacker-chosen", formed(await site.issue())]) {
      const answer = await site.askForCode(undefined, { sid });
      const { sid: given, qr } = bodyOf(answer);
      if (answer.status !== 400 && (given === sid || String(qr).includes(sid)))
        fail(`The site adopts the unknown sid ${sid}.`);
    }
  };

/** @param use does what the victim does, in a browser that already contains a secret from the attacker */
export const preventsSecretFixation =
  <Site extends LoginSite>(
    use: (site: Site, victim: Browser, attacker: Browser) => Promise<unknown>,
  ): Rule<Site> =>
  async (site) => {
    const { name, value } = bindingOf(await site.issue());
    const planted = "A".repeat(value.length);
    const [victim, attacker] = [site.browser(), site.browser()];
    for (const browser of [victim, attacker]) browser.cookies.set(name, planted);
    await use(site, victim, attacker);
    if (victim.cookies.get(name) === planted) fail("The site adopts a secret that it did not create.");
  };

export function refusesQueries(queries: readonly Record<string, string>[], statuses: Statuses = "a 4xx") {
  return async (site: LoginSite): Promise<void> => {
    for (const query of queries) {
      const answer = await site.askForCode(undefined, query);
      expectStatus(answer, statuses, `a request for a code with ${new URLSearchParams(query)}`);
    }
  };
}

export const ifIntentsSupported =
  (run: (site: LoginSite) => Promise<void>) =>
  async (site: LoginSite): Promise<void> => {
    await site.requireIntents();
    await run(site);
  };

// Sections 4.2 and 6.4: everyone can read a code, but a code signs in only the browser that showed it, and only once.

const AT_ONCE = 6;

export const sidIsNotEnough = async (site: LoginSite): Promise<void> => {
  const { code } = await site.answerNewLogin();
  await site.expectSignedOut(site.browser(), code.sid, "A browser that knows only the sid");
};

export const foreignCookieIsRefused: Rule<LoginSite> = async (site) => {
  const thief = await site.createThief();
  const { code } = await site.answerNewLogin();
  await site.expectSignedOut(thief, code.sid, "A browser with another login");
  const answered = await site.answerNewLogin();
  await site.expectSignedOut(answered.browser, code.sid, "A browser with another answered login");
};

/** @param shown returns a text on the page, other than the sid, that a thief could send as a cookie */
export const guessedCookieIsRefused =
  (shown: (code: LoginCode) => string): Rule<LoginSite> =>
  async (site) => {
    const { code } = await site.answerNewLogin();
    const { name } = bindingOf(code);
    for (const value of [code.sid, shown(code), ...hashesOf(code.sid), "", "null", "undefined"]) {
      const stranger = site.browser();
      stranger.cookies.set(name, value);
      if (await site.canSignIn(stranger, code.sid))
        fail(`A browser with ${value ? `the cookie ${value}` : "an empty cookie"} is signed in.`);
    }
  };

export async function redeemsOnce(site: LoginSite): Promise<void> {
  const { browser, code } = await site.answerNewLogin();
  const copy = browser.copy();
  if (!(await site.canSignIn(browser, code.sid))) block("The browser that started a login is not signed in");
  await site.expectSignedOut(copy, code.sid, "A copy of the browser whose login was already redeemed");
}

export const redeemsOnceConcurrently: Rule<LoginSite> = async (site) => {
  const { browser, code } = await site.answerNewLogin();
  const twins = Array.from({ length: AT_ONCE }, () => browser.copy());
  const opened = await Promise.all(twins.map((twin) => site.canSignIn(twin, code.sid)));
  const count = opened.filter(Boolean).length;
  if (count === 0) block("The browser that started a login is not signed in");
  if (count > 1) fail(`${count} of ${AT_ONCE} simultaneous sign-ins opened a session.`);
};
