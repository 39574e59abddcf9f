import { randomBytes } from "node:crypto";

/** The identifiers and secrets of the hosted API. */

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
