import { hkdfSync } from "node:crypto";
import type { Tenant } from "#lib/hosted/contract/tenant.ts";
import { setWebhookUrl } from "#lib/hosted/domains/manage-domains.ts";
import { findOrRegisterDomain } from "#lib/hosted/domains/register-domain.ts";
import { replaceWebhookSecret } from "#lib/hosted/domains/webhook-secret.ts";
import { createApiKey, formatApiKey } from "#lib/hosted/keys/manage-keys.ts";
import { ensureTenant } from "#lib/hosted/tenants/find-tenant.ts";
import { db } from "#lib/platform/database/db.ts";
import { env } from "#lib/platform/env.ts";
import { isUniqueViolation } from "#packages/login/database/database-error.ts";
import { now } from "#packages/login/process/state.ts";

/**
 * Derives the demo customer's API key and webhook secret from NEXTAUTH_SECRET with HKDF-SHA256. Every process can
 * compute them, so they are not stored.
 */

const SECRET_BYTES = 32;

/** For `/sandbox/v1`. */
export function deriveDemoApiKey(): string {
  return formatApiKey("test", derive("svc-login demo api key v1").toString("base64url"));
}

export function deriveDemoWebhookSecret(): string {
  return `whsec_${derive("svc-login demo webhook secret v1").toString("base64")}`;
}

function derive(purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", env().NEXTAUTH_SECRET, "", purpose, SECRET_BYTES));
}

export const DEMO_TENANT_NAME = "demo";
/** Test mode accepts this domain without proof. */
export const DEMO_DOMAIN = "localhost";

/** Runs at every start. Simultaneous runs are safe. */
export async function setUpDemo(): Promise<void> {
  const { id: tenantId } = await ensureTenant(DEMO_TENANT_NAME);
  const tenant: Tenant = { tenantId, mode: "test" };
  const webhookUrl = `${env().APP_URL.origin}/webhook/events`;
  await createApiKey(db(), tenantId, { mode: "test", name: "Demo customer", key: deriveDemoApiKey() }).catch(
    (error: unknown) => {
      // The key already exists.
      if (!isUniqueViolation(error)) throw error;
    },
  );
  const { id: domainId } = await findOrRegisterDomain(tenant, DEMO_DOMAIN, webhookUrl);
  // An earlier start might have used a different port or secret.
  await setWebhookUrl(db(), tenant, domainId, webhookUrl);
  await replaceWebhookSecret(db(), tenant, domainId, {
    webhookSecret: deriveDemoWebhookSecret(),
    rotatedAt: now(),
    previousUntil: now(),
  });
}
