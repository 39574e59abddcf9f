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

/** An entry in the history of a login or an account. */
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
  /** The object that was changed, if it is not a credential. */
  subject: string | null;
};

/**
 * The kinds of entries that record sign-ins, including approvals. Such an entry has a subject if the browser is new to
 * the account.
 */
export const SIGN_IN_EVENT_KINDS: readonly AuditEntry["kind"][] = ["session_created", "approved"];

const LIST = sqlFunction("list_audit_entries", ["ownerId", "maxEntries"]);

/** Returns the history of a user's account, newest first. */
export function listAuditEntries(database: Database, userId: number, limit: number): Promise<AuditEntry[]> {
  return callSqlFunctionForRows<AuditEntry>(database, LIST, { ownerId: userId, maxEntries: limit });
}

type Viewer = Pick<BrowserSession, "id">;

const LIST_CHANGES = sqlFunction("list_account_changes", ["sessionId", "maxEntries"]);

/** Returns the account's changes that a browser session has not dismissed, newest first. */
export function listUndismissedChanges(
  database: Database,
  { id }: Viewer,
  limit: number,
): Promise<AuditEntry[]> {
  return callSqlFunctionForRows<AuditEntry>(database, LIST_CHANGES, { sessionId: id, maxEntries: limit });
}

/** A browser that signed in to the account for the first time. */
export type NewBrowser = {
  /** The id of the history entry for the browser's first sign-in. */
  id: string;
  at: Date;
  userAgent: string | null;
  /** The browser's session, or null once it has ended. */
  sessionId: string | null;
};

const LIST_NEW_BROWSERS = sqlFunction("list_new_browsers", ["viewerId", "maxEntries"]);

/** Returns other browsers that are new to the account and that this session has not dismissed, newest first. */
export function listNewBrowsers(database: Database, { id }: Viewer, limit: number): Promise<NewBrowser[]> {
  return callSqlFunctionForRows<NewBrowser>(database, LIST_NEW_BROWSERS, { viewerId: id, maxEntries: limit });
}

/** An undone sign-in, and those of its changes that are still in effect. */
export type UndoneSignIn = Pick<AuditEntry, "at" | "userAgent"> & {
  /** The id of the history entry for the undo. */
  id: string;
  /** Oldest first. */
  left: (Pick<AuditEntry, "kind" | "credential" | "subject"> & {
    /** The id of the added sign-in method, or null for other changes. */
    credentialId: string | null;
  })[];
};

const LIST_UNDONE = sqlFunction("list_undone_sign_ins", ["sessionId", "maxEntries"]);

/**
 * Returns the undone sign-ins whose changes are still in effect and that this session has not dismissed, newest first.
 */
export function listUndoneSignIns(
  database: Database,
  { id }: Viewer,
  limit: number,
): Promise<UndoneSignIn[]> {
  return callSqlFunctionForRows<UndoneSignIn>(database, LIST_UNDONE, { sessionId: id, maxEntries: limit });
}

const NOTE_SHOWN = sqlFunction("note_shown_notices", ["sessionId", "shownIds"]);

/** Records the notices that a browser session has shown, so that the session can dismiss those notices. */
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

/** Dismisses notices in one browser session. Ignores notices that this session has not shown. */
export async function dismissNotices(
  database: Database,
  { id }: Viewer,
  ids: readonly string[],
  now: Date,
): Promise<void> {
  await callSqlFunction(database, DISMISS, { sessionId: id, noticeIds: ids, now });
}
