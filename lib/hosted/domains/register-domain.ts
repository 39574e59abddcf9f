import { now } from "#lib/platform/clock.ts";
import { isUniqueViolation } from "#lib/platform/database/database-error.ts";
import { byItself, type RunChange } from "#lib/platform/database/db.ts";
import { env } from "#lib/platform/env.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import { isLocalHostname, parseHostname } from "../contract/hostname.ts";
import { OPERATOR_TENANT, type Tenant } from "../contract/tenant.ts";
import { sealSecret } from "../crypto/secret-box.ts";
import { assertWebhookUrlReachable } from "../events/assert-webhook-url.ts";
import { newDomainId, newVerificationToken, newWebhookSecret } from "../ids.ts";
import { DOMAINS_PER_TENANT } from "../numbers.ts";
import { findDomainByName, insertDomain } from "../store/domain.ts";
import { findTenant } from "../tenants/find-tenant.ts";
import { isPunycode } from "./webhook-url.ts";

/**
 * `POST /domains` (docs/protocol.md#54-domains): registers a domain with its webhook.
 * @throws {ApiError} 400 for what is no hostname, the service's own, or no URL that we would call; 409
 *   `domain_already_registered`; 422 `quota_exceeded`
 */
export async function createDomain(
  tenant: Tenant,
  input: { domain: string; webhook_url: string },
  change: RunChange,
) {
  const domain = requireHostname(input.domain, tenant);
  await refuseOwnHost(tenant, domain);
  const webhookUrl = await assertWebhookUrlReachable(input.webhook_url, tenant);
  const { id, verified, verificationToken, webhookSecret } = await registerDomain(
    tenant,
    domain,
    webhookUrl,
    change,
  );
  return {
    id,
    domain,
    verified,
    verification_token: verificationToken,
    webhook_url: webhookUrl,
    webhook_secret: webhookSecret,
  };
}

/**
 * Only the operator may register the service's own host name: wallets that sign for it answer the service itself.
 * `localhost` is free for all, since it is every machine's name.
 */
async function refuseOwnHost({ tenantId }: Tenant, domain: string): Promise<void> {
  const { DOMAIN, DEMO } = env();
  if (domain !== DOMAIN || DEMO || domain === "localhost") return;
  if ((await findTenant(OPERATOR_TENANT))?.id === tenantId) return;
  throw new ApiError(
    "invalid_request",
    `${domain} is this service's own name: its operator alone registers it.`,
    {
      details: { fields: { domain: "expected a domain of your own, not this service's" } },
    },
  );
}

/**
 * The hostname in a text.
 * @throws {ApiError} 400 with `details.fields.domain`
 */
export function requireHostname(text: string, { mode }: Tenant): string {
  const hostname = parseHostname(text, mode);
  if (hostname !== null && isPunycode(hostname)) return hostname;
  const expected =
    "expected a hostname such as login.example.com: no scheme, port, path, IP address, wildcard or public suffix";
  throw new ApiError("invalid_request", "This cannot be registered as a domain.", {
    details: { fields: { domain: expected } },
  });
}

/** A domain that was just registered. */
type Registered = { id: string; verified: boolean; verificationToken: string; webhookSecret: string };

/**
 * Stores a domain with a token and a secret of its own; in test mode local names count as verified.
 * @param domain a hostname as `parseHostname` gives it
 * @returns its secret too, which is told to nobody again
 * @throws {ApiError} 409 `domain_already_registered`, 422 `quota_exceeded`
 */
export async function registerDomain(
  tenant: Tenant,
  domain: string,
  webhookUrl: string,
  change = byItself,
): Promise<Registered> {
  const id = newDomainId();
  const at = now();
  const verified = tenant.mode === "test" && isLocalHostname(domain);
  const [verificationToken, webhookSecret] = [newVerificationToken(), newWebhookSecret()];
  const verifiedAt = verified ? at : null;
  const secret = sealSecret(webhookSecret, id, env().NEXTAUTH_SECRET);
  const row = { tenant, id, domain, webhookUrl, verificationToken, verifiedAt, secret, createdAt: at };
  const stored = await change((queries) => insertDomain(queries, row)).catch((error: unknown) => {
    throw isUniqueViolation(error) ? alreadyRegistered(domain) : error;
  });
  if (stored) return { id, verified, verificationToken, webhookSecret };
  throw (await findDomainByName(tenant, domain)) ? alreadyRegistered(domain) : quotaExceeded();
}

function alreadyRegistered(domain: string): ApiError {
  return new ApiError("domain_already_registered", `You have registered ${domain} already.`, {
    details: { domain },
  });
}

function quotaExceeded(): ApiError {
  return new ApiError(
    "quota_exceeded",
    `There are ${DOMAINS_PER_TENANT} domains already, live and test together. Delete one that is not used any more.`,
    { details: { limit: DOMAINS_PER_TENANT } },
  );
}
