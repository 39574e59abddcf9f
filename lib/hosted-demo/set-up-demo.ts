import { hkdfSync } from "node:crypto";
import type { Tenant } from "#lib/hosted/contract/tenant.ts";
import { setWebhookUrl } from "#lib/hosted/domains/manage-domains.ts";
import { ensureDomain } from "#lib/hosted/domains/register-domain.ts";
import { replaceSecret } from "#lib/hosted/domains/webhook-secret.ts";
import { createKey, formatApiKey } from "#lib/hosted/keys/manage-keys.ts";
import { ensureTenant } from "#lib/hosted/tenants/find-tenant.ts";
import { db } from "#lib/platform/database/db.ts";
import { env } from "#lib/platform/env.ts";
import { isUniqueViolation } from "#packages/login/database/database-error.ts";
import { now } from "#packages/login/process/state.ts";

/**
 * The demo customer's key and secret, which other customers keep in their servers' configuration. They are derived from
 * NEXTAUTH_SECRET with HKDF-SHA256, so every process can compute them and they are not stored.
 */

const SECRET_BYTES = 32;

/** Returns the demo's key for `/sandbox/v1`. */
export function demoApiKey(): string {
  return formatApiKey("test", derive("svc-login demo api key v1").toString("base64url"));
}

/** Returns the secret of the demo's webhook, `whsec_…`. */
export function demoWebhookSecret(): string {
  return `whsec_${derive("svc-login demo webhook secret v1").toString("base64")}`;
}

function derive(purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", env().NEXTAUTH_SECRET, "", purpose, SECRET_BYTES));
}

/** The name of the demo customer's tenant at the hosted API. */
export const DEMO_TENANT = "demo";
/** The domain of the demo customer's logins. Test mode verifies it without a proof. */
export const DEMO_DOMAIN = "localhost";

/**
 * Sets up the demo customer in the same way as any other customer: a tenant, a test key, and a domain with a webhook
 * to this application. It can run at every start and in several processes simultaneously.
 */
export async function setUpDemo(): Promise<void> {
  const { id: tenantId } = await ensureTenant(DEMO_TENANT);
  const tenant: Tenant = { tenantId, mode: "test" };
  const webhookUrl = `${env().APP_URL.origin}/webhook/events`;
  await createKey(db(), tenantId, { mode: "test", name: "Demo customer", key: demoApiKey() }).catch(
    (error: unknown) => {
      // The key already exists.
      if (!isUniqueViolation(error)) throw error;
    },
  );
  const { id: domainId } = await ensureDomain(tenant, DEMO_DOMAIN, webhookUrl);
  // An earlier start may have left a URL with a different port, or a different secret.
  await setWebhookUrl(db(), tenant, domainId, webhookUrl);
  await replaceSecret(db(), tenant, domainId, {
    webhookSecret: demoWebhookSecret(),
    rotatedAt: now(),
    previousUntil: now(),
  });
}
