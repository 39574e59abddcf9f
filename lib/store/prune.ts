import "server-only";
import {
  CHALLENGE_LIFETIME_SECONDS,
  LOGIN_EVENT_KEPT_SECONDS,
  LOGIN_SESSION_KEPT_SECONDS,
} from "#lib/contracts/limits.ts";
import { plusSeconds } from "#lib/core/clock.ts";
import { db } from "#lib/core/db.ts";

/** Challenges stay a while past their end, so that a late delivery still finds its session to tell it why. */
const CHALLENGE_KEPT_SECONDS = 20 * CHALLENGE_LIFETIME_SECONDS;

/**
 * Deletes what has ended (contract 7): challenges, login sessions, browser sessions, log lines older than 30
 * days, counters.
 * @returns rows deleted
 */
export async function prune(now: Date): Promise<number> {
  const client = db();
  const ago = (seconds: number) => plusSeconds(now, -seconds);
  const results = await client.$transaction([
    client.challenge.deleteMany({ where: { issuedAt: { lt: ago(CHALLENGE_KEPT_SECONDS) } } }),
    client.loginSession.deleteMany({ where: { challengedAt: { lt: ago(LOGIN_SESSION_KEPT_SECONDS) } } }),
    client.browserSession.deleteMany({ where: { expiresAt: { lt: now } } }),
    client.loginEvent.deleteMany({ where: { at: { lt: ago(LOGIN_EVENT_KEPT_SECONDS) } } }),
    client.rateLimit.deleteMany({ where: { expire: { lt: now.getTime() } } }),
  ]);
  return results.reduce((sum, { count }) => sum + count, 0);
}
