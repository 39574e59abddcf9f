import { randomBytes } from "node:crypto";
import {
  db,
  type PrismaQueries,
  type RunChange,
  runChangeWithoutSession,
} from "#lib/platform/database/db.ts";
import { env } from "#lib/platform/env.ts";
import { computeStatementDeadline } from "#packages/login/database/database.ts";
import { isForeignKeyViolation, isUniqueViolation } from "#packages/login/database/database-error.ts";
import { now } from "#packages/login/process/state.ts";
import { Refusal, refusal } from "#packages/login/protocol/errors.ts";
import { isLocalHostname, parseHostname } from "../contract/hostname.ts";
import { OPERATOR_TENANT_NAME, type Tenant } from "../contract/tenant.ts";
import { sealSecret } from "../crypto/secret-box.ts";
import { DOMAINS_PER_TENANT } from "../numbers.ts";
import { findTenant } from "../tenants/find-tenant.ts";
import { markDomainVerified } from "./verify-domain.ts";
import { generateWebhookSecret } from "./webhook-secret.ts";
import { isPunycode, requireReachableWebhookUrl, requireWebhookUrl } from "./webhook-url.ts";

/** `POST /domains` (docs/protocol.md#54-domains). */
export async function createDomain(
  tenant: Tenant,
  input: { domain: string; webhook_url: string },
  change: RunChange,
) {
  const domain = requireHostname(input.domain, tenant);
  await refuseOwnHost(tenant, domain);
  const webhookUrl = await requireReachableWebhookUrl(input.webhook_url, tenant);
  return insertDomain(tenant, domain, webhookUrl, change);
}

/**
 * Only the operator may register the service's own hostname, because wallets that sign for it respond to the service
 * itself. Every tenant may register `localhost`, because every machine has that name.
 */
async function refuseOwnHost({ tenantId }: Tenant, domain: string): Promise<void> {
  const { DOMAIN, DEMO } = env();
  if (domain !== DOMAIN || DEMO || domain === "localhost") return;
  if ((await findTenant(OPERATOR_TENANT_NAME))?.id === tenantId) return;
  throw refusal(
    "invalid_request",
    `${domain} is this service's own name. Only its operator can register it.`,
    {
      details: { fields: { domain: "expected your own domain, not this service's" } },
    },
  );
}

/** @throws {Refusal} 400 with `details.fields.domain` */
function requireHostname(text: string, { mode }: Tenant): string {
  const hostname = parseHostname(text, mode);
  if (hostname !== null && isPunycode(hostname)) return hostname;
  const expected =
    "expected a hostname such as login.example.com: no scheme, port, path, IP address, wildcard or public suffix";
  throw refusal("invalid_request", "This cannot be registered as a domain.", {
    details: { fields: { domain: expected } },
  });
}

/**
 * The new secret is shown only once. In test mode, local names are immediately verified.
 * @param domain a hostname as returned by `parseHostname`
 */
export async function insertDomain(
  { tenantId, mode }: Tenant,
  domain: string,
  webhookUrl: string,
  change = runChangeWithoutSession,
) {
  const id = `dom_${randomBytes(18).toString("base64url")}`;
  const at = now();
  const verified = mode === "test" && isLocalHostname(domain);
  const verificationToken = `svc-verify=${randomBytes(24).toString("base64url")}`;
  const webhookSecret = generateWebhookSecret();
  const insert = (queries: PrismaQueries) => queries.$executeRaw`
    INSERT INTO domain
      (id, owner_id, mode, domain, webhook_url, verification_token, verified_at, secret, created_at)
    SELECT ${id}, ${tenantId}::uuid, ${mode}::api_mode, ${domain}, ${webhookUrl}, ${verificationToken},
      ${verified ? at : null}::timestamptz, ${sealSecret(webhookSecret, id, env().NEXTAUTH_SECRET)},
      ${at}::timestamptz
    WHERE count_domains_of_held_owner(${tenantId}::uuid) < ${DOMAINS_PER_TENANT}
      AND statement_timestamp() < ${computeStatementDeadline(at)}::timestamptz
    ON CONFLICT (owner_id, mode, domain) DO NOTHING`;
  const count = await change(insert, () => domain).catch((error: unknown) => {
    // The tenant's account and its keys were deleted in the meantime.
    if (isForeignKeyViolation(error))
      throw refusal("invalid_api_key", "The account of this API key is deleted.");
    throw error;
  });
  if (count === 0) {
    const existing = await findDomainByName({ tenantId, mode }, domain);
    throw existing ? alreadyRegistered(domain, existing.id) : quotaExceeded();
  }
  return {
    id,
    domain,
    verified,
    verification_token: verificationToken,
    webhook_url: webhookUrl,
    webhook_secret: webhookSecret,
  };
}

async function findDomainByName({ tenantId, mode }: Tenant, domain: string) {
  return db().domain.findFirst({ where: { ownerId: tenantId, mode, domain }, select: { id: true } });
}

/** Concurrent calls all return the same domain. */
export async function findOrRegisterDomain(
  tenant: Tenant,
  domain: string,
  webhookUrl: string,
  change = runChangeWithoutSession,
): Promise<{ id: string }> {
  const existing = await findDomainByName(tenant, domain);
  if (existing) return existing;
  try {
    return await insertDomain(tenant, domain, webhookUrl, change);
  } catch (error) {
    const another = error instanceof Refusal ? await findDomainByName(tenant, domain) : null;
    if (another) return another;
    throw error;
  }
}

function alreadyRegistered(domain: string, id: string): Refusal {
  const nextStep = `Change its webhook URL with PATCH /domains/${id}, or make a new webhook secret with POST /domains/${id}/rotate-secret.`;
  return refusal("domain_already_registered", `You have registered ${domain} already. ${nextStep}`, {
    details: { domain, id },
  });
}

function quotaExceeded(): Refusal {
  return refusal(
    "quota_exceeded",
    `You already have ${DOMAINS_PER_TENANT} domains (live and test combined). Delete one you no longer use.`,
    { details: { limit: DOMAINS_PER_TENANT } },
  );
}

/**
 * For the operator. Registers the domain if it is new. Uses one transaction: if only the registration succeeded, the
 * new domain's secret would be lost.
 * @param input.webhookUrl the URL for a new domain's events; by default `https://<domain>/webhook/events`
 * @returns the secret, only if this call registered the domain
 * @throws {Refusal} like `POST /domains`; 422 if another tenant has verified the live domain
 */
export async function verifyDomainWithoutProof(
  tenant: Tenant,
  input: { domain: string; webhookUrl?: string | undefined },
): Promise<{ id: string; domain: string; webhookSecret: string | null }> {
  const domain = requireHostname(input.domain, tenant);
  const existing = await findDomainByName(tenant, domain);
  try {
    return await db().$transaction(async (queries) => {
      const { id, webhook_secret: webhookSecret } = existing
        ? { ...existing, webhook_secret: null }
        : await insertDomain(tenant, domain, trustedUrl(tenant, domain, input.webhookUrl), (act) =>
            act(queries),
          );
      await markDomainVerified(id, now(), queries);
      return { id, domain, webhookSecret };
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw refusal("domain_verification_failed", `Another account has verified ${domain}.`, {
      details: { domain },
    });
  }
}

/**
 * The default URL is not validated, because no one chose it, and no URL below `.test` would be valid. Attempts report
 * any errors.
 */
function trustedUrl(tenant: Tenant, domain: string, chosen: string | undefined): string {
  return chosen === undefined ? `https://${domain}/webhook/events` : requireWebhookUrl(chosen, tenant);
}
