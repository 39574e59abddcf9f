import { fastSource, issueFastCode } from "#lib/fast/fast-source.ts";
import type { CheckOutcome, IssueOutcome, LoginSource } from "#lib/login/client/login-source.ts";
import { issueSiteCode, siteSource } from "#lib/login/client/login-source.ts";

/** Where a wallet's answer is confirmed, when it is to be added to the signed-in user instead of signing in. */
const CONFIRM_ADDITION_PATH = "/dashboard/add/confirm";

/** Where it is confirmed when an account is recovered with it. */
const CONFIRM_RECOVERY_PATH = "/recover/confirm";

/** A source whose answers are confirmed on a page of their own, at `path`. */
function confirmedAt(path: string, source: LoginSource): LoginSource {
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

/** The same, to add a wallet's key to the signed-in user. */
export function siteAddingSource(): LoginSource {
  const issue = (sid: string | null) => issueSiteCode(sid, { mode: "login", intent: "add" });
  return confirmedAt(CONFIRM_ADDITION_PATH, { ...siteSource("login"), issue });
}

/** The same, to add an address to the signed-in user. */
export function fastAddingSource(): LoginSource {
  const issue = (sid: string | null) => issueFastCode(sid, { intent: "add" });
  return confirmedAt(CONFIRM_ADDITION_PATH, { ...fastSource(), issue });
}

/** A code whose answer becomes the new key of the account that this browser recovers. */
export function siteRecoveringSource(): LoginSource {
  const issue = (sid: string | null) => issueSiteCode(sid, { mode: "register", intent: "recover" });
  return confirmedAt(CONFIRM_RECOVERY_PATH, { ...siteSource("register"), issue });
}

/** The same, for an address. */
export function fastRecoveringSource(): LoginSource {
  const issue = (sid: string | null) => issueFastCode(sid, { intent: "recover" });
  return confirmedAt(CONFIRM_RECOVERY_PATH, { ...fastSource(), issue });
}

/** A code that has one of the signed-in user's keys approve a change. Its answer redeems nothing. */
export function siteApprovingSource(): LoginSource {
  const source = siteSource("login");
  const issue = (sid: string | null) => issueSiteCode(sid, { mode: "login", intent: "approve" });
  return { ...source, provider: null, issue };
}

/** The same, for one of the user's addresses. */
export function fastApprovingSource(): LoginSource {
  return { ...fastSource(), provider: null, issue: (sid) => issueFastCode(sid, { intent: "approve" }) };
}
