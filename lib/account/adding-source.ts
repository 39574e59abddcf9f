import type { CheckOutcome, IssueOutcome, LoginSource } from "#lib/login/client/login-source.ts";

/** Where a wallet's answer is confirmed, when it is to be added to the signed-in user instead of signing in. */
export const CONFIRM_ADDITION_PATH = "/dashboard/add/confirm";

/** A source whose answers are confirmed on a page of their own. */
export function addingSource(source: LoginSource): LoginSource {
  const redirected = <Outcome extends IssueOutcome | CheckOutcome>(outcome: Outcome, sid: string): Outcome =>
    outcome.kind === "authenticated"
      ? { ...outcome, redirect: `${CONFIRM_ADDITION_PATH}?${new URLSearchParams({ sid })}` }
      : outcome;
  return {
    ...source,
    issue: async (sid) => {
      const outcome = await source.issue(sid);
      return outcome.kind === "authenticated" ? redirected(outcome, outcome.sid) : outcome;
    },
    check: async (sid) => redirected(await source.check(sid), sid),
  };
}
