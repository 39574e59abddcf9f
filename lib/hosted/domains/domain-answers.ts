import "server-only";
import { ApiError } from "#lib/platform/http/api-error.ts";
import type { DomainDetail, DomainItem } from "../contract/domain.ts";
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
  };
}

/** The 404 for a domain that this tenant does not have. */
export function unknownDomain(): ApiError {
  return new ApiError("domain_not_found", "You have no such domain. GET /domains lists those you have.");
}
