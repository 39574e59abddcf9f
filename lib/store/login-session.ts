import "server-only";
import type { DeviceInfo } from "#lib/contracts/delivery.ts";
import { CHALLENGE_LIFETIME_SECONDS, LOGIN_SESSION_IDLE_SECONDS } from "#lib/contracts/limits.ts";
import { plusSeconds } from "#lib/core/clock.ts";
import { db } from "#lib/core/db.ts";

/**
 * The queries on login sessions and their challenges. What decides who is signed in is one statement each, so
 * that it happens whole or not at all, once, whatever else runs beside it.
 */

/** The channel on which PostgreSQL tells every process that a login session changed. */
export const LOGIN_CHANNEL = "login_session";

/** A change told on `LOGIN_CHANNEL`: a new status, or a delivery that was refused. */
export type LoginNotice = { sid: string; refused?: string };

/**
 * Issues a challenge: for the live session `sid` of this browser, else for a new session. The browser's secret is
 * kept while a session of its own still lives, else replaced, so that no secret is adopted that we did not make.
 * @returns the session's sid, and whether the browser keeps its present secret
 */
export async function issueChallenge(input: {
  now: Date;
  challenge: string;
  sid: string | null;
  newSid: string;
  browserHash: Uint8Array<ArrayBuffer> | null;
  newBrowserHash: Uint8Array<ArrayBuffer>;
}): Promise<{ sid: string; keepsSecret: boolean }> {
  const { now, challenge, sid, newSid, browserHash, newBrowserHash } = input;
  const liveSince = plusSeconds(now, -LOGIN_SESSION_IDLE_SECONDS);
  const rows = await db().$queryRaw<{ sid: string; keeps_secret: boolean }[]>`
    WITH renewed AS (
      UPDATE login_session SET challenged_at = ${now}::timestamptz, status = 'pending'
      WHERE sid = ${sid} AND flow = 'integrator' AND browser_hash = ${browserHash} AND status <> 'authenticated'
        AND challenged_at > ${liveSince}::timestamptz
      RETURNING sid
    ), browser AS (
      SELECT EXISTS (
        SELECT 1 FROM login_session WHERE browser_hash = ${browserHash} AND challenged_at > ${liveSince}::timestamptz
      ) AS known
    ), created AS (
      INSERT INTO login_session (sid, flow, browser_hash, created_at, challenged_at)
      SELECT ${newSid}, 'integrator', CASE WHEN known THEN ${browserHash}::bytea ELSE ${newBrowserHash}::bytea END, ${now}::timestamptz, ${now}::timestamptz
      FROM browser WHERE NOT EXISTS (SELECT 1 FROM renewed)
      RETURNING sid
    ), session AS (
      SELECT sid FROM renewed UNION ALL SELECT sid FROM created
    ), issued AS (
      INSERT INTO challenge (text, sid, issued_at) SELECT ${challenge}, sid, ${now}::timestamptz FROM session
    ), logged AS (
      INSERT INTO login_event (at, kind, sid) SELECT ${now}::timestamptz, 'issued', sid FROM session
    )
    SELECT session.sid, browser.known AS keeps_secret FROM session, browser`;
  const row = rows[0];
  if (!row) throw new Error("no session was renewed or created");
  return { sid: row.sid, keepsSecret: row.keeps_secret };
}

/** A challenge as a delivery finds it, in any flow. */
export type FoundChallenge = {
  sid: string;
  issuedAt: Date;
  /** Spent, or its session is authenticated already. */
  used: boolean;
};

/** Finds a challenge of flow A by its exact text, and the user of `credential` in the same round trip. */
export async function findChallenge(
  text: string,
  credential: string | null,
): Promise<(FoundChallenge & { userId: number | null }) | null> {
  const rows = await db().$queryRaw<
    { sid: string; issued_at: Date; used: boolean; user_id: number | null }[]
  >`
    SELECT challenge.sid, challenge.issued_at,
      challenge.spent_at IS NOT NULL OR session.status = 'authenticated' AS used,
      (SELECT user_id FROM credential WHERE value = ${credential}) AS user_id
    FROM challenge JOIN login_session AS session USING (sid)
    WHERE challenge.text = ${text} AND session.flow = 'integrator'`;
  const row = rows[0];
  return row ? { sid: row.sid, issuedAt: row.issued_at, used: row.used, userId: row.user_id } : null;
}

/**
 * Spends a challenge and authenticates its session, creating the user when `userId` is null: one statement, so
 * that of any number of deliveries at once exactly one succeeds (contract 2).
 * @returns false when the challenge was spent or too old, or its session authenticated, by then
 * @throws a unique violation when two sessions register one key at once: the second finds its user on a new try
 */
