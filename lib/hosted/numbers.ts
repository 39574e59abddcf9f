/** Every number of the hosted API: one name, one place, the unit in the name. */

/** An `Idempotency-Key` is honoured this long (docs/protocol.md#5-hosted-login). */
export const IDEMPOTENCY_SECONDS = 24 * 60 * 60;
/** An authenticated session of the hosted API can be read this long. */
export const AUTHENTICATED_READABLE_SECONDS = 24 * 60 * 60;
/** Largest `custom_data`, in UTF-8. */
export const CUSTOM_DATA_LIMIT_BYTES = 4 * 1024;
/** An API key's last use is written at most this often. */
export const API_KEY_TOUCH_SECONDS = 60;

/** Characters of an endpoint's answer that are kept with the attempt. */
export const DELIVERY_ANSWER_KEPT_CHARACTERS = 2048;
/** Waits between the attempts to send an event: 13 attempts over 3 days. */
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
/** For this long, events are signed with a replaced webhook secret too. */
export const ROTATED_SECRET_SECONDS = 24 * 60 * 60;
/** Previous secrets of a domain that sign at a time. Receivers count signatures: the customer's package takes eight. */
export const PREVIOUS_SECRETS_PER_DOMAIN = 4;
/** Domains of one tenant, of both modes together. */
export const DOMAINS_PER_TENANT = 100;
/** API keys of one tenant that are not revoked, of both modes together. */
export const API_KEYS_PER_TENANT = 50;
/** Revoked keys of one tenant that are still listed, the latest ones. */
export const REVOKED_API_KEYS_KEPT = 50;
/** How often the delegation of a verified domain is checked. */
export const DELEGATION_CHECK_SECONDS = 24 * 60 * 60;
