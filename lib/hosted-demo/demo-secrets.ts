import "server-only";
import { hkdfSync } from "node:crypto";
import { apiKeyPrefix } from "#lib/hosted/contract/api-key.ts";
import { env } from "#lib/platform/env.ts";

/**
 * What the demo customer holds, as a customer's server has it in its configuration. Made from NEXTAUTH_SECRET by
 * HKDF-SHA256: every process knows it, and it is written down nowhere.
 */

const BYTES = 32;

/** The key that the demo calls `/sandbox/v1` with. */
export function demoApiKey(): string {
  return apiKeyPrefix("test") + derive("svc-login demo api key v1").toString("base64url");
}

/** The secret of the demo's webhook, `whsec_…`. */
export function demoWebhookSecret(): string {
  return `whsec_${derive("svc-login demo webhook secret v1").toString("base64")}`;
}

function derive(purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", env().NEXTAUTH_SECRET, "", purpose, BYTES));
}
