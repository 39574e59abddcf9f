import "server-only";
import { Prisma } from "#generated/prisma/client.ts";
import { LOGIN_SESSION_IDLE_SECONDS } from "#lib/login/protocol/numbers.ts";
import { plusSeconds } from "#lib/login/protocol/time.ts";
import { db } from "#lib/platform/database/db.ts";
import { requestDeadline } from "./request-deadline.ts";

/** The queries on what users sign in with: public keys (login) and addresses (fast login) alike. */

export type CredentialRow = {
  id: string;
  kind: "public_key" | "address";
  /** Lower-case uncompressed hex of the key, or the address in canonical form. */
  value: string;
  label: string | null;
  createdAt: Date;
  /** When the account was recovered while it had this already. */
  beforeRecoveryAt: Date | null;
};

/** A user's credentials, oldest first. */
export async function listCredentials(userId: number): Promise<CredentialRow[]> {
  return db().credential.findMany({
    where: { userId },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    select: { id: true, kind: true, value: true, label: true, createdAt: true, beforeRecoveryAt: true },
  });
}

/** Which answered login of which signed-in browser is meant. */
export type Addition = {
  now: Date;
  sid: string;
  browserHash: Uint8Array<ArrayBuffer>;
  browserSessionId: string;
};

/** A credential that waits to be added, and the user who holds it already, if any. */
export type FoundAddition = Pick<CredentialRow, "kind" | "value"> & { holderId: number | null };

/** The credential that a wallet answered with for this signed-in browser to add; null when there is none. */
export async function findAddition({
  now,
  sid,
  browserHash,
  browserSessionId,
}: Addition): Promise<FoundAddition | null> {
  const rows = await db().$queryRaw<
    { kind: "public_key" | "address"; value: string; holder_id: number | null }[]
  >`
    SELECT CASE flow WHEN 'fast' THEN 'address' ELSE 'public_key' END AS kind, credential AS value,
      (SELECT user_id FROM credential AS held WHERE held.value = session.credential) AS holder_id
    FROM login_session AS session
    WHERE sid = ${sid} AND browser_hash = ${browserHash} AND adds_to_session = ${browserSessionId}::uuid
      AND status = 'authenticated' AND redeemed_at IS NULL
      AND authenticated_at > ${plusSeconds(now, -LOGIN_SESSION_IDLE_SECONDS)}::timestamptz`;
  const row = rows[0];
  return row ? { kind: row.kind, value: row.value, holderId: row.holder_id } : null;
}

/**
 * Adds the credential of an answered login to the user of the signed-in browser, once, in one statement.
 * @returns its id, or null when there is nothing to add
 * @throws a unique violation when the credential has a user by then
 */
export async function addCredential(
  input: Addition & { userAgent: string | null },
): Promise<{ id: string } | null> {
  const { now, sid, browserHash, browserSessionId, userAgent } = input;
  const rows = await db().$queryRaw<{ id: string }[]>`
    WITH signed_in AS (
      SELECT user_id FROM browser_session
      WHERE id = ${browserSessionId}::uuid AND expires_at > ${now}::timestamptz
    ), redeemed AS (
      UPDATE login_session AS session SET redeemed_at = ${now}::timestamptz, user_id = signed_in.user_id
      FROM signed_in
      WHERE sid = ${sid} AND browser_hash = ${browserHash} AND adds_to_session = ${browserSessionId}::uuid
        AND status = 'authenticated' AND redeemed_at IS NULL
        AND authenticated_at > ${plusSeconds(now, -LOGIN_SESSION_IDLE_SECONDS)}::timestamptz
        AND statement_timestamp() < ${requestDeadline(now)}::timestamptz
      RETURNING session.user_id, session.credential, session.flow
    ), added AS (
      INSERT INTO credential (id, user_id, kind, value, created_at, added_by_session)
      SELECT gen_random_uuid(), user_id,
        (CASE flow WHEN 'fast' THEN 'address' ELSE 'public_key' END)::credential_kind, credential,
        ${now}::timestamptz, ${browserSessionId}::uuid
      FROM redeemed
      RETURNING id, user_id, value
    ), logged AS (
      INSERT INTO login_event (at, kind, sid, user_id, credential, user_agent, by_session)
      SELECT ${now}::timestamptz, 'credential_added', ${sid}, user_id, value, ${userAgent}, ${browserSessionId}::uuid
      FROM added
    )
    SELECT id FROM added`;
  return rows[0] ?? null;
}

