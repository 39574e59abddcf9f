import type { Prisma } from "#generated/prisma/client.ts";
import { db, type PrismaQueries, type RunChange } from "#lib/platform/database/db.ts";
import { env } from "#lib/platform/env.ts";
import { type Refusal, refusal } from "#packages/login/protocol/errors.ts";
import type { DomainDelegation, DomainDetail, DomainItem } from "../contract/domain.ts";
import { createListPage, type PageQuery, whereAfterCursor } from "../contract/page.ts";
import type { Tenant } from "../contract/tenant.ts";
import { requireReachableWebhookUrl } from "./webhook-url.ts";

/**
 * Manages a tenant's domains. Every query contains the tenant, except for the operator's queries, so other tenants'
 * domains are never returned.
 */

/** Only the code for signing events needs these columns. */
const omit = {
  ...{ secret: true, previousSecret: true, previousSecretUntil: true },
  ...{ earlierSecrets: true, earlierSecretsUntil: true },
} as const;

export type DomainRow = Prisma.DomainGetPayload<{ omit: typeof omit }>;

export async function findDomain({ tenantId, mode }: Tenant, id: string): Promise<DomainRow | null> {
  return db().domain.findFirst({ where: { id, ownerId: tenantId, mode }, omit });
}

/** @throws {Refusal} 404 */
export async function requireDomain(tenant: Tenant, id: string): Promise<DomainRow> {
  const row = await findDomain(tenant, id);
  if (!row) throw unknownDomainRefusal();
  return row;
}

export function unknownDomainRefusal(): Refusal {
  return refusal("domain_not_found", "You do not have this domain. GET /domains lists your domains.");
}

/** `GET /domains`, newest first. */
export async function listDomains({ tenantId, mode }: Tenant, { limit, cursor }: PageQuery) {
  const rows = await db().domain.findMany({
    where: { ownerId: tenantId, mode, ...whereAfterCursor(cursor) },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: limit + 1,
    omit,
  });
  const { items, nextCursor } = createListPage(rows, limit);
  return { domains: items.map(domainItem), next_cursor: nextCursor };
}

/** For the operator, newest first. */
export async function listAllDomains() {
  return db().domain.findMany({
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    omit,
    include: { owner: { select: { name: true } } },
  });
}

export async function getDomain(tenant: Tenant, id: string): Promise<DomainDetail> {
  return toDomainDetail(await requireDomain(tenant, id));
}

export function toDomainDetail(row: DomainRow): DomainDetail {
  return {
    ...domainItem(row),
    verification_token: row.verificationToken,
    verified_at: row.verifiedAt?.toISOString() ?? null,
    disabled_at: row.disabledAt?.toISOString() ?? null,
    delegation: delegationOf(row),
  };
}

function domainItem({ id, domain, webhookUrl, verifiedAt, createdAt }: DomainRow): DomainItem {
  return {
    id,
    domain,
    verified: verifiedAt !== null,
    webhook_url: webhookUrl,
    created_at: createdAt.toISOString(),
  };
}

/** The API's own host needs no delegation. */
function delegationOf(row: DomainRow): DomainDelegation {
  const checked_at = row.delegationCheckedAt?.toISOString() ?? null;
  if (row.domain === env().DOMAIN) return { status: "ok", checked_at, reason: null };
  return { status: row.delegationStatus, checked_at, reason: row.delegationReason };
}

/**
 * `PATCH /domains/{id}`: sets the URL for pending and future events, and enables an endpoint that a 410 response had
 * disabled.
 */
export async function updateDomain(
  tenant: Tenant,
  id: string,
  body: { webhook_url: string },
  change: RunChange,
): Promise<DomainDetail> {
  await requireDomain(tenant, id);
  const webhookUrl = await requireReachableWebhookUrl(body.webhook_url, tenant);
  await runDomainChange(tenant, change, (queries) => setWebhookUrl(queries, tenant, id, webhookUrl));
  return getDomain(tenant, id);
}

/**
 * `act` returns the domain's name, or null if the tenant has no such domain.
 * @throws {Refusal} 404
 */
export async function runDomainChange(
  { mode }: Tenant,
  change: RunChange,
  act: (queries: PrismaQueries) => Promise<string | null>,
): Promise<string> {
  const name = await change(act, (changed) => changed && `${changed} (${mode})`);
  if (name === null) throw unknownDomainRefusal();
  return name;
}

/** The URL also applies to pending events. Enables the domain's endpoint. Returns the domain's name, or null. */
export async function setWebhookUrl(
  queries: PrismaQueries,
  { tenantId, mode }: Tenant,
  id: string,
  webhookUrl: string,
): Promise<string | null> {
  const [row] = await queries.$queryRaw<{ domain: string }[]>`
    WITH before AS (
      SELECT id, webhook_url FROM domain
      WHERE id = ${id} AND owner_id = ${tenantId}::uuid AND mode = ${mode}::api_mode FOR UPDATE
    ), moved AS (
      UPDATE webhook_event AS event SET url = ${webhookUrl} FROM before
      WHERE event.domain_id = before.id AND NOT event.own_url AND event.url = before.webhook_url
        AND event.status = 'pending'
    )
    UPDATE domain SET webhook_url = ${webhookUrl}, disabled_at = NULL FROM before WHERE domain.id = before.id
    RETURNING domain.domain`;
  return row?.domain ?? null;
}

/**
 * `DELETE /domains/{id}`. Locks the events before the domain, like `record-attempt.sql`. In the opposite order, the
 * deletion could deadlock with an attempt that disables the domain.
 */
export async function deleteDomain(tenant: Tenant, id: string, change: RunChange): Promise<undefined> {
  await runDomainChange(tenant, change, async (queries) => {
    const [row] = await queries.$queryRaw<{ domain: string }[]>`
      WITH own AS MATERIALIZED (
        SELECT id FROM domain
        WHERE id = ${id} AND owner_id = ${tenant.tenantId}::uuid AND mode = ${tenant.mode}::api_mode
      ), events AS MATERIALIZED (
        SELECT 1 FROM webhook_event WHERE domain_id IN (SELECT id FROM own) ORDER BY id FOR UPDATE
      )
      DELETE FROM domain
      WHERE id IN (SELECT id FROM own)
        -- Always true. PostgreSQL has to count the events, and so to lock them, before it deletes the domain.
        AND (SELECT count(*) FROM events) >= 0
      RETURNING domain`;
    return row?.domain ?? null;
  });
}
