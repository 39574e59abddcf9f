import { fastSource, issueFastCode } from "#lib/fast/fast-source.ts";
import type { CheckOutcome, IssueOutcome, LoginSource } from "#lib/login/client/login-source.ts";
import { issueSiteCode, siteSource } from "#lib/login/client/login-source.ts";

/** Where a wallet's answer is confirmed, when it is to be added to the signed-in user instead of signing in. */
const CONFIRM_ADDITION_PATH = "/dashboard/add/confirm";

/** A source whose answers are confirmed on a page of their own. */
function addingSource(source: LoginSource): LoginSource {
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

/** The same, to add a wallet's key to the signed-in user. */
export function siteAddingSource(): LoginSource {
  return addingSource({
    provider: null,
    issue: (sid) => issueSiteCode(sid, { mode: "login", intent: "add" }),
    check: siteSource("login").check,
    // The answer of the stream names the flow's own redirect.
    eventsUrl: () => null,
  });
}

/** The same, to add an address to the signed-in user. */
export function fastAddingSource(): LoginSource {
  return addingSource({
    ...fastSource(),
    provider: null,
    issue: (sid) => issueFastCode(sid, { intent: "add" }),
  });
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
