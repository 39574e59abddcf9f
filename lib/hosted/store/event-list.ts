import type { Prisma } from "#generated/prisma/client.ts";
import { WAIT_MS } from "#lib/platform/database/database-wait.ts";
import { db } from "#lib/platform/database/db.ts";
import type { Cursor } from "../contract/page.ts";
import type { Tenant } from "../contract/tenant.ts";
import type { AttemptResult } from "./webhook-event.ts";

/** What tenants read of their outgoing events. */

const ATTEMPTS_SHOWN = 20;

const EVENT = {
  id: true,
  domainId: true,
  sid: true,
  kind: true,
  url: true,
  status: true,
  createdAt: true,
  deliveredAt: true,
  nextAttemptAt: true,
  domain: { select: { disabledAt: true, verifiedAt: true } },
  attempts: {
    orderBy: { id: "desc" },
    take: ATTEMPTS_SHOWN,
    select: { at: true, status: true, error: true, latencyMs: true, answer: true },
  },
} as const;

/** An event with its attempts, newest first. */
export type EventRow = {
  id: string;
  domainId: string;
  sid: string | null;
  kind: string;
  url: string;
  status: "pending" | "delivered" | "failed";
  createdAt: Date;
  deliveredAt: Date | null;
  nextAttemptAt: Date | null;
  /** Of its domain. */
  domain: { disabledAt: Date | null; verifiedAt: Date | null };
  attempts: AttemptResult[];
};

/** A tenant's events, newest first: up to `limit`, from the cursor on, of one domain, session or status if named. */
export async function listEventRows(
  { tenantId, mode }: Tenant,
  query: {
    limit: number;
    cursor?: Cursor | undefined;
    domainId?: string | undefined;
    sid?: string | undefined;
    status?: EventRow["status"] | undefined;
  },
): Promise<EventRow[]> {
  const { limit, cursor, domainId, sid, status } = query;
  const after = cursor && {
    OR: [{ createdAt: { lt: cursor.at } }, { createdAt: cursor.at, id: { lt: cursor.id } }],
  };
  return atOneMoment((client) =>
    client.webhookEvent.findMany({
      where: { domain: { ownerId: tenantId, mode }, domainId, sid, status, ...after },
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      take: limit,
      select: EVENT,
    }),
  );
}

/** A tenant's event, or null. */
export async function findEvent({ tenantId, mode }: Tenant, id: string): Promise<EventRow | null> {
  return atOneMoment((client) =>
    client.webhookEvent.findFirst({ where: { id, domain: { ownerId: tenantId, mode } }, select: EVENT }),
  );
}

/**
 * Prisma reads events and their attempts with a statement each: an attempt that is recorded between them shows in both
 * or none. `$transaction([query])` is not enough: Prisma runs a batch of one query without a transaction.
 */
function atOneMoment<Rows>(read: (client: Prisma.TransactionClient) => Promise<Rows>): Promise<Rows> {
  const wait = { maxWait: WAIT_MS, timeout: WAIT_MS };
  return db().$transaction(read, { isolationLevel: "RepeatableRead", ...wait });
}
