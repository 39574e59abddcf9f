import { randomBytes } from "node:crypto";
import { database, db } from "#lib/platform/database/db.ts";
import { svcFunction } from "#lib/platform/database/svc-function.ts";
import { call, callAll } from "#packages/login/database/sql-function.ts";
import type { ApiMode } from "../contract/tenant.ts";

/**
 * The queue of outgoing events, which are rows: the first process to claim a `pending` row that is due attempts it.
 * An event whose process dies is due again after its lease.
 */

/** The job that wakes the sending of a tenant's events. The SQL function `wake_tenant` adds it. */
export const DELIVER_EVENTS_JOB = "deliver_events";

/** Returns an identifier for an event, its `webhook-id`: 144 random bits. */
export function newEventId(): string {
  return `msg_${randomBytes(18).toString("base64url")}`;
}

/** The data of an event that an attempt needs. */
export type ClaimedEvent = {
  id: string;
  domainId: string;
  mode: ApiMode;
  url: string;
  body: string;
  tries: number;
  /** Sealed, with the domain's id as context. */
  secret: Uint8Array;
  /** The previous secrets with which events are also signed, the latest first. */
  previousSecrets: Uint8Array[];
  /**
   * The time at which its endpoint returned 410, or null. A session's own URL is a different endpoint from the
   * domain's.
   */
  disabledAt: Date | null;
  /** Whether it is a test event for an unverified domain, which is attempted only once. */
  once: boolean;
};

const CLAIM = svcFunction("claim_next_event", ["tenantId", "exceptDomains", "now", "leaseUntil"]);

/**
 * Claims the tenant's event that has been due for longest, so that no other process claims it until `leaseUntil`.
 * @param input.exceptDomains domains that have reached their limit of attempts in progress
 * @returns "none" if no event is due; "taken" if another process was faster, so that more may be due
 */
export async function claimNextEvent(input: {
  tenantId: string;
  exceptDomains: readonly string[];
  now: Date;
  leaseUntil: Date;
}): Promise<ClaimedEvent | "none" | "taken"> {
  const claimed = await call<Omit<ClaimedEvent, "id"> & { id: string | null }>(database(), CLAIM, input);
  if (!claimed) return "none";
  const { id } = claimed;
  return id === null ? "taken" : { ...claimed, id };
}

/**
 * Releases a claimed event without an attempt. It is due immediately, unless it was claimed or resent in the meantime.
 */
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

/** Records an attempt and its consequence: delivered, permanently failed, or due again (`sql/record-attempt.sql`). */
export async function recordAttempt(input: {
  eventId: string;
  url: string;
  leaseUntil: Date;
  attempt: {
    at: Date;
    status: number | null;
    error: string | null;
    latencyMs: number;
    answer: string | null;
    /** The sent headers, sealed with the event's id as context, or null if no request was sent. */
    headers: Uint8Array | null;
  };
  outcome: "delivered" | "failed" | "retry";
  /** Null if the event is not attempted again. */
  nextAttemptAt: Date | null;
  /** True if the endpoint returned 410. The domain is then disabled if its URL is still `url`. */
  disable: boolean;
  /** True if the endpoint has returned 410, now or earlier. */
  gone: boolean;
  /**
   * Set if the endpoint accepted the event. If an earlier attempt at the event failed, events that are waiting for the
   * endpoint until after `scheduledAfter` become due at the time `at`.
   */
  recovered: { at: Date; scheduledAfter: Date } | null;
}): Promise<void> {
  const { attempt, nextAttemptAt, recovered, ...event } = input;
  const { at, ...seen } = attempt;
  await call(database(), RECORD, {
    ...event,
    ...seen,
    retryAt: nextAttemptAt,
    attemptedAt: at,
    recoveredAt: recovered?.at ?? null,
    scheduledAfter: recovered?.scheduledAfter ?? null,
  });
}

/** Returns the number of pending events, and the time at which the oldest was created. */
export async function readPendingEvents(): Promise<{ pending: number; oldest: Date | null }> {
  const { _count, _min } = await db().webhookEvent.aggregate({
    where: { status: "pending" },
    _count: true,
    _min: { createdAt: true },
  });
  return { pending: _count, oldest: _min.createdAt };
}

const FIND_TENANTS = svcFunction("tenants_with_due_events", ["now"]);

/** Returns the tenants with a due event. Every process runs this query once a second. */
export async function findTenantsWithDueEvents(now: Date): Promise<string[]> {
  const rows = await callAll<{ tenantId: string }>(database(), FIND_TENANTS, { now });
  return rows.map(({ tenantId }) => tenantId);
}
