import { IDEMPOTENCY_SECONDS } from "#lib/hosted/numbers.ts";
import { LOGIN_EVENT_KEPT_SECONDS, LOGIN_SESSION_KEPT_SECONDS } from "#lib/login/protocol/numbers.ts";
import { addSeconds } from "#lib/login/protocol/time.ts";
import { pruneRecoveries } from "#lib/login/recovery/store/recovery.ts";
import { prune as pruneLogins } from "#lib/login/store/prune.ts";
import { database, db } from "#lib/platform/database/db.ts";

/** An event that is done, with its attempts, is shown for as long as the login that it is about. */
const EVENT_KEPT_SECONDS = LOGIN_EVENT_KEPT_SECONDS;

/**
 * Deletes what has ended: logins, recoveries, runs of the conformance kit, idempotency keys, events older than 30 days, secrets that no longer sign.
 * @returns rows deleted
 */
export async function prune(now: Date): Promise<number> {
  const client = db();
  const ago = (seconds: number) => addSeconds(now, -seconds);
  const logins = (await pruneLogins(database(), now)) + (await pruneRecoveries(database(), now));
  const results = await client.$transaction([
    client.idempotentAnswer.deleteMany({ where: { createdAt: { lt: ago(IDEMPOTENCY_SECONDS) } } }),
    client.webhookEvent.deleteMany({
      where: { createdAt: { lt: ago(EVENT_KEPT_SECONDS) }, status: { not: "pending" } },
    }),
    client.conformanceRun.deleteMany({ where: { expiresAt: { lt: now } } }),
    client.hostedLogin.deleteMany({ where: { createdAt: { lt: ago(LOGIN_SESSION_KEPT_SECONDS) } } }),
    client.domain.updateMany({
      where: { previousSecretUntil: { lt: now } },
      data: { previousSecret: null, previousSecretUntil: null },
    }),
  ]);
  return results.reduce((sum, { count }) => sum + count, logins);
}
