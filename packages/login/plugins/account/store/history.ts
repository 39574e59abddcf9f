import type { Database } from "../../../database/database.ts";
import { callSqlFunction, callSqlFunctionForRows, sqlFunction } from "../../../database/sql-function.ts";
import type { BrowserSession } from "../../../server/browser-session.ts";

export type ChangeKind =
  | "credential_added"
  | "credential_removed"
  | "api_key_created"
  | "api_key_revoked"
  | "webhook_secret_rotated"
  | "webhook_url_changed"
  | "domain_deleted"
  | "signed_out_everywhere"
  | "recovery_codes_made"
  | "recovery_opened"
  | "recovery_pending"
  | "recovery_cancelled"
  | "recovered";

export type AuditEntry = {
  id: string;
  at: Date;
  kind:
    | "issued"
    | "delivered"
    | "refused"
    | "unregistered"
    | "session_created"
    | "session_ended"
    | "approved"
    | "undone"
    | ChangeKind;
  reason: string | null;
  credential: string | null;
  deviceInfo: unknown;
  userAgent: string | null;
  /** Null if the change concerns a credential. */
  subject: string | null;
};

/** Includes approvals. Such an entry has a subject if the browser is new to the account. */
export const SIGN_IN_EVENT_KINDS: readonly AuditEntry["kind"][] = ["session_created", "approved"];

const LIST = sqlFunction("list_audit_entries", ["ownerId", "maxEntries"]);

/** Newest first. */
export function listAuditEntries(database: Database, userId: number, limit: number): Promise<AuditEntry[]> {
  return callSqlFunctionForRows<AuditEntry>(database, LIST, { ownerId: userId, maxEntries: limit });
}

type Viewer = Pick<BrowserSession, "id">;

const LIST_CHANGES = sqlFunction("list_account_changes", ["sessionId", "maxEntries"]);

/** Newest first. */
export function listUndismissedChanges(
  database: Database,
  { id }: Viewer,
  limit: number,
): Promise<AuditEntry[]> {
  return callSqlFunctionForRows<AuditEntry>(database, LIST_CHANGES, { sessionId: id, maxEntries: limit });
}

export type NewBrowser = {
  id: string;
  at: Date;
  userAgent: string | null;
  sessionId: string | null;
};

const LIST_NEW_BROWSERS = sqlFunction("list_new_browsers", ["viewerId", "maxEntries"]);

/** Newest first. */
export function listNewBrowsers(database: Database, { id }: Viewer, limit: number): Promise<NewBrowser[]> {
  return callSqlFunctionForRows<NewBrowser>(database, LIST_NEW_BROWSERS, { viewerId: id, maxEntries: limit });
}

export type UndoneSignIn = Pick<AuditEntry, "at" | "userAgent"> & {
  id: string;
  /** Oldest first. */
  left: (Pick<AuditEntry, "kind" | "credential" | "subject"> & {
    /** Null unless the change added a sign-in method. */
    credentialId: string | null;
  })[];
};

const LIST_UNDONE = sqlFunction("list_undone_sign_ins", ["sessionId", "maxEntries"]);

/** Newest first. Only sign-ins whose changes are still in effect. */
export function listUndoneSignIns(
  database: Database,
  { id }: Viewer,
  limit: number,
): Promise<UndoneSignIn[]> {
  return callSqlFunctionForRows<UndoneSignIn>(database, LIST_UNDONE, { sessionId: id, maxEntries: limit });
}

const NOTE_SHOWN = sqlFunction("note_shown_notices", ["sessionId", "shownIds"]);

/** A session can dismiss only notices that it has shown. */
export async function recordShownNotices(
  database: Database,
  { id }: Viewer,
  notices: readonly { id: string }[],
): Promise<void> {
  if (notices.length === 0) return;
  await callSqlFunction(database, NOTE_SHOWN, {
    sessionId: id,
    shownIds: notices.map((notice) => notice.id),
  });
}

const DISMISS = sqlFunction("dismiss_notices", ["sessionId", "noticeIds", "now"]);

/** Ignores notices that this session has not shown. */
export async function dismissNotices(
  database: Database,
  { id }: Viewer,
  ids: readonly string[],
  now: Date,
): Promise<void> {
  await callSqlFunction(database, DISMISS, { sessionId: id, noticeIds: ids, now });
}
