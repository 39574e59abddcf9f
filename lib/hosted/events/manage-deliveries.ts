import { generateKeyPairSync, sign } from "node:crypto";
import { z } from "zod";
import type { Prisma } from "#generated/prisma/client.ts";
import { database, db } from "#lib/platform/database/db.ts";
import { svcFunction } from "#lib/platform/database/svc-function.ts";
import { masterSecrets } from "#lib/platform/env.ts";
import { createRequestLimit } from "#lib/platform/http/rate-limit.ts";
import { DATABASE_WAIT_MS } from "#packages/login/database/database-wait.ts";
import { callSqlFunction } from "#packages/login/database/sql-function.ts";
import { now } from "#packages/login/process/state.ts";
import { formatChallenge } from "#packages/login/protocol/challenge.ts";
import { type Refusal, refusal } from "#packages/login/protocol/errors.ts";
import { unixSeconds } from "#packages/login/protocol/numbers.ts";
import { generateNonce } from "#packages/login/server/random.ts";
import {
  type DeliveryDetail,
  type DeliveryItem,
  type EVENT_OPERATIONS,
  type EventData,
  EventKind,
  formatEvent,
} from "../contract/event.ts";
import { createListPage, whereAfterCursor } from "../contract/page.ts";
import type { Tenant } from "../contract/tenant.ts";
import { openSecret } from "../crypto/secret-box.ts";
import { requireDomain, unknownDomainRefusal } from "../domains/manage-domains.ts";
import { generateEventId } from "./event-queue.ts";

const ATTEMPTS_SHOWN = 20;

const EVENT = {
  include: {
    domain: { select: { disabledAt: true, verifiedAt: true } },
    attempts: { orderBy: { id: "desc" }, take: ATTEMPTS_SHOWN },
  },
} as const;

type EventRow = Prisma.WebhookEventGetPayload<typeof EVENT>;

/** `GET /deliveries`, newest first. */
export async function listDeliveries(
  { tenantId, mode }: Tenant,
  {
    limit,
    cursor,
    domain_id: domainId,
    session_id: sid,
    status,
  }: z.output<typeof EVENT_OPERATIONS.listDeliveries.query>,
) {
  const rows = await inSnapshot((client) =>
    client.webhookEvent.findMany({
      where: { domain: { ownerId: tenantId, mode }, domainId, sid, status, ...whereAfterCursor(cursor) },
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      take: limit + 1,
      ...EVENT,
    }),
  );
  const { items, nextCursor } = createListPage(rows, limit);
  return { deliveries: items.map(deliveryItem), next_cursor: nextCursor };
}

async function findEvent({ tenantId, mode }: Tenant, id: string): Promise<EventRow | null> {
  return inSnapshot((client) =>
    client.webhookEvent.findFirst({ where: { id, domain: { ownerId: tenantId, mode } }, ...EVENT }),
  );
}

async function requireEvent(tenant: Tenant, id: string): Promise<EventRow> {
  const row = await findEvent(tenant, id);
  if (row) return row;
  throw refusal("not_found", "You do not have this event. GET /deliveries lists your events.");
}

/** `GET /deliveries/{id}`: the body and each attempt's headers as they were sent. */
export async function getDelivery(tenant: Tenant, id: string): Promise<DeliveryDetail> {
  const row = await requireEvent(tenant, id);
  const attempts = row.attempts.map((attempt) => ({
    ...attemptItem(attempt),
    headers: openHeaders(attempt.headers, id),
  }));
  return { ...deliveryItem(row), body: row.body, attempts };
}

/**
 * Sealed, because a signature is secret while it is valid. Null if there are no headers, or if the master secret was
 * removed.
 */
function openHeaders(sealed: Uint8Array | null, eventId: string): Record<string, string> | null {
  const text = sealed && openSecret(sealed, eventId, masterSecrets());
  return text ? SentHeaders.parse(JSON.parse(text)) : null;
}

const SentHeaders = z.record(z.string(), z.string());

/**
 * Reads one snapshot. Prisma reads events and attempts separately, and an attempt recorded in between must be visible
 * in both or in neither. `$transaction([query])` is not enough, because Prisma runs a single query without a
 * transaction.
 */
