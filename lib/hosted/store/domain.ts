import { requestDeadline } from "#lib/platform/database/database-wait.ts";
import { db, type Queries } from "#lib/platform/database/db.ts";
import type { DomainDelegation } from "../contract/domain.ts";
import type { Cursor } from "../contract/page.ts";
import type { ApiMode, Tenant } from "../contract/tenant.ts";
import { DOMAINS_PER_TENANT } from "../numbers.ts";

/** The queries on domains. Every one but the operator's names the tenant: another's domain does not exist. */

export type DomainRow = {
  id: string;
  domain: string;
  webhookUrl: string;
  verificationToken: string;
  verifiedAt: Date | null;
  /** What the last verification looked at and found: `{ at, findings }`. */
  lastCheck: unknown;
  disabledAt: Date | null;
  createdAt: Date;
  delegationStatus: DomainDelegation["status"];
  delegationCheckedAt: Date | null;
  delegationReason: string | null;
};

const FIELDS = {
  id: true,
  domain: true,
  webhookUrl: true,
  verificationToken: true,
  verifiedAt: true,
  lastCheck: true,
  disabledAt: true,
  createdAt: true,
  delegationStatus: true,
  delegationCheckedAt: true,
  delegationReason: true,
} as const;

/**
 * Stores a new domain.
 * @param input.secret sealed, with the id as its context
 * @returns false when its tenant has as many domains as a tenant may have
 * @throws a unique violation when the tenant has registered it already
 */
export async function insertDomain(
  queries: Queries,
  input: {
    tenant: Tenant;
    id: string;
    domain: string;
    webhookUrl: string;
    verificationToken: string;
    verifiedAt: Date | null;
    secret: Uint8Array<ArrayBuffer>;
    createdAt: Date;
  },
): Promise<boolean> {
  const { tenant, id, domain, webhookUrl, verificationToken, verifiedAt, secret, createdAt } = input;
  const { tenantId, mode } = tenant;
  const count = await queries.$executeRaw`
    INSERT INTO domain
      (id, owner_id, mode, domain, webhook_url, verification_token, verified_at, secret, created_at)
    SELECT ${id}, ${tenantId}::uuid, ${mode}::api_mode, ${domain}, ${webhookUrl}, ${verificationToken},
      ${verifiedAt}::timestamptz, ${secret}, ${createdAt}::timestamptz
    WHERE count_domains_of_held_owner(${tenantId}::uuid) < ${DOMAINS_PER_TENANT} AND statement_timestamp() < ${requestDeadline(createdAt)}::timestamptz`;
  return count === 1;
}

/** A tenant's domains, newest first: up to `limit`, from the cursor on. */
export async function listDomainRows(
  { tenantId, mode }: Tenant,
  { limit, cursor }: { limit: number; cursor?: Cursor | undefined },
): Promise<DomainRow[]> {
  const after = cursor && {
    OR: [{ createdAt: { lt: cursor.at } }, { createdAt: cursor.at, id: { lt: cursor.id } }],
  };
  return db().domain.findMany({
    where: { ownerId: tenantId, mode, ...after },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: limit,
    select: FIELDS,
  });
}

/** A tenant's domain, or null. */
export async function findDomain({ tenantId, mode }: Tenant, id: string): Promise<DomainRow | null> {
  return db().domain.findFirst({ where: { id, ownerId: tenantId, mode }, select: FIELDS });
}

/** A tenant's domain by its hostname, or null. */
export async function findDomainByName(
  { tenantId, mode }: Tenant,
  domain: string,
): Promise<DomainRow | null> {
  return db().domain.findFirst({
    where: { ownerId: tenantId, mode, domain },
    select: FIELDS,
  });
}

/**
 * Sets where a domain's events go, enables its endpoint again, and sends what is pending there too.
 * @returns false when there is no such domain
 */
export async function updateWebhookUrl(
  queries: Queries,
  tenant: Tenant,
  id: string,
  webhookUrl: string,
): Promise<boolean> {
  const rows = await queries.$queryRaw<{ id: string }[]>`
    WITH before AS (
      SELECT id, webhook_url FROM domain
      WHERE id = ${id} AND owner_id = ${tenant.tenantId}::uuid AND mode = ${tenant.mode}::api_mode FOR UPDATE
    ), moved AS (
      UPDATE webhook_event AS event SET url = ${webhookUrl} FROM before
      WHERE event.domain_id = before.id AND event.url = before.webhook_url AND event.status = 'pending'
    )
    UPDATE domain SET webhook_url = ${webhookUrl}, disabled_at = NULL FROM before WHERE domain.id = before.id
    RETURNING domain.id`;
  return rows.length === 1;
}

/** Deletes a domain with its sessions, events and attempts; false when there is none. */
export async function deleteDomainRow(
  queries: Queries,
  { tenantId, mode }: Tenant,
  id: string,
): Promise<boolean> {
  const { count } = await queries.domain.deleteMany({ where: { id, ownerId: tenantId, mode } });
  return count === 1;
}

/**
 * Replaces a domain's secret; events are signed with the previous one too until `previousUntil`. Not if the
 * statement begins too late: nobody would ever see the secret.
 * @returns null when there is no such domain, or it is too late
 */
export async function replaceSecret(
  queries: Queries,
  tenant: Tenant,
  id: string,
  { now, secret, previousUntil }: { now: Date; secret: Uint8Array<ArrayBuffer>; previousUntil: Date },
): Promise<{ domain: string } | null> {
  const rows = await queries.$queryRaw<{ domain: string }[]>`
    UPDATE domain
    SET previous_secret = secret, previous_secret_until = ${previousUntil}::timestamptz, secret = ${secret}
    WHERE id = ${id} AND owner_id = ${tenant.tenantId}::uuid AND mode = ${tenant.mode}::api_mode
      AND statement_timestamp() < ${requestDeadline(now)}::timestamptz
    RETURNING domain`;
  return rows[0] ?? null;
}

/** A domain's secrets as they are sealed, with the domain's id as context. */
export type SealedSecrets = {
  id: string;
  secret: Uint8Array<ArrayBuffer>;
  previousSecret: Uint8Array<ArrayBuffer> | null;
};

/** Every domain's sealed secrets. */
export async function listSealedSecrets(): Promise<SealedSecrets[]> {
  return db().domain.findMany({
    select: { id: true, secret: true, previousSecret: true },
    orderBy: { id: "asc" },
  });
}

/**
 * Puts newly sealed secrets in the place of `before`.
 * @returns false when they were replaced meanwhile
 */
export async function replaceSealedSecrets(
  before: SealedSecrets,
  after: Pick<SealedSecrets, "secret" | "previousSecret">,
): Promise<boolean> {
  const { count } = await db().domain.updateMany({
    where: { id: before.id, secret: before.secret, previousSecret: before.previousSecret },
    data: after,
  });
  return count === 1;
}

/** A domain as the operator sees it. */
export type OwnedDomainRow = {
  id: string;
  /** The tenant's name. */
  owner: string;
  mode: ApiMode;
  domain: string;
  webhookUrl: string;
  verifiedAt: Date | null;
  createdAt: Date;
};

/** Every domain of every tenant, newest first: for the operator. */
export async function listAllDomains(): Promise<OwnedDomainRow[]> {
  const rows = await db().domain.findMany({
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    select: { ...FIELDS, mode: true, owner: { select: { name: true } } },
  });
  return rows.map(({ id, owner, mode, domain, webhookUrl, verifiedAt, createdAt }) => ({
    id,
    owner: owner.name,
    mode,
    domain,
    webhookUrl,
    verifiedAt,
    createdAt,
  }));
}
