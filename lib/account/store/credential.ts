import type { Asker } from "#lib/approval/asker.ts";
import { LOGIN_SESSION_IDLE_SECONDS } from "#lib/login/protocol/numbers.ts";
import { addSeconds } from "#lib/login/protocol/time.ts";
import { db, type Queries } from "#lib/platform/database/db.ts";

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

/** Which answered login of which browser is meant. */
type Addition = { sid: string; browserHash: Uint8Array<ArrayBuffer> };

/** A credential that waits to be added, and the user who holds it already, if any. */
export type FoundAddition = Pick<CredentialRow, "kind" | "value"> & { holderId: number | null };

/** The credential that a wallet answered with for this signed-in browser to add; null when there is none. */
export async function findAddition(
  browserSessionId: string,
  now: Date,
  { sid, browserHash }: Addition,
): Promise<FoundAddition | null> {
  const rows = await db().$queryRaw<
    { kind: "public_key" | "address"; value: string; holder_id: number | null }[]
  >`
    SELECT CASE flow WHEN 'fast' THEN 'address' ELSE 'public_key' END AS kind, credential AS value,
      (SELECT user_id FROM credential AS held WHERE held.value = session.credential) AS holder_id
    FROM login_session AS session
    WHERE sid = ${sid} AND browser_hash = ${browserHash} AND adds_to_session = ${browserSessionId}::uuid
      AND status = 'authenticated' AND redeemed_at IS NULL
      AND authenticated_at > ${addSeconds(now, -LOGIN_SESSION_IDLE_SECONDS)}::timestamptz`;
  const row = rows[0];
  return row ? { kind: row.kind, value: row.value, holderId: row.holder_id } : null;
}

/**
 * Adds the credential of an answered login to the user of the browser session that asked for its code, once.
 * @returns its id, or null when there is nothing to add
 * @throws a unique violation when the credential has a user by then
 */
export async function addCredential(
  queries: Queries,
  { now, sessionId, userId, userAgent }: Asker,
  { sid, browserHash }: Addition,
): Promise<{ id: string } | null> {
  const rows = await queries.$queryRaw<{ id: string }[]>`
    WITH redeemed AS (
      UPDATE login_session AS session SET redeemed_at = ${now}::timestamptz, user_id = ${userId}
      WHERE sid = ${sid} AND browser_hash = ${browserHash} AND adds_to_session = ${sessionId}::uuid
        AND status = 'authenticated' AND redeemed_at IS NULL
        AND authenticated_at > ${addSeconds(now, -LOGIN_SESSION_IDLE_SECONDS)}::timestamptz
      RETURNING session.user_id, session.credential, session.flow
    ), added AS (
      INSERT INTO credential (id, user_id, kind, value, created_at, added_by_session)
      SELECT gen_random_uuid(), user_id,
        (CASE flow WHEN 'fast' THEN 'address' ELSE 'public_key' END)::credential_kind, credential,
        ${now}::timestamptz, ${sessionId}::uuid
      FROM redeemed
      RETURNING id, user_id, value
    ), logged AS (
      INSERT INTO login_event (at, kind, sid, user_id, credential, user_agent)
      SELECT ${now}::timestamptz, 'credential_added', ${sid}, user_id, value, ${userAgent} FROM added
    )
    SELECT id FROM added`;
  return rows[0] ?? null;
}

/**
 * Names a credential; null takes its name away.
 * @returns false when the user has no such credential
 */
export async function renameCredential(
  queries: Queries,
  userId: number,
  id: string,
  label: string | null,
): Promise<boolean> {
  const { count } = await queries.credential.updateMany({ where: { id, userId }, data: { label } });
  return count === 1;
}

/**
 * Removes a credential of a user, but never the last one. All of them are locked first, so that two removals at once
 * cannot leave none. The browser sessions that it opened end, except the one that asks, and so do the logins that it
 * answered and nobody has redeemed.
 */
export async function removeCredential(
  queries: Queries,
  { now, userId, userAgent, sessionId }: Asker,
  id: string,
): Promise<"removed" | "unknown" | "last"> {
  await lockCredentials(queries, userId);
  const [row] = await queries.$queryRaw<{ removed: boolean; held: boolean }[]>`
    WITH held AS (
      SELECT id FROM credential WHERE user_id = ${userId}
    ), removed AS (
      DELETE FROM credential
      WHERE id = ${id}::uuid AND user_id = ${userId} AND (SELECT count(*) FROM held) > 1
      RETURNING user_id, value
    ), ended AS (
      DELETE FROM browser_session AS session USING removed
      WHERE session.user_id = removed.user_id AND session.credential = removed.value
        AND session.id <> ${sessionId}::uuid
    ), forgotten AS (
      DELETE FROM login_session AS login USING removed
      WHERE login.user_id = removed.user_id AND login.credential = removed.value AND login.redeemed_at IS NULL
        AND login.flow <> 'hosted'
    ), forgotten_hosted AS (
      DELETE FROM hosted_login AS login USING removed
      WHERE login.public_key = removed.value AND login.redeemed_at IS NULL
    ), logged AS (
      INSERT INTO login_event (at, kind, user_id, credential, user_agent)
      SELECT ${now}::timestamptz, 'credential_removed', user_id, value, ${userAgent} FROM removed
    )
    SELECT EXISTS (SELECT 1 FROM removed) AS removed, EXISTS (SELECT 1 FROM held WHERE id = ${id}::uuid) AS held`;
  if (row?.removed) return "removed";
  return row?.held ? "last" : "unknown";
}

/**
 * Waits for whatever is just signing in or approving with a user's credentials, and holds up what comes after. A
 * statement of its own: the next one sees what the others have done, such as opening a session.
 */
export async function lockCredentials(queries: Queries, userId: number): Promise<void> {
  await queries.$queryRaw`SELECT 1 FROM credential WHERE user_id = ${userId} ORDER BY id FOR UPDATE`;
}
