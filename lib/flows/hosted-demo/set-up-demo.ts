import "server-only";
import { apiKeyPrefix } from "#lib/contracts/hosted/api-key.ts";
import type { Tenant } from "#lib/contracts/hosted/tenant.ts";
import { ApiError } from "#lib/core/api-error.ts";
import { now } from "#lib/core/clock.ts";
import { sealSecret } from "#lib/core/crypto/secret-box.ts";
import { isUniqueViolation } from "#lib/core/database-error.ts";
import { env } from "#lib/core/env.ts";
import { hashSecret } from "#lib/core/random.ts";
import { insertApiKey } from "#lib/store/api-key.ts";
import { findDomainByName, replaceSecret, updateWebhookUrl } from "#lib/store/domain.ts";
import { ensureOwner } from "#lib/store/owner.ts";
import { registerDomain } from "../domains/register-domain.ts";
import { demoApiKey, demoWebhookSecret } from "./demo-secrets.ts";

const OWNER = "demo";
/** The domain that the demo integrator's logins are for: verified without a proof in test mode. */
export const DEMO_DOMAIN = "localhost";
const SHOWN_CHARACTERS = 4;

/**
 * Sets the demo integrator up as a customer would set up itself: an owner, a test key, and its domain with a
 * webhook to this very application. Safe to run at every start and in several processes at once.
 */
export async function setUpDemo(): Promise<void> {
  const { id: ownerId } = await ensureOwner(OWNER, now());
  const tenant: Tenant = { ownerId, mode: "test" };
  const webhookUrl = `${env().APP_URL.origin}/webhook/events`;
  await ensureKey(ownerId);
  const domainId = await ensureDomain(tenant, webhookUrl);
  // What an earlier start left may be of another port or another secret.
  await updateWebhookUrl(tenant, domainId, webhookUrl);
  await replaceSecret(
    tenant,
    domainId,
    sealSecret(demoWebhookSecret(), domainId, env().NEXTAUTH_SECRET),
    now(),
  );
}

async function ensureKey(ownerId: string): Promise<void> {
  const key = demoApiKey();
  try {
    await insertApiKey({
      now: now(),
      ownerId,
      mode: "test",
      name: "Demo integrator",
      prefix: key.slice(0, apiKeyPrefix("test").length + SHOWN_CHARACTERS),
      hash: hashSecret(key),
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
  }
}

async function ensureDomain(tenant: Tenant, webhookUrl: string): Promise<string> {
  const known = await findDomainByName(tenant, DEMO_DOMAIN);
  if (known) return known.id;
  try {
    return (await registerDomain(tenant, DEMO_DOMAIN, webhookUrl)).id;
  } catch (error) {
    const another = error instanceof ApiError ? await findDomainByName(tenant, DEMO_DOMAIN) : null;
    if (!another) throw error;
    return another.id;
  }
}
