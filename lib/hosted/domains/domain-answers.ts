import { env } from "#lib/platform/env.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import type { DomainDelegation, DomainDetail, DomainItem } from "../contract/domain.ts";
import type { DomainRow } from "../store/domain.ts";

/** A domain as lists answer with it. */
export function domainItem({ id, domain, webhookUrl, verifiedAt, createdAt }: DomainRow): DomainItem {
  return {
    id,
    domain,
    verified: verifiedAt !== null,
    webhook_url: webhookUrl,
    created_at: createdAt.toISOString(),
  };
}

/** A domain by itself. */
export function domainDetail(row: DomainRow): DomainDetail {
  return {
    ...domainItem(row),
    verification_token: row.verificationToken,
    verified_at: row.verifiedAt?.toISOString() ?? null,
    disabled_at: row.disabledAt?.toISOString() ?? null,
    delegation: delegationOf(row),
  };
}

/** What wallets find of a domain's delegation, as it was last seen. The API's own host has nothing to delegate. */
export function delegationOf(row: DomainRow): DomainDelegation {
  const checked_at = row.delegationCheckedAt?.toISOString() ?? null;
  if (row.domain === env().DOMAIN) return { status: "ok", checked_at, reason: null };
  return { status: row.delegationStatus, checked_at, reason: row.delegationReason };
}

/** The 404 for a domain that this tenant does not have. */
export function unknownDomain(): ApiError {
  return new ApiError("domain_not_found", "You have no such domain. GET /domains lists those you have.");
}
