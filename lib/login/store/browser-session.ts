import "server-only";
import { plusSeconds } from "#lib/platform/clock.ts";
import { db } from "#lib/platform/database/db.ts";
import { BROWSER_SESSION_TOUCH_SECONDS } from "../protocol/numbers.ts";

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

/**
 * Ends sessions of a user and logs it, in one statement: one by `id`, or all when `id` is null.
 * @returns how many there were
 */
export async function endBrowserSessions(input: {
  now: Date;
  userId: number;
  id: string | null;
  reason: "signed_out" | "revoked";
}): Promise<number> {
  const { now, userId, id, reason } = input;
  const rows = await db().$queryRaw<{ count: bigint }[]>`
    WITH ended AS (
      DELETE FROM browser_session WHERE user_id = ${userId} AND (${id}::uuid IS NULL OR id = ${id}::uuid)
      RETURNING user_id, credential, device_info, user_agent
    ), logged AS (
      INSERT INTO login_event (at, kind, user_id, reason, credential, device_info, user_agent)
      SELECT ${now}::timestamptz, 'session_ended', user_id, ${reason}, credential, device_info, user_agent FROM ended
    )
    SELECT count(*) FROM ended`;
  return Number(rows[0]?.count ?? 0);
}
