import type { CheckOutcome, IssueOutcome, LoginSource } from "../client/login-source.ts";
import { issueSiteCode, siteSource } from "../client/login-source.ts";

/** A source whose answers are confirmed on a page of their own, at `path`. */
export function confirmOnPage(path: string, source: LoginSource): LoginSource {
  const redirected = <Outcome extends IssueOutcome | CheckOutcome>(outcome: Outcome, sid: string): Outcome =>
    outcome.kind === "authenticated"
      ? { ...outcome, redirect: `${path}?${new URLSearchParams({ sid })}` }
      : outcome;
  return {
    ...source,
    // Redeemed, if at all, once it is confirmed; the answer of a stream would name the flow's own redirect.
    provider: null,
    eventsUrl: () => null,
    issue: async (sid) => {
      const outcome = await source.issue(sid);
      return outcome.kind === "authenticated" ? redirected(outcome, outcome.sid) : outcome;
    },
    check: async (sid) => redirected(await source.check(sid), sid),
  };
}

/** A code that has one of the signed-in user's keys approve a change: redeemed, it renews this browser's session. */
export function siteApprovingSource(): LoginSource {
  const issue = (sid: string | null) => issueSiteCode(sid, { mode: "login", intent: "approve" });
  return { ...siteSource("login", { direct: true }), issue };
}
