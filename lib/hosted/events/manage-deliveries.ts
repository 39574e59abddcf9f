import { generateKeyPairSync, sign } from "node:crypto";
import { formatChallenge } from "#lib/login/protocol/challenge.ts";
import { unixSeconds } from "#lib/login/protocol/time.ts";
import { newNonce } from "#lib/login/server/random.ts";
import { now } from "#lib/platform/clock.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import { requestLimit } from "#lib/platform/http/rate-limit.ts";
import type { DeliveryItem } from "../contract/delivery-log.ts";
import { type EventData, formatEvent } from "../contract/event.ts";
import { type Cursor, pageOf } from "../contract/page.ts";
import type { Tenant } from "../contract/tenant.ts";
import { requireDomain, unknownDomain } from "../domains/manage-domains.ts";
import { type EventRow, findEvent, listEventRows } from "../store/event-list.ts";
import { insertEvent, newEventId, requeueEvent } from "../store/webhook-event.ts";

/** `GET /deliveries`: a page of the tenant's events with their attempts, newest first. */
export async function listDeliveries(
  tenant: Tenant,
  query: {
    limit: number;
    cursor?: Cursor | undefined;
    domain_id?: string | undefined;
    session_id?: string | undefined;
    status?: DeliveryItem["status"] | undefined;
  },
) {
  const { limit, cursor, domain_id: domainId, session_id: sid, status } = query;
  const rows = await listEventRows(tenant, { limit: limit + 1, cursor, domainId, sid, status });
  const { items, nextCursor } = pageOf(rows, limit);
  return { deliveries: items.map(deliveryItem), next_cursor: nextCursor };
}

/**
 * `POST /deliveries/{id}/resend`: the same event, id and bytes, sent again from the start of its schedule.
 * @throws {ApiError} 404; 400 while the domain's endpoint is disabled
 * @throws {Refusal} 429 for one test event too many of a domain that is not verified
 */
export async function resendDelivery(tenant: Tenant, id: string): Promise<DeliveryItem> {
  const known = await findEvent(tenant, id);
  if (known?.kind === "test" && !known.domain.disabledAt) await countUnverified(tenant, known.domain);
  const resent = await requeueEvent(tenant, id, now());
  const row = await findEvent(tenant, id);
  if (!row) throw new ApiError("not_found", "You have no such event. GET /deliveries lists those you have.");
  if (!resent) throw disabledEndpoint(row.domain.disabledAt);
  return deliveryItem(row);
}

/**
 * Counts a test event to a domain that is not verified: nobody has shown that its URL is theirs, and a webhook URL may
 * be any public address.
 * @throws {Refusal} 429 when the tenant, in both modes and with all its domains, has sent as many as it may
 */
async function countUnverified(
  { tenantId }: Tenant,
  { verifiedAt }: { verifiedAt: Date | null },
): Promise<void> {
  if (!verifiedAt) await requestLimit("unverified-test-event", tenantId).take();
}

/** The 400 for an endpoint that wants nothing more. */
function disabledEndpoint(disabledAt: Date | null): ApiError {
  return new ApiError(
    "invalid_request",
    "The endpoint answered 410, so nothing is sent to it. Set the domain's webhook_url again first.",
    { details: { disabled_at: disabledAt?.toISOString() ?? null } },
  );
}

/** An event as the API answers with it. */
function deliveryItem(row: EventRow): DeliveryItem {
  return {
    id: row.id,
    domain_id: row.domainId,
    session_id: row.sid,
    event: row.kind,
    url: row.url,
    status: row.status,
    created_at: row.createdAt.toISOString(),
    delivered_at: row.deliveredAt?.toISOString() ?? null,
    next_attempt_at: row.nextAttemptAt?.toISOString() ?? null,
    attempts: row.attempts.map(({ at, status, error, latencyMs, answer }) => ({
      at: at.toISOString(),
      status,
      error,
      latency_ms: latencyMs,
      answer,
    })),
  };
}

/** No session has this id: an endpoint that looks it up finds none. */
const TEST_SESSION_ID = "test";

/**
 * `POST /domains/{id}/test-event`: an event of the kind `test` to the domain's URL, shaped, signed, retried and
 * logged as every other; while the domain is not verified, attempted once and counted.
 * @throws {ApiError} 404; 400 while the endpoint is disabled
 * @throws {Refusal} 429
 */
export async function sendTestEvent(tenant: Tenant, domainId: string): Promise<DeliveryItem> {
  const domain = await requireDomain(tenant, domainId);
  if (domain.disabledAt) throw disabledEndpoint(domain.disabledAt);
  await countUnverified(tenant, domain);
  const at = now();
  const id = newEventId();
  const body = formatEvent({
    event: "test",
    timestamp: at,
    sessionId: TEST_SESSION_ID,
    data: sampleData(domain.domain, at),
  });
  const stored = await insertEvent({ now: at, tenant, domainId, id, kind: "test", body });
  const row = stored ? await findEvent(tenant, id) : null;
  if (!row) throw unknownDomain();
  return deliveryItem(row);
}

// Of a key that is forgotten at once: an endpoint that verifies the signature finds it good.
function sampleData(domain: string, at: Date): EventData {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "secp256k1" });
  const timestamp = unixSeconds(at);
  const challenge = formatChallenge({ action: "login", domain, timestamp, nonce: newNonce() });
  // The point stands at the end of the SPKI structure: 04, x, y.
  const point = publicKey.export({ type: "spki", format: "der" }).subarray(-65);
  return {
    public_key: point.toString("hex"),
    signature: sign("sha256", Buffer.from(challenge), privateKey).toString("hex"),
    challenge,
    signed_at: timestamp,
    device_info: { platform: "test", version: "1.0.0", device_id: "test" },
  };
}
