import { randomBytes } from "node:crypto";
import { Prisma } from "#generated/prisma/client.ts";
import { db, pool } from "#lib/platform/database/db.ts";
import type { ApiMode } from "../contract/tenant.ts";

/**
 * The queue of outgoing events, which are rows: the first process to claim a `pending` row that is due attempts it.
 * An event whose process dies is due again after its lease.
 */

/** The job that wakes the sending of a tenant's events: one per tenant, however many events wait. */
export const WAKE_JOB = "deliver_events";

/** SQL that adds the job for the tenant of `domain`, a row with `owner_id`. */
export const WAKE_TENANT_SQL = `(graphile_worker.add_job('${WAKE_JOB}',
  json_build_object('ownerId', domain.owner_id), job_key => '${WAKE_JOB}:' || domain.owner_id,
  job_key_mode => 'preserve_run_at')).id::text`;
export const WAKE_TENANT = Prisma.sql([WAKE_TENANT_SQL]);

/** An identifier for an event, its `webhook-id`: 144 random bits. */
export function newEventId(): string {
  return `msg_${randomBytes(18).toString("base64url")}`;
}

/** SQL: the previous secrets of a row of `domain`, each with the time `until` which it still signs. */
export const PREVIOUS_SECRETS = Prisma.sql`unnest(array_prepend(previous_secret, earlier_secrets),
  array_prepend(previous_secret_until, earlier_secrets_until)) AS previous (secret, until)`;

/** An event as an attempt needs it. */
export type ClaimedEvent = {
  id: string;
  domainId: string;
  mode: ApiMode;
  url: string;
  body: string;
  tries: number;
  /** Sealed, with the domain's id as context. */
  secret: Uint8Array;
  /** The previous secrets that events are signed with too, the latest first. */
  previousSecrets: Uint8Array[];
  /** When its endpoint answered 410, or null. A URL of the session's own is another endpoint than the domain's. */
  disabledAt: Date | null;
  /** A test event of a domain that is not verified: it is attempted once. */
  once: boolean;
};

/**
 * Claims the tenant's event that has been due for longest: no other process takes it until `leaseUntil`.
 * @param input.exceptDomains domains whose attempts under way are at their limit
 * @returns "none" when nothing is due; "taken" when another process was quicker, and more may be due
 */
export async function claimNextEvent(input: {
  tenantId: string;
  exceptDomains: readonly string[];
  now: Date;
  leaseUntil: Date;
}): Promise<ClaimedEvent | "none" | "taken"> {
  const { tenantId, exceptDomains, now, leaseUntil } = input;
  // Reads only the first event of each of the tenant's domains, a hundred at most, so a long backlog is cheap.
  // Planned at each claim, because a plan from when the table was small would read all of it.
  const [row] = await db().$queryRaw<(Omit<ClaimedEvent, "id"> & { id: string | null })[]>`
    WITH next AS (
      SELECT event.id, domain.id AS domain_id, domain.mode, domain.secret, domain.webhook_url, domain.disabled_at,
        domain.verified_at,
        ARRAY(
          SELECT previous.secret FROM ${PREVIOUS_SECRETS} WHERE until > ${now}::timestamptz ORDER BY until DESC
        ) AS previous_secrets
      FROM domain CROSS JOIN LATERAL (
        SELECT id, next_attempt_at FROM webhook_event
        WHERE domain_id = domain.id AND status = 'pending' AND next_attempt_at <= ${now}::timestamptz
        ORDER BY next_attempt_at LIMIT 1
      ) AS event
      WHERE domain.owner_id = ${tenantId}::uuid AND domain.id <> ALL (${exceptDomains}::text[])
      ORDER BY event.next_attempt_at LIMIT 1
    ), claimed AS (
      UPDATE webhook_event AS event SET next_attempt_at = ${leaseUntil}::timestamptz FROM next
      WHERE event.id = next.id AND event.status = 'pending' AND event.next_attempt_at <= ${now}::timestamptz
      RETURNING event.id, event.url, event.body, event.tries, event.kind
    )
    SELECT next.domain_id AS "domainId", next.mode, next.secret, next.previous_secrets AS "previousSecrets",
      CASE WHEN claimed.url = next.webhook_url THEN next.disabled_at END AS "disabledAt",
      claimed.id, claimed.url, claimed.body, claimed.tries, claimed.kind = 'test' AND next.verified_at IS NULL AS once
    FROM next LEFT JOIN claimed USING (id)`;
  if (!row) return "none";
  const { id } = row;
  return id === null ? "taken" : { ...row, id };
}

/** Releases a claimed event without an attempt: it is due immediately, unless it was claimed or sent again since. */
export async function releaseEvent(id: string, leaseUntil: Date, now: Date): Promise<void> {
  const where = { id, status: "pending", nextAttemptAt: leaseUntil } as const;
  await db().webhookEvent.updateMany({ where, data: { nextAttemptAt: now } });
}

