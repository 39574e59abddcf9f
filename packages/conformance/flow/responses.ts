import { block, fail, type Rule, waits } from "../check.ts";
import { expectRefused, expectStatus } from "../expect-status.ts";
import type { Changes, Code, LoginCode, LoginSite } from "./flow.ts";

/** Sections 1.3 to 1.5, 2.2, 5.2 and 6.2: invalid responses, and valid responses in other spellings. */

/** The fault of a response, its changes from a correct one, and its code if that is a different one. */
export type Try = readonly [what: string, changes: Changes, to?: Code];

/**
 * Sends one response after the other to one code.
 * @throws {Failure} unless each is refused and the login stays unanswered; {Blocked} if one uses up the code
 */
export async function expectUnsigned(
  site: LoginSite,
  code: LoginCode,
  tries: readonly Try[],
  wallet = site.newWallet(),
): Promise<void> {
  for (const [index, [what, changes, to = code]] of tries.entries()) {
    const answer = await site.respond(to, wallet, changes);
    if (answer.status === site.refusals.gone && index > 0)
      block(`After a refused response the challenge is refused too: ${what}.`);
    expectStatus(answer, site.refusals.unsigned, what);
  }
  if (await site.isAnswered(code.sid)) fail("The login is answered though every response was refused.");
}

export type Bodies = readonly (readonly [
  what: string,
  body: string | Uint8Array,
  headers?: Record<string, string>,
])[];

/** Expects these bodies to be refused and to break nothing. @param statuses any 4xx by default */
export function refusesBodies(bodies: Bodies | ((code: LoginCode) => Bodies), statuses?: readonly number[]) {
  return async (site: LoginSite): Promise<void> => {
    const code = await site.issueForNew();
    for (const [what, body, headers] of typeof bodies === "function" ? bodies(code) : bodies) {
      const answer = await site.post(site.webhookOf(code), body, headers);
      if (statuses) expectStatus(answer, statuses, what);
      else expectRefused(answer, what);
    }
    if (await site.isAnswered(code.sid)) fail("The login is answered though every body was refused.");
  };
}

export const endsStalledBodies = (text: string, type: string): Rule<LoginSite> =>
  waits(async (site) => {
    const path = site.webhookOf(await site.issueForNew());
    const answer = await site.post(path, text, { "Content-Type": type }, { hostile: true, stalls: true });
    expectRefused(answer, "a body that stalls");
  });
