import "server-only";
import { db } from "#lib/core/db.ts";

/** The queries on the demo integrator's own logins. */

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
