import { createHash, randomBytes, randomInt, randomUUID } from "node:crypto";
import { NONCE_LENGTH } from "#lib/contracts/limits.ts";

const ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** A nonce for a challenge: 32 of [A-Za-z0-9], uniform (190 bits; specification 2.1). */
export function newNonce(): string {
  return Array.from({ length: NONCE_LENGTH }, () => ALPHANUMERIC[randomInt(ALPHANUMERIC.length)]).join("");
}

/** A session identifier: 192 random bits, base64url. */
export function newSessionId(): string {
  return randomBytes(24).toString("base64url");
}

/** A secret for a browser's cookie: 256 random bits, base64url (contract 3). */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** SHA-256 of a secret's text: what the database holds of it. */
export function hashSecret(secret: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(secret).digest());
}

/** An identifier for a signed-in browser: a UUID (122 random bits); of no use without a signed token. */
export function newBrowserSessionId(): string {
  return randomUUID();
}

/** A word that names one sign-in, however often it is asked for: 128 random bits in hex (decision 0020). */
export function newAttempt(): string {
  return randomBytes(16).toString("hex");
}

/** An identifier for a domain of the hosted API: 144 random bits. */
export function newDomainId(): string {
  return `dom_${randomBytes(18).toString("base64url")}`;
}

/** An identifier for an event, its `webhook-id` (contract 5): 144 random bits. */
export function newEventId(): string {
  return `msg_${randomBytes(18).toString("base64url")}`;
}

/** What proves a domain: `svc-verify=<token>` (specification 2.6), 192 random bits. */
export function newVerificationToken(): string {
  return `svc-verify=${randomBytes(24).toString("base64url")}`;
}

/** A webhook secret: `whsec_` and 32 random bytes in base64 (contract 5). */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}
