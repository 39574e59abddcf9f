import { fail } from "../check.ts";
import { expectRefused, expectStatus } from "../expect-status.ts";
import type { LoginCode, LoginSite } from "./login-site.ts";

/** Sections 3.1, 4.1 and 6.1: which browser continues which login, and what a page may ask for. */

/** A browser that names its own login gets a new code of it. */
export async function renewsOwn(site: LoginSite): Promise<void> {
  const first = await site.issue();
  const second = await site.issue(first.browser, first.sid);
  if (second.sid !== first.sid) fail("The new code has another sid.");
  if (second.challenge === first.challenge) fail("The new code has the same challenge.");
}

/** A browser that names another's login gets one of its own. */
export async function renewsNoForeign(site: LoginSite): Promise<void> {
  const { sid } = await site.issue();
  for (const stranger of [site.browser(), await site.thief()]) {
    if ((await site.issue(stranger, sid)).sid === sid) fail("Another browser continues the login.");
  }
}

/** A sid that the server did not make is never adopted. @param formed one that looks like this site's */
export async function adoptsNoSid(site: LoginSite, formed: (shape: LoginCode) => string): Promise<void> {
  for (const sid of ["attacker-chosen", formed(await site.issue())]) {
    const answer = await site.askForCode(undefined, { sid });
    const { sid: given, qr } = (answer.json ?? {}) as { sid?: unknown; qr?: unknown };
    if (answer.status !== 400 && (given === sid || String(qr).includes(sid)))
      fail(`The sid ${sid} was adopted.`);
  }
}

/** Whoever asks for such a code gets none. @param statuses any 4xx unless it is said */
export async function refusesQueries(
  site: LoginSite,
  queries: readonly Record<string, string>[],
  statuses?: readonly number[],
): Promise<void> {
  for (const query of queries) {
    const answer = await site.askForCode(undefined, query);
    const what = `${new URLSearchParams(query)}`;
    if (statuses) expectStatus(answer, statuses, what);
    else expectRefused(answer, what);
  }
}
