import "server-only";
import { now } from "#lib/platform/clock.ts";
import { isUniqueViolation } from "#lib/platform/database/database-error.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import { outboundPolicy } from "#lib/platform/net/outbound-policy.ts";
import type { Finding } from "../contract/domain.ts";
import type { Tenant } from "../contract/tenant.ts";
import { type DomainRow, findDomain, markVerified, saveCheck } from "../store/domain.ts";
import { checkDelegation } from "./check-delegation.ts";
import { unknownDomain } from "./domain-answers.ts";
import { lookForProof } from "./look-for-proof.ts";

/**
 * `POST /domains/{id}/verify` (docs/protocol.md#54-domains): looks at the domain's delegation, and for the token where
 * it may stand. A domain that is verified already stays so, and no token is looked for.
 * @throws {ApiError} 404; 422 `domain_verification_failed` with what was looked at and what was found
 */
export async function verifyDomain(tenant: Tenant, id: string) {
  const domain = await findDomain(tenant, id);
  if (!domain) throw unknownDomain();
  await checkDelegation({ id, domain: domain.domain, mode: tenant.mode });
  const verifiedAt = domain.verifiedAt ?? (await prove(tenant, domain));
  return { id, domain: domain.domain, verified: true as const, verified_at: verifiedAt.toISOString() };
}

async function prove(tenant: Tenant, domain: DomainRow): Promise<Date> {
  const { proved, findings } = await lookForProof(
    domain.domain,
    domain.verificationToken,
    outboundPolicy(tenant.mode),
  );
  const at = now();
  await saveCheck(domain.id, at, findings);
  if (!proved) {
    throw failed(
      domain,
      findings,
      "The token was not found. Put it in one of the places below and try again.",
    );
  }
  try {
    const verifiedAt = await markVerified(domain.id, at);
    if (!verifiedAt) throw unknownDomain();
    return verifiedAt;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw failed(
      domain,
      findings,
      "The token was found, but this domain is held by another account, which verified it first.",
    );
  }
}

function failed({ domain, verificationToken }: DomainRow, findings: Finding[], message: string): ApiError {
  return new ApiError("domain_verification_failed", message, {
    details: { domain, expected: verificationToken, checked: findings },
  });
}
