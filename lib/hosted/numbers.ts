/** The numbers of the hosted API. Each is defined only here, and has its unit in its name. */

/** docs/protocol.md#5-hosted-login */
export const IDEMPOTENCY_KEY_LIFETIME_SECONDS = 24 * 60 * 60;
export const AUTHENTICATED_SESSION_READABLE_SECONDS = 24 * 60 * 60;
/** In UTF-8. */
export const CUSTOM_DATA_LIMIT_BYTES = 4 * 1024;
/** An API key's last use is recorded no more often than this. */
export const API_KEY_LAST_USE_INTERVAL_SECONDS = 60;

/** Of an endpoint's response to an attempt. */
export const STORED_RESPONSE_LIMIT_CHARACTERS = 2048;
/** 13 attempts over 3 days. */
export const EVENT_RETRY_DELAYS_SECONDS = [
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
export const EVENT_RETRY_AFTER_LIMIT_SECONDS = 24 * 60 * 60;
/** How long a replaced webhook secret still signs events. */
export const PREVIOUS_SECRET_LIFETIME_SECONDS = 24 * 60 * 60;
/** Receivers limit the number of signatures; the customer's package accepts eight. */
export const PREVIOUS_SECRETS_PER_DOMAIN = 4;
/** In both modes together. */
export const DOMAINS_PER_TENANT = 100;
/** In both modes together, not counting revoked keys. */
export const API_KEYS_PER_TENANT = 50;
/** Older revoked keys are deleted. */
export const REVOKED_API_KEYS_PER_TENANT = 50;
export const DELEGATION_CHECK_INTERVAL_SECONDS = 24 * 60 * 60;