export async function spendChallenge(input: {
  now: Date;
  challenge: string;
  credential: string;
  userId: number | null;
  signedAt: number;
  deviceInfo: DeviceInfo | undefined;
}): Promise<boolean> {
  const { now, challenge, credential, userId, signedAt } = input;
  const deviceInfo = input.deviceInfo ? JSON.stringify(input.deviceInfo) : null;
  const rows = await db().$queryRaw<{ sid: string }[]>`
    WITH target AS (
      SELECT challenge.text, session.sid
      FROM challenge JOIN login_session AS session USING (sid)
      WHERE challenge.text = ${challenge} AND challenge.spent_at IS NULL
        AND challenge.issued_at > ${plusSeconds(now, -CHALLENGE_LIFETIME_SECONDS)}::timestamptz
        AND session.status <> 'authenticated'
      FOR UPDATE
    ), spent AS (
      UPDATE challenge SET spent_at = ${now}::timestamptz FROM target WHERE challenge.text = target.text
    ), new_user AS (
      INSERT INTO user_account (created_at) SELECT ${now}::timestamptz FROM target WHERE ${userId}::int IS NULL RETURNING id
    ), new_credential AS (
      INSERT INTO credential (id, user_id, kind, value, created_at)
      SELECT gen_random_uuid(), id, 'public_key', ${credential}, ${now}::timestamptz FROM new_user
    ), authenticated AS (
      UPDATE login_session AS session
      SET status = 'authenticated', authenticated_at = ${now}::timestamptz, credential = ${credential},
        user_id = COALESCE(${userId}::int, (SELECT id FROM new_user)), signed_at = ${signedAt}::bigint,
        device_info = ${deviceInfo}::jsonb
      FROM target WHERE session.sid = target.sid
      RETURNING session.sid, session.user_id
    ), logged AS (
      INSERT INTO login_event (at, kind, sid, user_id, credential, device_info)
      SELECT ${now}::timestamptz, 'delivered', sid, user_id, ${credential}, ${deviceInfo}::jsonb FROM authenticated
    )
    SELECT sid, pg_notify(${LOGIN_CHANNEL}, json_build_object('sid', sid)::text)::text FROM authenticated`;
  return rows.length === 1;
}

/** Marks a pending session whose valid signature came from an unknown key (contract 4), and logs it. */
export async function markUnregistered(input: { now: Date; sid: string; credential: string }): Promise<void> {
  const { now, sid, credential } = input;
  await db().$queryRaw`
    WITH marked AS (
      UPDATE login_session SET status = 'unregistered' WHERE sid = ${sid} AND status <> 'authenticated' RETURNING sid
    ), logged AS (
      INSERT INTO login_event (at, kind, sid, credential) SELECT ${now}::timestamptz, 'unregistered', sid, ${credential} FROM marked
    )
    SELECT pg_notify(${LOGIN_CHANNEL}, json_build_object('sid', sid)::text)::text FROM marked`;
}

/** Logs that a delivery to a session was refused and why; the status stays what it was. */
export async function logRefusal(input: { now: Date; sid: string; reason: string }): Promise<void> {
  const { now, sid, reason } = input;
  await db().$queryRaw`
    WITH logged AS (
      INSERT INTO login_event (at, kind, sid, reason) VALUES (${now}::timestamptz, 'refused', ${sid}, ${reason}) RETURNING sid
    )
    SELECT pg_notify(${LOGIN_CHANNEL}, json_build_object('sid', sid, 'refused', ${reason}::text)::text)::text
    FROM logged`;
}

/** What the status of a login session is read from. */
export type LoginSessionState = {
  status: "pending" | "unregistered" | "authenticated";
  userId: number | null;
  challengedAt: Date;
  browserHash: Uint8Array | null;
};

/** The state of a session, or null for a sid that the server did not make (or has deleted). */
export async function findLoginSession(sid: string): Promise<LoginSessionState | null> {
  return db().loginSession.findUnique({
    where: { sid, flow: "integrator" },
    select: { status: true, userId: true, challengedAt: true, browserHash: true },
  });
}

/**
 * Redeems an authenticated login for a signed-in browser, once, for the browser that holds the secret: one
 * statement ends the login and opens the browser session (contract 3).
 * @returns the user, or null when there is nothing for this browser to redeem
 */
export async function redeemLogin(input: {
  now: Date;
  sid: string;
  browserHash: Uint8Array<ArrayBuffer>;
  browserSessionId: string;
  expiresAt: Date;
  userAgent: string | null;
}): Promise<{ userId: number } | null> {
  const { now, sid, browserHash, browserSessionId, expiresAt, userAgent } = input;
  const rows = await db().$queryRaw<{ user_id: number }[]>`
    WITH redeemed AS (
      UPDATE login_session SET redeemed_at = ${now}::timestamptz
      WHERE sid = ${sid} AND flow = 'integrator' AND browser_hash = ${browserHash} AND status = 'authenticated' AND redeemed_at IS NULL
        AND authenticated_at > ${plusSeconds(now, -LOGIN_SESSION_IDLE_SECONDS)}::timestamptz
      RETURNING user_id, credential, device_info
    ), opened AS (
      INSERT INTO browser_session
        (id, user_id, credential, device_info, user_agent, created_at, last_seen_at, expires_at)
      SELECT ${browserSessionId}::uuid, user_id, credential, device_info, ${userAgent}, ${now}::timestamptz, ${now}::timestamptz, ${expiresAt}::timestamptz
      FROM redeemed
    ), logged AS (
      INSERT INTO login_event (at, kind, sid, user_id, credential, device_info, user_agent)
      SELECT ${now}::timestamptz, 'session_created', ${sid}, user_id, credential, device_info, ${userAgent} FROM redeemed
    )
    SELECT user_id FROM redeemed`;
  return rows[0] ? { userId: rows[0].user_id } : null;
}
