import { randomBytes } from "node:crypto";
import { database, db } from "#lib/platform/database/db.ts";
import { svcFunction } from "#lib/platform/database/svc-function.ts";
import { callSqlFunction, callSqlFunctionForRows } from "#packages/login/database/sql-function.ts";
import type { ApiMode } from "../contract/tenant.ts";

/**
 * The queue of outgoing events. Each event is a row, and the first process to claim a `pending` row that is due
 * attempts it. If that process dies, the event is due again after its lease.
 */

/** The SQL function `wake_tenant` adds this job. */
export const DELIVER_EVENTS_JOB = "deliver_events";

/** The `webhook-id`: 144 random bits. */
export function generateEventId(): string {
  return `msg_${randomBytes(18).toString("base64url")}`;
}

export type ClaimedEvent = {
  id: string;
  domainId: string;
  mode: ApiMode;
  url: string;
  body: string;
  tries: number;
  /** Sealed with the domain's id as context. */
  secret: Uint8Array;
  /** The previous secrets that also sign events, newest first. */
  previousSecrets: Uint8Array[];
  /** When the endpoint returned 410, or null. A session's own URL and its domain's URL are different endpoints. */
  disabledAt: Date | null;
  /** True for a test event to an unverified domain. Its delivery is attempted only once. */
  once: boolean;
};

const CLAIM = svcFunction("claim_next_event", ["tenantId", "exceptDomains", "now", "leaseUntil"]);

/**
 * Claims the tenant's event that has been due for longest. No other process can claim it until `leaseUntil`.
 * @param input.exceptDomains domains with the maximum number of attempts in progress
 * @returns "none" if no event is due; "taken" if another process was faster, so that more events might be due
 */
export async function claimNextEvent(input: {
  tenantId: string;
  exceptDomains: readonly string[];
  now: Date;
  leaseUntil: Date;
}): Promise<ClaimedEvent | "none" | "taken"> {
  const claimed = await callSqlFunction<Omit<ClaimedEvent, "id"> & { id: string | null }>(
    database(),
    CLAIM,
    input,
  );
  if (!claimed) return "none";
  const { id } = claimed;
  return id === null ? "taken" : { ...claimed, id };
}

/** The event is due immediately, unless it has been claimed or resent in the meantime. */
export async function releaseEvent(id: string, leaseUntil: Date, now: Date): Promise<void> {
  const where = { id, status: "pending", nextAttemptAt: leaseUntil } as const;
  await db().webhookEvent.updateMany({ where, data: { nextAttemptAt: now } });
}

const RECORD = svcFunction("record_attempt", [
  "eventId",
  "url",
  "leaseUntil",
  "outcome",
  "retryAt",
  "disable",
  "gone",
  "attemptedAt",
  "status",
  "error",
  "latencyMs",
  "answer",
  "headers",
  "recoveredAt",
  "scheduledAfter",
]);

/** See `sql/record-attempt.sql`. */
export async function recordDeliveryAttempt(input: {
  eventId: string;
  url: string;
  leaseUntil: Date;
  attempt: {
    at: Date;
    status: number | null;
    error: string | null;
    latencyMs: number;
    answer: string | null;
    /** The sent headers, sealed with the event's id as context. Null if no request was sent. */
    headers: Uint8Array | null;
  };
  outcome: "delivered" | "failed" | "retry";
  /** Null if there will be none. */
  nextAttemptAt: Date | null;
  /** True if the endpoint returned 410. Disables the domain if its URL is still `url`. */
  disable: boolean;
  /** True if the endpoint has returned 410, either now or earlier. */
  gone: boolean;
  /**
   * Set if the endpoint accepted the event. If an earlier attempt at this event had failed, the endpoint's other events
   * that are scheduled after `scheduledAfter` become due `at` this time.
   */
  recovered: { at: Date; scheduledAfter: Date } | null;
}): Promise<void> {
  const { attempt, nextAttemptAt, recovered, ...event } = input;
  const { at, ...seen } = attempt;
  await callSqlFunction(database(), RECORD, {
    ...event,
    ...seen,
    retryAt: nextAttemptAt,
    attemptedAt: at,
    recoveredAt: recovered?.at ?? null,
    scheduledAfter: recovered?.scheduledAfter ?? null,
  });
}

export async function readPendingEvents(): Promise<{ pending: number; oldest: Date | null }> {
  const { _count, _min } = await db().webhookEvent.aggregate({
    where: { status: "pending" },
    _count: true,
    _min: { createdAt: true },
  });
  return { pending: _count, oldest: _min.createdAt };
}

const FIND_TENANTS = svcFunction("tenants_with_due_events", ["now"]);

/** Every process runs this query once a second. */
export async function findTenantsWithDueEvents(now: Date): Promise<string[]> {
  const rows = await callSqlFunctionForRows<{ tenantId: string }>(database(), FIND_TENANTS, { now });
  return rows.map(({ tenantId }) => tenantId);
}
