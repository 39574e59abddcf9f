import type { Action } from "#lib/contracts/challenge.ts";
import { addingSource } from "./adding-source.ts";
import { fetchJson } from "./fetch-json.ts";
import {
  type CheckOutcome,
  type IssueOutcome,
  type LoginSource,
  readCheck,
  readIssue,
} from "./login-source.ts";

/** Flow A's endpoints (specification 4.1). */
export function svcSource(mode: Action): LoginSource {
  return {
    provider: "svc",
    issue: (sid) => issue(sid, { mode }),
    check,
    eventsUrl: (sid) => `/api/svc/events?${new URLSearchParams({ sid })}`,
  };
}

/** The same, to add a wallet's key to the signed-in user. */
export function svcAddingSource(): LoginSource {
  return addingSource({
    provider: null,
    issue: (sid) => issue(sid, { mode: "login", intent: "add" }),
    check,
    // The answer of the stream names the flow's own redirect.
    eventsUrl: () => null,
  });
}

/** The same, to have one of the signed-in user's keys approve a change. Its answer redeems nothing. */
export function svcApprovingSource(): LoginSource {
  return {
    ...svcSource("login"),
    provider: null,
    issue: (sid) => issue(sid, { mode: "login", intent: "approve" }),
  };
}

async function issue(sid: string | null, query: Record<string, string>): Promise<IssueOutcome> {
  const fetched = await fetchJson(
    `/api/svc/qr?${new URLSearchParams(sid === null ? query : { ...query, sid })}`,
  );
  return fetched.kind === "ok" ? readIssue(fetched.body) : fetched;
}

async function check(sid: string): Promise<CheckOutcome> {
  const fetched = await fetchJson(`/api/svc/check?${new URLSearchParams({ sid })}`);
  return fetched.kind === "ok" ? readCheck(fetched.body) : fetched;
}