/**
 * Records an attempt and its consequence in one statement: delivered, failed for good (`nextAttemptAt` null), or due
 * again. A success stays, whatever a slower attempt records later. An event that was sent again manually during the
 * attempt stays due; it is recognised by having no attempts and being due before the attempt's lease ends. An event
 * whose URL was changed during the attempt is due immediately if the old endpoint is `gone`. If the domain was deleted,
 * so were its events, and the statement has no effect.
 * @param input.disable true if the endpoint answered 410: its domain is disabled, if its URL is still `url`
 * @param input.gone true if the endpoint answered 410 now or before
 * @param input.recovered set if the endpoint accepted the event. If an earlier attempt at the event failed, events that
 *   wait for the endpoint until after `scheduledAfter` become due `at`, except those whose last response had a status
 *   that may have asked for time (RFC 9110, 10.2.3)
 */
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
    /** As they were sent, sealed with the event's id as context; null when nothing was sent. */
    headers: Uint8Array | null;
  };
  outcome: "delivered" | "failed" | "retry";
  nextAttemptAt: Date | null;
  disable: boolean;
  gone: boolean;
  recovered: { at: Date; scheduledAfter: Date } | null;
}): Promise<void> {
  const { eventId, url, leaseUntil, attempt, outcome, nextAttemptAt, disable, gone, recovered } = input;
  const wasResent = Prisma.sql`(tries = 0 AND next_attempt_at < ${leaseUntil}::timestamptz)`;
  const goneButUrlChanged = Prisma.sql`(${gone} AND status = 'pending' AND url <> ${url})`;
  await db().$queryRaw`
    WITH event AS (
      UPDATE webhook_event
      SET tries = CASE WHEN ${wasResent} THEN tries ELSE tries + 1 END,
        status = CASE WHEN ${wasResent} OR ${goneButUrlChanged} THEN status WHEN ${outcome} = 'delivered' THEN 'delivered'
          WHEN status = 'pending' AND ${outcome} = 'failed' THEN 'failed' ELSE status END,
        delivered_at = CASE WHEN ${outcome} = 'delivered' THEN ${attempt.at}::timestamptz ELSE delivered_at END,
        next_attempt_at = CASE WHEN ${wasResent} THEN next_attempt_at WHEN ${goneButUrlChanged} THEN ${attempt.at}::timestamptz
          WHEN status = 'pending' THEN ${nextAttemptAt}::timestamptz END
      WHERE id = ${eventId} RETURNING id, domain_id
    ), disabled AS (
      UPDATE domain SET disabled_at = ${attempt.at}::timestamptz FROM event
      WHERE ${disable} AND domain.id = event.domain_id AND domain.webhook_url = ${url} AND domain.disabled_at IS NULL
    ), brought_forward AS (
      UPDATE webhook_event SET next_attempt_at = ${recovered?.at ?? null}::timestamptz WHERE id IN (
        SELECT id FROM webhook_event
        WHERE ${recovered !== null} AND EXISTS (
            SELECT 1 FROM webhook_attempt WHERE event_id = ${eventId} AND (status BETWEEN 200 AND 299) IS NOT TRUE
          ) AND domain_id = (SELECT domain_id FROM event) AND url = ${url}
          AND status = 'pending' AND tries > 0
          AND next_attempt_at > ${recovered?.scheduledAfter ?? null}::timestamptz
          AND COALESCE(
            (SELECT status FROM webhook_attempt WHERE event_id = webhook_event.id ORDER BY at DESC LIMIT 1), 0
          ) NOT IN (429, 503)
        FOR UPDATE SKIP LOCKED
      )
    )
    INSERT INTO webhook_attempt (event_id, at, status, error, latency_ms, answer, headers)
    SELECT id, ${attempt.at}::timestamptz, ${attempt.status}::int, ${attempt.error}, ${attempt.latencyMs}::int,
      ${attempt.answer}, ${attempt.headers}::bytea
    FROM event`;
}

/** How many events are pending, and when the oldest of them was made. */
export async function readPendingEvents(): Promise<{ pending: number; oldest: Date | null }> {
  const [row] = await db().$queryRaw<{ pending: number; oldest: Date | null }[]>`
    SELECT count(*)::int AS pending, min(created_at) AS oldest FROM webhook_event WHERE status = 'pending'`;
  return row ?? { pending: 0, oldest: null };
}

/**
 * The tenants with an event that is due. Steps through the index of pending events from one domain's first to the
 * next domain's first. Its cost grows with the number of domains, so one tenant's backlog slows no sweep.
 */
export async function findTenantsWithDueEvents(now: Date): Promise<string[]> {
  // Every process asks this each second, too often for Prisma. Planned each time, as a claim is.
  const { rows } = await pool().query<{ owner_id: string }>(
    `WITH RECURSIVE waiting AS (
      (SELECT domain_id, next_attempt_at FROM webhook_event WHERE status = 'pending'
        ORDER BY domain_id, next_attempt_at LIMIT 1)
      UNION ALL
      SELECT first.domain_id, first.next_attempt_at FROM waiting CROSS JOIN LATERAL (
        SELECT domain_id, next_attempt_at FROM webhook_event
        WHERE status = 'pending' AND domain_id > waiting.domain_id
        ORDER BY domain_id, next_attempt_at LIMIT 1
      ) AS first
    )
    SELECT DISTINCT domain.owner_id::text FROM waiting JOIN domain ON domain.id = waiting.domain_id
    WHERE waiting.next_attempt_at <= $1::timestamptz`,
    [now],
  );
  return rows.map(({ owner_id }) => owner_id);
}
