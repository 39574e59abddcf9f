import "server-only";
import { LOGIN_SESSION_IDLE_SECONDS } from "#lib/contracts/limits.ts";
import { plusSeconds } from "#lib/core/clock.ts";
import { db } from "#lib/core/db.ts";
import { givenUpAt } from "./begun-in-time.ts";
import type { Redemption } from "./login-session.ts";

/** The queries on the demo integrator's own logins. */

/** Notes that a browser has started a login. */
export async function insertDemoLogin(input: {
  sessionId: string;
  browserHash: Uint8Array<ArrayBuffer>;
  now: Date;
}): Promise<void> {
  const { sessionId, browserHash, now } = input;
  await db().demoLogin.create({ data: { sessionId, browserHash, createdAt: now } });
}

/** A login of this browser, or null: unknown, or another browser's. */
export async function findDemoLogin(
  sessionId: string,
  browserHash: Uint8Array<ArrayBuffer>,
): Promise<{ authenticatedAt: Date | null } | null> {
  return db().demoLogin.findFirst({
    where: { sessionId, browserHash },
    select: { authenticatedAt: true },
  });
}

/** True for the secret of a browser that has a login of any kind: one that we made, and no planted one. */
export async function isKnownBrowser(browserHash: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const rows = await db().$queryRaw<{ known: boolean }[]>`
    SELECT EXISTS (SELECT 1 FROM demo_login WHERE browser_hash = ${browserHash})
      OR EXISTS (SELECT 1 FROM login_session WHERE browser_hash = ${browserHash}) AS known`;
  return rows[0]?.known ?? false;
}

/**
 * Redeems an answered login for a signed-in browser, once, for the browser that started it: in one statement the
 * user is found by the public key, or made, and the browser session is opened.
 * @returns the user, or null when there is nothing for this browser to redeem
 */
export async function redeemDemoLogin(redemption: Redemption): Promise<{ userId: number } | null> {
  const { now, sid, browserHash, browserSessionId, expiresAt, userAgent } = redemption;
  const rows = await db().$queryRaw<{ user_id: number }[]>`
    WITH redeemed AS (
      UPDATE demo_login SET redeemed_at = ${now}::timestamptz
      WHERE session_id = ${sid} AND browser_hash = ${browserHash} AND redeemed_at IS NULL
        AND authenticated_at > ${plusSeconds(now, -LOGIN_SESSION_IDLE_SECONDS)}::timestamptz
        AND statement_timestamp() < ${givenUpAt(now)}::timestamptz
      RETURNING public_key
    ), known AS (
      SELECT credential.user_id FROM credential JOIN redeemed ON credential.value = redeemed.public_key
    ), new_user AS (
      INSERT INTO user_account (created_at) SELECT ${now}::timestamptz FROM redeemed
      WHERE NOT EXISTS (SELECT 1 FROM known) RETURNING id
    ), new_credential AS (
      INSERT INTO credential (id, user_id, kind, value, created_at)
      SELECT gen_random_uuid(), new_user.id, 'public_key', public_key, ${now}::timestamptz FROM new_user, redeemed
    ), signed_in AS (
      SELECT COALESCE((SELECT user_id FROM known), (SELECT id FROM new_user)) AS user_id, public_key FROM redeemed
    ), opened AS (
      INSERT INTO browser_session (id, user_id, credential, user_agent, created_at, last_seen_at, expires_at)
      SELECT ${browserSessionId}::uuid, user_id, public_key, ${userAgent}, ${now}::timestamptz, ${now}::timestamptz,
        ${expiresAt}::timestamptz
      FROM signed_in
    ), logged AS (
      INSERT INTO login_event (at, kind, user_id, credential, user_agent)
      SELECT ${now}::timestamptz, 'session_created', user_id, public_key, ${userAgent} FROM signed_in
    )
    SELECT user_id FROM signed_in`;
  return rows[0] ? { userId: rows[0].user_id } : null;
}

/**
 * Answers a login with the event of its session: once, whatever else comes for it.
 * @returns false when there is no such login, or it was answered before
 */
export async function answerDemoLogin(input: {
  sessionId: string;
  /** The `webhook-id`. */
  eventId: string;
  publicKey: string;
  now: Date;
}): Promise<boolean> {
  const { sessionId, eventId, publicKey, now } = input;
  const { count } = await db().demoLogin.updateMany({
    where: { sessionId, eventId: null },
    data: { eventId, publicKey, authenticatedAt: now },
  });
  return count === 1;
}
