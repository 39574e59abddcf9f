import "server-only";
import { db } from "#lib/platform/database/db.ts";
import type { DomainDelegation, Finding } from "../contract/domain.ts";
import type { Cursor } from "../contract/page.ts";
import type { ApiMode, Tenant } from "../contract/tenant.ts";
import { DOMAINS_PER_OWNER } from "../numbers.ts";

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
export async function insertDomain(input: {
  tenant: Tenant;
  id: string;
  domain: string;
  webhookUrl: string;
  verificationToken: string;
  verifiedAt: Date | null;
  secret: Uint8Array<ArrayBuffer>;
  createdAt: Date;
}): Promise<boolean> {
  const { tenant, id, domain, webhookUrl, verificationToken, verifiedAt, secret, createdAt } = input;
  const { ownerId, mode } = tenant;
  const count = await db().$executeRaw`
    INSERT INTO domain
      (id, owner_id, mode, domain, webhook_url, verification_token, verified_at, secret, created_at)
    SELECT ${id}, ${ownerId}::uuid, ${mode}::api_mode, ${domain}, ${webhookUrl}, ${verificationToken},
      ${verifiedAt}::timestamptz, ${secret}, ${createdAt}::timestamptz
    WHERE count_domains_of_held_owner(${ownerId}::uuid) < ${DOMAINS_PER_OWNER}`;
  return count === 1;
}

/** A tenant's domains, newest first: up to `limit`, from the cursor on. */
export async function listDomainRows(
  { ownerId, mode }: Tenant,
  { limit, cursor }: { limit: number; cursor?: Cursor | undefined },
): Promise<DomainRow[]> {
  const after = cursor && {
    OR: [{ createdAt: { lt: cursor.at } }, { createdAt: cursor.at, id: { lt: cursor.id } }],
  };
  return db().domain.findMany({
    where: { ownerId, mode, ...after },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: limit,
    select: FIELDS,
  });
}

/** A tenant's domain, or null. */
export async function findDomain({ ownerId, mode }: Tenant, id: string): Promise<DomainRow | null> {
  return db().domain.findFirst({ where: { id, ownerId, mode }, select: FIELDS });
}

/** A tenant's domain by its hostname, or null. */
export async function findDomainByName({ ownerId, mode }: Tenant, domain: string): Promise<DomainRow | null> {
  return db().domain.findFirst({
    where: { ownerId, mode, domain },
    select: FIELDS,
  });
}

/**
 * Sets where a domain's events go, enables its endpoint again, and sends what is pending there too.
 * @returns false when there is no such domain
 */
export async function updateWebhookUrl(tenant: Tenant, id: string, webhookUrl: string): Promise<boolean> {
  const rows = await db().$queryRaw<{ id: string }[]>`
    WITH before AS (
      SELECT id, webhook_url FROM domain
      WHERE id = ${id} AND owner_id = ${tenant.ownerId}::uuid AND mode = ${tenant.mode}::api_mode FOR UPDATE
    ), moved AS (
      UPDATE webhook_event AS event SET url = ${webhookUrl} FROM before
      WHERE event.domain_id = before.id AND event.url = before.webhook_url AND event.status = 'pending'
    )
    UPDATE domain SET webhook_url = ${webhookUrl}, disabled_at = NULL FROM before WHERE domain.id = before.id
    RETURNING domain.id`;
  return rows.length === 1;
}

/** Deletes a domain with its sessions, events and attempts; false when there is none. */
export async function deleteDomainRow({ ownerId, mode }: Tenant, id: string): Promise<boolean> {
  const { count } = await db().domain.deleteMany({ where: { id, ownerId, mode } });
  return count === 1;
}

/**
 * Replaces a domain's secret; events are signed with the previous one too until `previousUntil`.
 * @returns null when there is no such domain
 */
export async function replaceSecret(
  tenant: Tenant,
  id: string,
  secret: Uint8Array<ArrayBuffer>,
  previousUntil: Date,
): Promise<{ domain: string } | null> {
  const rows = await db().$queryRaw<{ domain: string }[]>`
    UPDATE domain
    SET previous_secret = secret, previous_secret_until = ${previousUntil}::timestamptz, secret = ${secret}
    WHERE id = ${id} AND owner_id = ${tenant.ownerId}::uuid AND mode = ${tenant.mode}::api_mode
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

/** Stores what a verification looked at and found. */
export async function saveCheck(id: string, at: Date, findings: Finding[]): Promise<void> {
  await db().domain.updateMany({ where: { id }, data: { lastCheck: { at: at.toISOString(), findings } } });
}

/** Keeps what was seen of a domain's delegation. */
export async function saveDelegation(
  id: string,
  at: Date,
  { status, reason }: Pick<DomainDelegation, "status" | "reason">,
): Promise<void> {
  const data = { delegationStatus: status, delegationCheckedAt: at, delegationReason: reason };
  await db().domain.updateMany({ where: { id }, data });
}

/**
 * Verified domains whose delegation was last looked at before `before`, or never: up to `limit`, taken from the tenants in turn, so that one with many domains does not delay the others.
 */
export async function findStaleDelegations(
  before: Date,
  limit: number,
): Promise<{ id: string; domain: string; mode: ApiMode }[]> {
  return db().$queryRaw`
    SELECT id, domain, mode FROM (
      SELECT id, domain, mode::text, delegation_checked_at,
        row_number() OVER (PARTITION BY owner_id ORDER BY delegation_checked_at NULLS FIRST) AS turn
      FROM domain
      WHERE verified_at IS NOT NULL
        AND (delegation_checked_at IS NULL OR delegation_checked_at < ${before}::timestamptz)
    ) AS stale
    ORDER BY turn, delegation_checked_at NULLS FIRST LIMIT ${limit}`;
}

/**
 * Marks a domain as verified, if it is not yet.
 * @returns since when it is; null when it is gone
 * @throws a unique violation when another tenant holds the live domain
 */
export async function markVerified(id: string, at: Date): Promise<Date | null> {
  const rows = await db().$queryRaw<{ verified_at: Date }[]>`
    UPDATE domain SET verified_at = COALESCE(verified_at, ${at}::timestamptz) WHERE id = ${id} RETURNING verified_at`;
  return rows[0]?.verified_at ?? null;
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
