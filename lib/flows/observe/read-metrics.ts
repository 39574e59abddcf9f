import "server-only";
import { timingSafeEqual } from "node:crypto";
import { READY_WAIT_SECONDS } from "#lib/contracts/limits.ts";
import { ApiError } from "#lib/core/api-error.ts";
import { now } from "#lib/core/clock.ts";
import { isDatabaseUnavailable } from "#lib/core/database-error.ts";
import { DatabaseWait, withDatabaseWait } from "#lib/core/database-wait.ts";
import { pool } from "#lib/core/db.ts";
import { env } from "#lib/core/env.ts";
import { meters, type Readings } from "#lib/core/observe/meters.ts";
import { hashSecret } from "#lib/core/random.ts";
import { loginNotices } from "#lib/store/login-notices.ts";
import { readPendingEvents } from "#lib/store/webhook-event.ts";

/**
 * The metrics of this process, for who has METRICS_TOKEN; while the database is away without what it would tell.
 * @param authorization the request's header
 * @returns Prometheus' text format
 * @throws {ApiError} 404 where METRICS_TOKEN is not set, 401 for another token or none
 */
export async function readMetrics(authorization: string | null): Promise<string> {
  const token = env().METRICS_TOKEN;
  const counted = meters();
  if (token === undefined || !counted) throw new ApiError("not_found", "There is nothing at this address.");
  const sent = /^Bearer (.+)$/i.exec(authorization ?? "")?.[1] ?? "";
  if (!timingSafeEqual(hashSecret(sent), hashSecret(token))) {
    throw new ApiError("invalid_api_key", "Send METRICS_TOKEN as a bearer token.", {
      headers: { "WWW-Authenticate": "Bearer" },
    });
  }
  const { totalCount: total, idleCount: idle, waitingCount: waiting } = pool();
  return counted.render({
    streams: loginNotices().listening,
    pool: { total, idle, waiting },
    events: await pendingEvents(),
  });
}

async function pendingEvents(): Promise<Readings["events"]> {
  try {
    const wait = new DatabaseWait(READY_WAIT_SECONDS * 1000);
    const { pending, oldest } = await withDatabaseWait(wait, readPendingEvents);
    return { pending, oldestSeconds: oldest ? (now().getTime() - oldest.getTime()) / 1000 : 0 };
  } catch (error) {
    if (isDatabaseUnavailable(error)) return null;
    throw error;
  }
}
