import { now } from "#lib/platform/clock.ts";
import { isUniqueViolation } from "#lib/platform/database/database-error.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import type { Tenant } from "../contract/tenant.ts";
import { assertWebhookUrl } from "../events/assert-webhook-url.ts";
import { findDomainByName } from "../store/domain.ts";
import { markVerified } from "../store/domain-check.ts";
import { registerDomain, requireHostname } from "./register-domain.ts";

/**
 * The operator vouches for a domain: registers it if needed and marks it verified without a proof.
 * @param input.webhookUrl where its events go when it is new; `https://<domain>/webhook/events` by default
 * @returns the secret only when the domain was registered just now
 * @throws {ApiError} 400 for what is no hostname; 422 when another tenant holds the live domain, or this one has as
 *   many domains as a tenant may have
 */
export async function trustDomain(
  tenant: Tenant,
  input: { domain: string; webhookUrl?: string | undefined },
): Promise<{ id: string; domain: string; webhookSecret: string | null }> {
  const domain = requireHostname(input.domain, tenant);
  const { id, webhookSecret } =
    (await registeredBefore(tenant, domain)) ?? (await register(tenant, domain, input.webhookUrl));
  try {
    await markVerified(id, now());
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new ApiError("domain_verification_failed", `Another tenant holds ${domain} verified.`, {
      details: { domain },
    });
  }
  return { id, domain, webhookSecret };
}

async function registeredBefore(tenant: Tenant, domain: string) {
  const row = await findDomainByName(tenant, domain);
  return row && { id: row.id, webhookSecret: null };
}

// The default URL is not refused, since nobody chose it: under `.test` no URL would pass. Its attempts say what is
// wrong.
async function register(tenant: Tenant, domain: string, webhookUrl: string | undefined) {
  const url =
    webhookUrl === undefined ? `https://${domain}/webhook/events` : assertWebhookUrl(webhookUrl, tenant);
  const { id, webhookSecret } = await registerDomain(tenant, domain, url);
  return { id, webhookSecret };
}
