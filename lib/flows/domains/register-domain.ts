import "server-only";
import { isLocalHostname, parseHostname } from "#lib/contracts/hosted/hostname.ts";
import type { Tenant } from "#lib/contracts/hosted/tenant.ts";
import { ApiError } from "#lib/core/api-error.ts";
import { now } from "#lib/core/clock.ts";
import { sealSecret } from "#lib/core/crypto/secret-box.ts";
import { isUniqueViolation } from "#lib/core/database-error.ts";
import { env } from "#lib/core/env.ts";
import { newDomainId, newVerificationToken, newWebhookSecret } from "#lib/core/random.ts";
import { type DomainRow, insertDomain } from "#lib/store/domain.ts";
import { assertWebhookUrlReachable } from "../webhooks/assert-webhook-url.ts";

/**
 * `POST /domains` (specification 4.2, contract 5): registers a domain with its webhook.
 * @throws {ApiError} 400 for what is no hostname or no URL that we would call, 409 `domain_already_registered`
 */
export async function createDomain(tenant: Tenant, input: { domain: string; webhook_url: string }) {
  const domain = requireHostname(input.domain, tenant);
  const webhookUrl = await assertWebhookUrlReachable(input.webhook_url, tenant);
  const { row, webhookSecret } = await registerDomain(tenant, domain, webhookUrl);
  return {
    id: row.id,
    domain,
    verified: row.verifiedAt !== null,
    verification_token: row.verificationToken,
    webhook_url: row.webhookUrl,
    webhook_secret: webhookSecret,
  };
}

/**
 * The hostname in a text.
 * @throws {ApiError} 400 with `details.fields.domain`
 */
export function requireHostname(text: string, { mode }: Tenant): string {
  const hostname = parseHostname(text, mode);
  if (hostname !== null) return hostname;
  const expected =
    "expected a hostname such as login.example.com: no scheme, port, path, IP address, wildcard or public suffix";
  throw new ApiError("invalid_request", "This cannot be registered as a domain.", {
    details: { fields: { domain: expected } },
  });
}

/**
 * Stores a domain with a token and a secret of its own; in test mode local names count as verified (contract 5).
 * @param domain a hostname as `parseHostname` gives it
 * @returns the row, and the secret, which is told to nobody again
 * @throws {ApiError} 409 `domain_already_registered`
 */
export async function registerDomain(
  tenant: Tenant,
  domain: string,
  webhookUrl: string,
): Promise<{ row: DomainRow; webhookSecret: string }> {
  const id = newDomainId();
  const at = now();
  const webhookSecret = newWebhookSecret();
  try {
    const row = await insertDomain({
      tenant,
      id,
      domain,
      webhookUrl,
      verificationToken: newVerificationToken(),
      verifiedAt: tenant.mode === "test" && isLocalHostname(domain) ? at : null,
      secret: sealSecret(webhookSecret, id, env().NEXTAUTH_SECRET),
      createdAt: at,
    });
    return { row, webhookSecret };
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new ApiError("domain_already_registered", `You have registered ${domain} already.`, {
      details: { domain },
    });
  }
}
