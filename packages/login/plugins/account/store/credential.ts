import {
  computeStatementDeadline,
  type Database,
  retryOnConflict,
  type Statement,
} from "../../../database/database.ts";
import { callSqlFunction, sqlFunction } from "../../../database/sql-function.ts";
import { addSeconds, LOGIN_SESSION_IDLE_SECONDS } from "../../../protocol/numbers.ts";
import type { Requester } from "../../approvals/requester.ts";

export type CredentialRow = {
  id: string;
  kind: "public_key" | "address";
  /** The uncompressed key in lower-case hex, or the address in canonical form. */
  value: string;
  label: string | null;
  createdAt: Date;
  /** The time of the account's last recovery if the account already had this credential then, otherwise null. */
  beforeRecoveryAt: Date | null;
  /** The wallet's description when the credential was added. */
  deviceInfo: unknown;
};

const LIST: Statement = {
  name: "list-credentials",
  text: `SELECT id, kind::text AS kind, value, label, created_at AS "createdAt",
      before_recovery_at AS "beforeRecoveryAt", device_info AS "deviceInfo"
    FROM credential WHERE user_id = $1::int ORDER BY created_at, id`,
};

/** Oldest first. */
export function listCredentials(database: Database, userId: number): Promise<CredentialRow[]> {
  return database.run<CredentialRow>(LIST, [userId]);
}

type Addition = { sid: string; browserHash: Uint8Array };

export type PendingCredential = Pick<CredentialRow, "kind" | "value"> & { holderId: number | null };

const FIND_ADDITION: Statement = {
  name: "find-addition",
  text: `SELECT CASE flow WHEN 'fast' THEN 'address' ELSE 'public_key' END AS kind, credential AS value,
      (SELECT user_id FROM credential AS held WHERE held.value = session.credential) AS "holderId"
    FROM login_session AS session
    WHERE sid = $1::text AND browser_hash = $2::bytea AND intent = 'add' AND asked_by = $3::uuid AND status = 'authenticated'
      AND redeemed_at IS NULL AND authenticated_at > $4::timestamptz`,
};

export async function findPendingCredential(
  database: Database,
  { now, sessionId }: Pick<Requester, "now" | "sessionId">,
  { sid, browserHash }: Addition,
): Promise<PendingCredential | null> {
  const values = [sid, browserHash, sessionId, answeredSince(now)];
  return (await database.run<PendingCredential>(FIND_ADDITION, values))[0] ?? null;
}

const answeredSince = (now: Date) => addSeconds(now, -LOGIN_SESSION_IDLE_SECONDS);

const ADD = sqlFunction("add_credential", [
  "sessionId",
  "loginSid",
  "browserHash",
  "userAgent",
  "now",
  "answeredSince",
  "deadline",
]);

/**
 * Each login can add a credential only once.
 * @returns `ended` if the requesting session or its approval has ended; null if there is nothing to add
 * @throws a unique violation if the credential already belongs to a user
 */
export async function addCredential(
  database: Database,
  { now, sessionId, userAgent }: Requester,
  { sid, browserHash }: Addition,
): Promise<{ id: string } | "ended" | null> {
  const login = { loginSid: sid, browserHash, answeredSince: answeredSince(now) };
  const added = await retryOnConflict(() =>
    callSqlFunction<{ id: string | null }>(database, ADD, {
      ...login,
      sessionId,
      userAgent,
      now,
      deadline: computeStatementDeadline(now),
    }),
  );
  if (!added) return "ended";
  return added.id === null ? null : { id: added.id };
}

const RENAME = sqlFunction("rename_credential", ["sessionId", "credentialId", "label", "now", "deadline"]);

export async function renameCredential(
  database: Database,
  { now, sessionId }: Requester,
  id: string,
  label: string | null,
): Promise<"renamed" | "unknown" | "ended"> {
  const values = { sessionId, credentialId: id, label, now, deadline: computeStatementDeadline(now) };
  const row = await retryOnConflict(() => callSqlFunction<{ renamed: boolean }>(database, RENAME, values));
  if (!row) return "ended";
  return row.renamed ? "renamed" : "unknown";
}

const REMOVE = sqlFunction("remove_credential", [
  "sessionId",
  "credentialId",
  "userAgent",
  "now",
  "deadline",
]);

export async function removeCredential(
  database: Database,
  { now, sessionId, userAgent }: Requester,
  id: string,
): Promise<"removed" | "unknown" | "last" | "ended"> {
  const values = { sessionId, credentialId: id, userAgent, now, deadline: computeStatementDeadline(now) };
  const row = await retryOnConflict(() =>
    callSqlFunction<{ isHeld: boolean; isLast: boolean }>(database, REMOVE, values),
  );
  if (!row) return "ended";
  if (!row.isHeld) return "unknown";
  return row.isLast ? "last" : "removed";
}

const REMOVE_BEFORE_RECOVERY = sqlFunction("remove_credentials_before_recovery", [
  "sessionId",
  "userAgent",
  "now",
  "deadline",
]);

/**
 * Also ends the browser sessions that these methods opened.
 * @returns false if the requesting session has ended, in which case nothing has changed
 */
export async function removeSignInMethodsBeforeRecovery(
  database: Database,
  { now, sessionId, userAgent }: Requester,
): Promise<boolean> {
  const values = { sessionId, userAgent, now, deadline: computeStatementDeadline(now) };
  return (await retryOnConflict(() => callSqlFunction(database, REMOVE_BEFORE_RECOVERY, values))) !== null;
}
