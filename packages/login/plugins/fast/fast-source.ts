import { fetchJson, readField } from "../../client/fetch-json.ts";
import {
  type CheckOutcome,
  type IssueOutcome,
  type LoginSource,
  parseIssueOutcome,
  requestJson,
} from "../../client/login-source.ts";

/** Uses the fast login's endpoints (docs/protocol.md#6-fast-login) and the site login's event stream. */
export function createFastLoginSource(): LoginSource {
  return {
    provider: "fast",
    issue: (sid) => issueFastCode(sid, {}),
    check,
    eventsUrl: (sid) => `/api/svc/events?${new URLSearchParams({ sid })}`,
  };
}

export async function issueFastCode(
  sid: string | null,
  query: Record<string, string>,
): Promise<IssueOutcome> {
  const fetched = await fetchJson(`/api/getqrcode?${new URLSearchParams({ ...query, sid: sid ?? "" })}`);
  if (fetched.kind !== "ok") return fetched;
  if (readFastStatus(fetched.body) !== 1) return parseIssueOutcome(fetched.body);
  // Either this session has been answered but not redeemed yet, or another login has signed in this browser.
  const outcome = sid === null ? null : await check(sid);
  return sid !== null && outcome?.kind === "authenticated"
    ? { kind: "authenticated", sid, redirect: outcome.redirect }
    : { kind: "signed-in" };
}

function check(sid: string): Promise<CheckOutcome> {
  return requestJson(`/api/checkfast?${new URLSearchParams({ sid })}`, parseFastCheckOutcome);
}

export function parseFastCheckOutcome(body: unknown): CheckOutcome {
  const status = readFastStatus(body);
  if (status === null) return { kind: "broken" };
  return status === 1 ? { kind: "authenticated", redirect: "/dashboard" } : { kind: "pending" };
}

function readFastStatus(body: unknown): 0 | 1 | null {
  const status = readField(body, "status");
  return status === 0 || status === 1 ? status : null;
}
