import { createHash } from "node:crypto";
import { Blocked, fail } from "../check.ts";
import type { Cookie } from "../cookies.ts";
import type { Browser, SignedIn } from "./browser.ts";
import type { Code, Site } from "./site.ts";

/** What the checks of sections 3.5 and 4 have in common: bound browsers, and those that are not. */

const COOKIE = "svc-browser";

/** The cookie that binds the browser to the login. @throws {Blocked} where the answer sets none */
export function bindingOf({ answer }: Code): Cookie {
  const named = answer.cookies.find(({ name }) => name.endsWith(COOKIE));
  const cookie = named ?? answer.cookies.find(({ value }) => value.length >= 16) ?? answer.cookies[0];
  if (!cookie) throw new Blocked("The code's answer sets no cookie.");
  return cookie;
}

/** @throws {Failure} where anything signs this browser in */
export async function expectNobody(browser: Browser, attempt: SignedIn, what: string): Promise<void> {
  if (attempt.session) fail(`${what} is signed in: it gets the cookie ${attempt.session.name}.`);
  const user = await browser.user();
  if (user !== null && user !== undefined) fail(`${what} is signed in as ${JSON.stringify(user)}.`);
}

/** A browser that is signed in as a new user. @throws {Blocked} where that does not work */
export async function signedIn(site: Site) {
  const login = await site.register();
  const { session, answer } = await login.browser.signIn(login.code.sid);
  if (!session)
    throw new Blocked(`The browser that started a login is not signed in here: ${answer.status}.`);
  return { ...login, session };
}

/** A thief knows what the code shows, and has a browser of its own with a login of its own. */
export async function thief(site: Site): Promise<Browser> {
  const browser = site.browser();
  await site.issue(browser);
  return browser;
}

/** What somebody might make a secret from, who knows this text. */
export function hashesOf(text: string): string[] {
  const digest = createHash("sha256").update(text).digest();
  return [digest.toString("hex"), digest.toString("base64url")];
}
