import "server-only";
import { BROWSER_SESSION_TOUCH_SECONDS } from "#lib/contracts/limits.ts";
import { plusSeconds } from "#lib/core/clock.ts";
import { db } from "#lib/core/db.ts";

/** The queries on signed-in browsers. A row is the session: without it NextAuth's token is worth nothing. */

export type BrowserSessionRow = {
  id: string;
  userId: number;
  credential: string;
  deviceInfo: unknown;
  userAgent: string | null;
  createdAt: Date;
  lastSeenAt: Date;
  /** When one of the user's keys last approved what it does, after the sign-in. */
  approvedAt: Date | null;
};

const FIELDS = {
  id: true,
  userId: true,
  credential: true,
  deviceInfo: true,
  userAgent: true,
  createdAt: true,
  lastSeenAt: true,
  approvedAt: true,
} as const;

/** The live session with this id, or null: revoked, signed out, expired or never there. */
export async function findBrowserSession(id: string, now: Date): Promise<BrowserSessionRow | null> {
  return db().browserSession.findFirst({ where: { id, expiresAt: { gt: now } }, select: FIELDS });
}

/** Notes that a session was seen; at most once in five minutes. */
export async function touchBrowserSession({ id, lastSeenAt }: BrowserSessionRow, now: Date): Promise<void> {
  if (lastSeenAt > plusSeconds(now, -BROWSER_SESSION_TOUCH_SECONDS)) return;
  await db().browserSession.updateMany({ where: { id }, data: { lastSeenAt: now } });
}

/** A user's live sessions, newest first. */
export async function listBrowserSessions(userId: number, now: Date): Promise<BrowserSessionRow[]> {
  return db().browserSession.findMany({
    where: { userId, expiresAt: { gt: now } },
    orderBy: { createdAt: "desc" },
    take: 100,
    select: FIELDS,
  });
}

/** Which sessions end, and at which browser it was asked for. */
export type SessionsEnd = {
  now: Date;
  userId: number;
  /** One of the user's, or null for all. */
  id: string | null;
  reason: "signed_out" | "revoked";
  /** Of the secret in the cookie of the browser that asks. */
  browserHash: Uint8Array<ArrayBuffer> | null;
  /** True when this browser's own session is among them. */
  endsHere: boolean;
};

/**
 * Ends sessions of a user and logs it, in one statement. Logins in progress end with them, or the next person at a
 * browser would be signed in by one:
 * - at the browser that signs out, all of them, answered or not;
 * - when sessions are revoked, those that the user's keys have answered in other browsers;
 * - codes that a session which ends has asked for, to add a key or to approve a change.
 * @returns how many sessions there were
 */
export async function endBrowserSessions(end: SessionsEnd): Promise<number> {
  const { now, userId, id, reason, browserHash, endsHere } = end;
  const revoked = reason === "revoked";
  const rows = await db().$queryRaw<{ count: bigint }[]>`
    WITH ended AS (
      DELETE FROM browser_session WHERE user_id = ${userId} AND (${id}::uuid IS NULL OR id = ${id}::uuid)
      RETURNING id, user_id, credential, device_info, user_agent
    ), in_progress AS (
      SELECT sid FROM login_session WHERE ${endsHere} AND browser_hash = ${browserHash}
      UNION
      SELECT sid FROM login_session
      WHERE ${revoked} AND user_id = ${userId} AND browser_hash IS DISTINCT FROM ${browserHash}
      UNION
      SELECT sid FROM login_session WHERE adds_to_session IN (SELECT id FROM ended)
      UNION
      SELECT sid FROM login_session WHERE approves_session IN (SELECT id FROM ended)
    ), forgotten AS (
      -- A session of the hosted API is its tenant's, whoever answered it.
      DELETE FROM login_session WHERE sid IN (SELECT sid FROM in_progress) AND redeemed_at IS NULL AND flow <> 'hosted'
    ), forgotten_demo AS (
      DELETE FROM demo_login WHERE redeemed_at IS NULL AND (
        ${endsHere} AND browser_hash = ${browserHash}
        OR ${revoked} AND browser_hash IS DISTINCT FROM ${browserHash}
          AND public_key IN (SELECT value FROM credential WHERE user_id = ${userId})
      )
    ), logged AS (
      INSERT INTO login_event (at, kind, user_id, reason, credential, device_info, user_agent)
      SELECT ${now}::timestamptz, 'session_ended', user_id, ${reason}, credential, device_info, user_agent FROM ended
    )
    SELECT count(*) FROM ended`;
  return Number(rows[0]?.count ?? 0);
}