/**
 * Names a credential; null takes its name away.
 * @returns false when the user has no such credential
 */
export async function renameCredential(userId: number, id: string, label: string | null): Promise<boolean> {
  const { count } = await db().credential.updateMany({ where: { id, userId }, data: { label } });
  return count === 1;
}

/**
 * Removes a credential of a user, but never the last one. All of them are locked first, so that two removals at once
 * cannot leave none. The browser sessions that it opened end, except `keptSessionId`, and so do the logins that it
 * answered and nobody has redeemed.
 */
export async function removeCredential(input: {
  now: Date;
  userId: number;
  id: string;
  keptSessionId: string;
  userAgent: string | null;
}): Promise<"removed" | "unknown" | "last"> {
  const { now, userId, id, keptSessionId, userAgent } = input;
  const [, rows] = await db().$transaction([
    // A statement of its own: the next one then sees what the transactions that held the locks have done, such as
    // opening a session.
    db().$queryRaw`SELECT id FROM credential WHERE user_id = ${userId} ORDER BY id FOR UPDATE`,
    db().$queryRaw<{ removed: boolean; held: boolean }[]>`
      WITH held AS (
        SELECT id FROM credential WHERE user_id = ${userId}
      ), removed AS (
        DELETE FROM credential
        WHERE id = ${id}::uuid AND user_id = ${userId} AND (SELECT count(*) FROM held) > 1
          AND statement_timestamp() < ${requestDeadline(now)}::timestamptz
        RETURNING user_id, value
      ), ${afterRemoval({ now, keptSessionId, keptSid: null, userAgent, reason: null })}
      SELECT EXISTS (SELECT 1 FROM removed) AS removed, EXISTS (SELECT 1 FROM held WHERE id = ${id}::uuid) AS held`,
  ]);
  const row = rows[0];
  if (row?.removed) return "removed";
  return row?.held ? "last" : "unknown";
}

/** What follows the removal of a credential, `removed` (user_id, value), in the same statement. */
export function afterRemoval(input: {
  now: Date;
  keptSessionId: string | null;
  keptSid: string | null;
  userAgent: string | null;
  reason: "not_mine" | null;
}): Prisma.Sql {
  const { now, keptSessionId, keptSid, userAgent, reason } = input;
  return Prisma.sql`ended AS (
      DELETE FROM browser_session AS session USING removed
      WHERE session.user_id = removed.user_id AND session.credential = removed.value
        AND session.id IS DISTINCT FROM ${keptSessionId}::uuid
    ), forgotten AS (
      DELETE FROM login_session AS login USING removed
      WHERE login.user_id = removed.user_id AND login.credential = removed.value AND login.redeemed_at IS NULL
        AND login.flow <> 'hosted' AND login.sid IS DISTINCT FROM ${keptSid}
    ), forgotten_hosted AS (
      DELETE FROM hosted_login AS login USING removed
      WHERE login.public_key = removed.value AND login.redeemed_at IS NULL
        AND login.session_id IS DISTINCT FROM ${keptSid}
    ), logged AS (
      INSERT INTO login_event (at, kind, user_id, reason, credential, user_agent, by_session)
      SELECT ${now}::timestamptz, 'credential_removed', user_id, ${reason}, value, ${userAgent}, ${keptSessionId}::uuid
      FROM removed
    )`;
}
