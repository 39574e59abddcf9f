import type { Browser, SignedIn } from "../browser.ts";
import { Blocked, fail } from "../check.ts";
import type { Site } from "./site.ts";

/** Which browsers are signed in, and which are not. */

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
