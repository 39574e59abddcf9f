import type { Action } from "#lib/contracts/challenge.ts";
import { type Failure, fetchJson } from "./fetch-json.ts";

/** A code to show, or why there is none. */
export type IssueOutcome =
  | { kind: "issued"; sid: string; qr: string }
  /** A wallet has answered meanwhile. */
  | { kind: "authenticated"; sid: string; redirect: string | null }
  /** This browser is signed in already, by another login. */
  | { kind: "signed-in" }
  | Failure;

/** Where a login stands, or why that cannot be told. `redirect` is where the server would go next. */
export type CheckOutcome =
  | { kind: "pending" }
  | { kind: "unregistered" }
  | { kind: "authenticated"; redirect: string | null }
  | Failure;

/** Why a wallet's answer was turned away, as the event stream tells the bound browser. */
export type RefusalReason = "challenge_expired" | "invalid_signature";

/** Where the login panel gets its codes and statuses from. One for each flow; the panel does not know which. */
export type LoginSource = {
  /** NextAuth's credentials provider that redeems this flow's sid; null where the page that follows does more. */
  provider: string | null;
  /** A new code: for `sid` when it is given and still ours, else for a new session. */
  issue(sid: string | null): Promise<IssueOutcome>;
  check(sid: string): Promise<CheckOutcome>;
  /** The server-sent events of a session; null when the flow has none and polling is all. */
  eventsUrl(sid: string): string | null;
};

/** Where a wallet's answer is confirmed, when it is to be added to the signed-in user instead of signing in. */
export const CONFIRM_ADDITION_PATH = "/dashboard/add/confirm";

/** Flow A's endpoints (specification 4.1). */
export function svcSource(mode: Action): LoginSource {
  return {
    provider: "svc",
    issue: (sid) => issueSvc(sid, { mode }),
    check: checkSvc,
    eventsUrl: svcEventsUrl,
  };
}

/** The same, to add a wallet's key to the signed-in user. */
export function svcAddingSource(): LoginSource {
  return adding({
    provider: null,
    issue: (sid) => issueSvc(sid, { mode: "login", intent: "add" }),
    check: checkSvc,
    // The answer of the stream names the flow's own redirect.
    eventsUrl: () => null,
  });
}

/** Flow C's endpoints (specification 4.3): it has no events, the poll is all. */
export function fastSource(): LoginSource {
  return {
    provider: "fast",
    issue: (sid) => issueFast(sid, {}),
    check: checkFast,
    eventsUrl: () => null,
  };
}

/** The same, to add an address to the signed-in user. */
export function fastAddingSource(): LoginSource {
  return adding({ ...fastSource(), provider: null, issue: (sid) => issueFast(sid, { intent: "add" }) });
}

/** A source whose answers are confirmed on a page of their own. */
function adding(source: LoginSource): LoginSource {
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

async function issueSvc(sid: string | null, query: Record<string, string>): Promise<IssueOutcome> {
  const fetched = await fetchJson(
    `/api/svc/qr?${new URLSearchParams(sid === null ? query : { ...query, sid })}`,
  );
  return fetched.kind === "ok" ? readIssue(fetched.body) : fetched;
}

async function checkSvc(sid: string): Promise<CheckOutcome> {
  const fetched = await fetchJson(`/api/svc/check?${new URLSearchParams({ sid })}`);
  return fetched.kind === "ok" ? readCheck(fetched.body) : fetched;
}

function svcEventsUrl(sid: string): string {
  return `/api/svc/events?${new URLSearchParams({ sid })}`;
}

async function issueFast(sid: string | null, query: Record<string, string>): Promise<IssueOutcome> {
  const fetched = await fetchJson(`/api/getqrcode?${new URLSearchParams({ ...query, sid: sid ?? "" })}`);
  if (fetched.kind !== "ok") return fetched;
  if (readFastStatus(fetched.body) !== 1) return readIssue(fetched.body);
  // Signed in: by this session, which is yet to be redeemed, or by another login of this browser.
  const outcome = sid === null ? null : await checkFast(sid);
  return sid !== null && outcome?.kind === "authenticated"
    ? { kind: "authenticated", sid, redirect: outcome.redirect }
    : { kind: "signed-in" };
}

async function checkFast(sid: string): Promise<CheckOutcome> {
  const fetched = await fetchJson(`/api/checkfast?${new URLSearchParams({ sid })}`);
  return fetched.kind === "ok" ? readFastCheck(fetched.body) : fetched;
}

/** Reads the answer of `GET /api/checkfast`. */
export function readFastCheck(body: unknown): CheckOutcome {
  const status = readFastStatus(body);
  if (status === null) return { kind: "broken" };
  return status === 1 ? { kind: "authenticated", redirect: "/dashboard" } : { kind: "pending" };
}

function readFastStatus(body: unknown): 0 | 1 | null {
  const status = field(body, "status");
  return status === 0 || status === 1 ? status : null;
}

/** Reads the answer of `GET /api/svc/qr`, and of `GET /api/getqrcode` when it has a code. */
export function readIssue(body: unknown): IssueOutcome {
  const sid = text(body, "sid");
  const qr = text(body, "qr");
  return sid && qr ? { kind: "issued", sid, qr } : { kind: "broken" };
}

/** Reads the answer of `GET /api/svc/check`, which the event stream repeats. */
export function readCheck(body: unknown): CheckOutcome {
  const status = text(body, "status");
  if (status === "pending" || status === "unregistered") return { kind: status };
  if (status === "authenticated") return { kind: "authenticated", redirect: text(body, "redirect") };
  return { kind: "broken" };
}

/** Reads the data of a `refused` event. */
export function readRefusal(body: unknown): RefusalReason | null {
  const reason = text(body, "reason");
  return reason === "challenge_expired" || reason === "invalid_signature" ? reason : null;
}

function text(body: unknown, name: string): string | null {
  const value = field(body, name);
  return typeof value === "string" && value !== "" ? value : null;
}

function field(body: unknown, name: string): unknown {
  if (typeof body !== "object" || body === null) return undefined;
  return Object.getOwnPropertyDescriptor(body, name)?.value;
}
