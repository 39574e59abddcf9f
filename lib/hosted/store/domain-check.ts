import { db } from "#lib/platform/database/db.ts";
import type { DomainDelegation, Finding } from "../contract/domain.ts";
import type { ApiMode } from "../contract/tenant.ts";

/** What was looked at and found of a domain: its proof, and its delegation. By id alone: its tenant was asked for before, or a job looks. */

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
 * Verified domains whose delegation was last looked at before `before`, or never: up to `limit`, taken from the tenants
 * in turn, so that one with many domains does not delay the others.
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
