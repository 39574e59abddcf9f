import type { Action } from "../protocol/challenge.ts";
import { fetchJson } from "./fetch-json.ts";
import {
  type CheckOutcome,
  type IssueOutcome,
  type LoginSource,
  readCheck,
  readIssue,
} from "./login-source.ts";

/** The site's own endpoints (docs/protocol.md#3-login). */
export function siteSource(mode: Action): LoginSource {
  return {
    provider: "svc",
    issue: (sid) => issueSiteCode(sid, { mode }),
    check,
    eventsUrl: (sid) => `/api/svc/events?${new URLSearchParams({ sid })}`,
  };
}

/** Asks `GET /api/svc/qr` with this query. */
export async function issueSiteCode(
  sid: string | null,
  query: Record<string, string>,
): Promise<IssueOutcome> {
  const fetched = await fetchJson(
    `/api/svc/qr?${new URLSearchParams(sid === null ? query : { ...query, sid })}`,
  );
  return fetched.kind === "ok" ? readIssue(fetched.body) : fetched;
}

async function check(sid: string): Promise<CheckOutcome> {
  const fetched = await fetchJson(`/api/svc/check?${new URLSearchParams({ sid })}`);
  return fetched.kind === "ok" ? readCheck(fetched.body) : fetched;
}
