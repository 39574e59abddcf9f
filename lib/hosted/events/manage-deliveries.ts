import "server-only";
import { now } from "#lib/platform/clock.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import type { DeliveryItem } from "../contract/delivery-log.ts";
import { type Cursor, pageOf } from "../contract/page.ts";
import type { Tenant } from "../contract/tenant.ts";
import { type EventRow, findEvent, listEventRows } from "../store/event-list.ts";
import { requeueEvent } from "../store/webhook-event.ts";

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
 */
export async function resendDelivery(tenant: Tenant, id: string): Promise<DeliveryItem> {
  const resent = await requeueEvent(tenant, id, now());
  const row = await findEvent(tenant, id);
  if (!row) throw new ApiError("not_found", "You have no such event. GET /deliveries lists those you have.");
  if (!resent) throw disabledEndpoint(row.domain.disabledAt);
  return deliveryItem(row);
}

/** The 400 for an endpoint that wants nothing more. */
export function disabledEndpoint(disabledAt: Date | null): ApiError {
  return new ApiError(
    "invalid_request",
    "The endpoint answered 410, so nothing is sent to it. Set the domain's webhook_url again first.",
    { details: { disabled_at: disabledAt?.toISOString() ?? null } },
  );
}

/** An event as the API answers with it. */
export function deliveryItem(row: EventRow): DeliveryItem {
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
