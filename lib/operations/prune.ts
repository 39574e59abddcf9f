import "server-only";
import { AUTHENTICATED_READABLE_SECONDS, IDEMPOTENCY_SECONDS } from "#lib/hosted/numbers.ts";
import {
  CHALLENGE_LIFETIME_SECONDS,
  LOGIN_EVENT_KEPT_SECONDS,
  LOGIN_SESSION_KEPT_SECONDS,
} from "#lib/login/protocol/numbers.ts";
import { plusSeconds } from "#lib/login/protocol/time.ts";
import { db } from "#lib/platform/database/db.ts";

/** Challenges stay a while past their end, so that a late delivery still finds its session to tell it why. */
const CHALLENGE_KEPT_SECONDS = 20 * CHALLENGE_LIFETIME_SECONDS;

/** An event that is done, with its attempts, is shown for as long as the login it tells of. */
const EVENT_KEPT_SECONDS = LOGIN_EVENT_KEPT_SECONDS;

/**
 * Deletes what has ended: challenges, login sessions, browser sessions, idempotency keys, events and
 * log lines older than 30 days, secrets that no longer sign, counters.
 * @returns rows deleted
 */
export async function prune(now: Date): Promise<number> {
  const client = db();
  const ago = (seconds: number) => plusSeconds(now, -seconds);
  const results = await client.$transaction([
    client.challenge.deleteMany({ where: { issuedAt: { lt: ago(CHALLENGE_KEPT_SECONDS) } } }),
    client.loginSession.deleteMany({
      where: {
        challengedAt: { lt: ago(LOGIN_SESSION_KEPT_SECONDS) },
        OR: [{ authenticatedAt: null }, { authenticatedAt: { lt: ago(AUTHENTICATED_READABLE_SECONDS) } }],
      },
    }),
    client.browserSession.deleteMany({ where: { expiresAt: { lt: now } } }),
    client.loginEvent.deleteMany({ where: { at: { lt: ago(LOGIN_EVENT_KEPT_SECONDS) } } }),
    client.idempotentAnswer.deleteMany({ where: { createdAt: { lt: ago(IDEMPOTENCY_SECONDS) } } }),
    client.webhookEvent.deleteMany({
      where: { createdAt: { lt: ago(EVENT_KEPT_SECONDS) }, status: { not: "pending" } },
    }),
    client.demoLogin.deleteMany({ where: { createdAt: { lt: ago(LOGIN_SESSION_KEPT_SECONDS) } } }),
    client.domain.updateMany({
      where: { previousSecretUntil: { lt: now } },
      data: { previousSecret: null, previousSecretUntil: null },
    }),
    client.rateLimit.deleteMany({ where: { expire: { lt: now.getTime() } } }),
  ]);
  return results.reduce((sum, { count }) => sum + count, 0);
}
