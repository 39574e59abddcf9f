/** The numbers of the hosted API. Each has one name, which includes the unit, and is defined only here. */

/** How long an `Idempotency-Key` is remembered (docs/protocol.md#5-hosted-login). */
export const IDEMPOTENCY_SECONDS = 24 * 60 * 60;
/** How long an authenticated session of the hosted API can be read. */
export const AUTHENTICATED_READABLE_SECONDS = 24 * 60 * 60;
/** The largest `custom_data`, in UTF-8. */
export const CUSTOM_DATA_LIMIT_BYTES = 4 * 1024;
/** The shortest time between two updates of an API key's last use. */
export const API_KEY_TOUCH_SECONDS = 60;

/** The number of characters of an endpoint's response that are stored with the attempt. */
export const STORED_RESPONSE_LIMIT_CHARACTERS = 2048;
/** The pauses between the attempts to send an event: 13 attempts over 3 days. */
export const EVENT_RETRY_SECONDS = [
  5,
  30,
  2 * 60,
  10 * 60,
  30 * 60,
  60 * 60,
  2 * 60 * 60,
  4 * 60 * 60,
  8 * 60 * 60,
  12 * 60 * 60,
  20 * 60 * 60,
  24 * 60 * 60,
] as const;
/** The longest `Retry-After` that is honoured. */
export const EVENT_RETRY_AFTER_LIMIT_SECONDS = 24 * 60 * 60;
/** How long events are also signed with a replaced webhook secret. */
export const ROTATED_SECRET_SECONDS = 24 * 60 * 60;
/**
 * The maximum number of a domain's previous secrets that sign simultaneously. Receivers limit signatures, and the
 * customer's package accepts eight.
 */
export const PREVIOUS_SECRETS_PER_DOMAIN = 4;
/** The maximum number of a tenant's domains, in both modes together. */
export const DOMAINS_PER_TENANT = 100;
/** The maximum number of a tenant's API keys that are not revoked, in both modes together. */
export const API_KEYS_PER_TENANT = 50;
/** The number of a tenant's latest revoked keys that are still listed. */
export const REVOKED_API_KEYS_PER_TENANT = 50;
/** How often the delegation of a verified domain is checked. */
export const DELEGATION_CHECK_SECONDS = 24 * 60 * 60;
