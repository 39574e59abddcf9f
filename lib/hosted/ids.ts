import { randomBytes } from "node:crypto";

/** The identifiers and secrets of the hosted API. */

/** An identifier for a domain of the hosted API: 144 random bits. */
export function newDomainId(): string {
  return `dom_${randomBytes(18).toString("base64url")}`;
}

/** An identifier for an event, its `webhook-id` (docs/protocol.md#56-events): 144 random bits. */
export function newEventId(): string {
  return `msg_${randomBytes(18).toString("base64url")}`;
}

/** What proves a domain: `svc-verify=<token>` (docs/protocol.md#54-domains), 192 random bits. */
export function newVerificationToken(): string {
  return `svc-verify=${randomBytes(24).toString("base64url")}`;
}

/** A webhook secret: `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}
