import { timingSafeEqual } from "node:crypto";
import { readPendingEvents } from "#lib/hosted/events/event-queue.ts";
import { loginNotifications } from "#lib/login.ts";
import { pool } from "#lib/platform/database/db.ts";
import { env } from "#lib/platform/env.ts";
import { getMeters, type MeterReadings } from "#lib/platform/observe/meters.ts";
import { isDatabaseUnavailable } from "#packages/login/database/database-error.ts";
import { DatabaseWaitTimer, runWithDatabaseWaitTimer } from "#packages/login/database/database-wait.ts";
import { READINESS_TIMEOUT_SECONDS } from "#packages/login/http/numbers.ts";
import { now } from "#packages/login/process/state.ts";
import { refusal } from "#packages/login/protocol/errors.ts";
import { hashSecret } from "#packages/login/server/random.ts";

/**
 * Omits the database's metrics if the database is unreachable.
 * @returns text in Prometheus's format
 * @throws {Refusal} 404 if METRICS_TOKEN is not set, 401 if the token is wrong or missing
 */
export async function readMetrics(authorization: string | null): Promise<string> {
  const token = env().METRICS_TOKEN;
  const allMeters = getMeters();
  if (token === undefined || !allMeters) throw refusal("not_found", "There is nothing at this URL.");
  const bearerToken = /^Bearer (.+)$/i.exec(authorization ?? "")?.[1] ?? "";
  if (!timingSafeEqual(hashSecret(bearerToken), hashSecret(token))) {
    throw refusal("invalid_api_key", "Send METRICS_TOKEN as a bearer token.", {
      headers: { "WWW-Authenticate": "Bearer" },
    });
  }
  const { totalCount: total, idleCount: idle, waitingCount: waiting } = pool();
  return allMeters.render({
    streams: loginNotifications().listening,
    pool: { total, idle, waiting },
    events: await pendingEvents(),
  });
}

async function pendingEvents(): Promise<MeterReadings["events"]> {
  try {
    const wait = new DatabaseWaitTimer(READINESS_TIMEOUT_SECONDS * 1000);
    const { pending, oldest } = await runWithDatabaseWaitTimer(wait, readPendingEvents);
    return { pending, oldestSeconds: oldest ? (now().getTime() - oldest.getTime()) / 1000 : 0 };
  } catch (error) {
    if (isDatabaseUnavailable(error)) return null;
    throw error;
  }
}