function inSnapshot<Rows>(read: (client: Prisma.TransactionClient) => Promise<Rows>): Promise<Rows> {
  const wait = { maxWait: DATABASE_WAIT_MS, timeout: DATABASE_WAIT_MS };
  return db().$transaction(read, { isolationLevel: "RepeatableRead", ...wait });
}

const RESEND = svcFunction("resend_event", ["eventId", "tenantId", "tenantMode", "now"]);

/** `POST /deliveries/{id}/resend`: the same id and bytes, with a new retry schedule. */
export async function resendDelivery(tenant: Tenant, id: string): Promise<DeliveryItem> {
  const { kind, domain } = await requireEvent(tenant, id);
  if (kind === "test" && !domain.disabledAt) await countUnverified(tenant, domain);
  const resend = { eventId: id, tenantId: tenant.tenantId, tenantMode: tenant.mode, now: now() };
  const outcome = await callSqlFunction<{ resent: boolean }>(database(), RESEND, resend);
  const row = await requireEvent(tenant, id);
  if (!outcome?.resent) throw disabledEndpoint(row.domain.disabledAt);
  return deliveryItem(row);
}

/** No one has proved ownership of an unverified domain's URL, which can be any public address. */
async function countUnverified({ tenantId }: Tenant, domain: { verifiedAt: Date | null }): Promise<void> {
  if (!domain.verifiedAt) await createRequestLimit("unverified-test-event", tenantId).take();
}

function disabledEndpoint(disabledAt: Date | null): Refusal {
  return refusal(
    "invalid_request",
    "The endpoint answered 410, so nothing is sent to it. Set the domain's webhook_url again first.",
    { details: { disabled_at: disabledAt?.toISOString() ?? null } },
  );
}

function deliveryItem(row: EventRow): DeliveryItem {
  return {
    id: row.id,
    domain_id: row.domainId,
    session_id: row.sid,
    event: EventKind.parse(row.kind),
    url: row.url,
    status: row.status,
    created_at: row.createdAt.toISOString(),
    delivered_at: row.deliveredAt?.toISOString() ?? null,
    next_attempt_at: row.nextAttemptAt?.toISOString() ?? null,
    attempts: row.attempts.map(attemptItem),
  };
}

function attemptItem({ at, status, error, latencyMs, answer }: EventRow["attempts"][number]) {
  return { at: at.toISOString(), status, error, latency_ms: latencyMs, answer };
}

/** No session has this id, so an endpoint cannot mistake the event for a session's. */
const TEST_SESSION_ID = "test";

const QUEUE_TEST = svcFunction("queue_test_event", [
  "eventId",
  "tenantId",
  "tenantMode",
  "testDomainId",
  "body",
  "now",
]);

/** `POST /domains/{id}/test-event`. */
export async function sendTestEvent(tenant: Tenant, domainId: string): Promise<DeliveryItem> {
  const domain = await requireDomain(tenant, domainId);
  if (domain.disabledAt) throw disabledEndpoint(domain.disabledAt);
  await countUnverified(tenant, domain);
  const at = now();
  const id = generateEventId();
  const body = formatEvent("test", at, TEST_SESSION_ID, sampleData(domain.domain, at));
  await callSqlFunction(database(), QUEUE_TEST, {
    eventId: id,
    tenantId: tenant.tenantId,
    tenantMode: tenant.mode,
    testDomainId: domainId,
    body,
    now: at,
  });
  const row = await findEvent(tenant, id);
  if (!row) throw unknownDomainRefusal();
  return deliveryItem(row);
}

/** The signature is valid. Its key is discarded immediately. */
function sampleData(domain: string, at: Date): EventData {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "secp256k1" });
  const timestamp = unixSeconds(at);
  const challenge = formatChallenge({ action: "login", domain, timestamp, nonce: generateNonce() });
  // The point (04, x, y) is at the end of the SPKI structure.
  const point = publicKey.export({ type: "spki", format: "der" }).subarray(-65);
  return {
    public_key: point.toString("hex"),
    signature: sign("sha256", Buffer.from(challenge), privateKey).toString("hex"),
    challenge,
    signed_at: timestamp,
    device_info: { platform: "test", version: "1.0.0", device_id: "test" },
  };
}
