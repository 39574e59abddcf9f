import "server-only";
import { db } from "#lib/core/db.ts";

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
