import "server-only";
import { isLocalHostname, parseHostname } from "#lib/contracts/hosted/hostname.ts";
import { OPERATOR_OWNER, type Tenant } from "#lib/contracts/hosted/tenant.ts";
import { DOMAINS_PER_OWNER } from "#lib/contracts/limits.ts";
import { ApiError } from "#lib/core/api-error.ts";
import { now } from "#lib/core/clock.ts";
import { sealSecret } from "#lib/core/crypto/secret-box.ts";
import { isUniqueViolation } from "#lib/core/database-error.ts";
import { env } from "#lib/core/env.ts";
import { newDomainId, newVerificationToken, newWebhookSecret } from "#lib/core/random.ts";
import { findDomainByName, insertDomain } from "#lib/store/domain.ts";
import { findOwner } from "#lib/store/owner.ts";
import { assertWebhookUrlReachable } from "../webhooks/assert-webhook-url.ts";

/**
 * `POST /domains` (specification 4.2, contract 5): registers a domain with its webhook.
 * @throws {ApiError} 400 for what is no hostname, the service's own, or no URL that we would call; 409
 *   `domain_already_registered`; 422 `quota_exceeded`
 */
export async function createDomain(tenant: Tenant, input: { domain: string; webhook_url: string }) {
  const domain = requireHostname(input.domain, tenant);
  await refuseOwnHost(tenant, domain);
  const webhookUrl = await assertWebhookUrlReachable(input.webhook_url, tenant);
  const { id, verified, verificationToken, webhookSecret } = await registerDomain(tenant, domain, webhookUrl);
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
 * The service's own host name is the operator's: wallets that sign for it are answering the service itself. `localhost`
 * is nobody's name, since it is every machine's.
 */
async function refuseOwnHost({ ownerId }: Tenant, domain: string): Promise<void> {
  const { DOMAIN, DEMO } = env();
  if (domain !== DOMAIN || DEMO || domain === "localhost") return;
  if ((await findOwner(OPERATOR_OWNER))?.id === ownerId) return;
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
  if (hostname !== null) return hostname;
  const expected =
    "expected a hostname such as login.example.com: no scheme, port, path, IP address, wildcard or public suffix";
  throw new ApiError("invalid_request", "This cannot be registered as a domain.", {
    details: { fields: { domain: expected } },
  });
}

/** A domain that was just registered. */
type Registered = { id: string; verified: boolean; verificationToken: string; webhookSecret: string };

/**
 * Stores a domain with a token and a secret of its own; in test mode local names count as verified (contract 5).
 * @param domain a hostname as `parseHostname` gives it
 * @returns its secret too, which is told to nobody again
 * @throws {ApiError} 409 `domain_already_registered`, 422 `quota_exceeded`
 */
export async function registerDomain(
  tenant: Tenant,
  domain: string,
  webhookUrl: string,
): Promise<Registered> {
  const id = newDomainId();
  const at = now();
  const verified = tenant.mode === "test" && isLocalHostname(domain);
  const [verificationToken, webhookSecret] = [newVerificationToken(), newWebhookSecret()];
  const verifiedAt = verified ? at : null;
  const secret = sealSecret(webhookSecret, id, env().NEXTAUTH_SECRET);
  const row = { tenant, id, domain, webhookUrl, verificationToken, verifiedAt, secret, createdAt: at };
  const stored = await insertDomain(row).catch((error: unknown) => {
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
    `There are ${DOMAINS_PER_OWNER} domains already, live and test together. Delete one that is not used any more.`,
    { details: { limit: DOMAINS_PER_OWNER } },
  );
}
