import { parseRefusal, type RefusedEvent } from "#lib/contracts/login-session.ts";
import type { Failure } from "./fetch-json.ts";
import { readText } from "./read-field.ts";

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
export type RefusalReason = RefusedEvent["reason"];

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

/** Reads the answer of `GET /api/svc/qr`, and of `GET /api/getqrcode` when it has a code. */
export function readIssue(body: unknown): IssueOutcome {
  const sid = readText(body, "sid");
  const qr = readText(body, "qr");
  return sid && qr ? { kind: "issued", sid, qr } : { kind: "broken" };
}

/** Reads the answer of `GET /api/svc/check`, which the event stream repeats. */
export function readCheck(body: unknown): CheckOutcome {
  const status = readText(body, "status");
  if (status === "pending" || status === "unregistered") return { kind: status };
  if (status === "authenticated") return { kind: "authenticated", redirect: readText(body, "redirect") };
  return { kind: "broken" };
}

/** Reads the data of a `refused` event. */
export function readRefusal(body: unknown): RefusalReason | null {
  return parseRefusal(readText(body, "reason"));
}
