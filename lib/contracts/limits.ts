/**
 * Every number of the specification (section 8) and of its gaps' settlement (the contract),
 * each with one name and its unit in the name. Isomorphic: no imports.
 */

/** Specification 8: a challenge lives 30 seconds by its own issue time. */
export const CHALLENGE_LIFETIME_SECONDS = 30;
/** Specification 8: the browser asks for a new code every 30 seconds. */
export const QR_REFRESH_SECONDS = 30;
/** Specification 8: the browser asks for the status every 5 seconds. */
export const POLL_INTERVAL_SECONDS = 5;
/** Specification 2.1: characters in a challenge's nonce. */
export const NONCE_LENGTH = 32;

/** Specification 2.7: challenges kept for a session of flow C; the fifth pushes out the first. */
export const FAST_CHALLENGES_KEPT = 4;
/** Specification 8, contract 6: each of them lives two minutes. */
export const FAST_CHALLENGE_LIFETIME_SECONDS = 120;

/** A login session that was not refreshed for this long is over (contract 4). */
export const LOGIN_SESSION_IDLE_SECONDS = 10 * 60;
/** An ended login session is kept this long, so that its status reads 410 and not 404. */
export const LOGIN_SESSION_KEPT_SECONDS = 24 * 60 * 60;
/** A login's event log is kept 30 days (contract 7). */
export const LOGIN_EVENT_KEPT_SECONDS = 30 * 24 * 60 * 60;
/** A browser stays signed in this long; then the wallet is asked again. */
export const BROWSER_SESSION_SECONDS = 7 * 24 * 60 * 60;
/** A key's approval, or the sign-in, lets a browser change the account for this long (contract 3). */
export const APPROVAL_SECONDS = 10 * 60;
/** A browser whose sign-in was not answered gets the session that it opened for this long. */
export const SIGN_IN_REPEATED_SECONDS = 60;
/** A signed-in browser's last-seen time is written at most this often. */
export const BROWSER_SESSION_TOUCH_SECONDS = 5 * 60;

/** Largest request target: path and query (contract 2). */
export const URI_LIMIT_BYTES = 4 * 1024;
/** Most fields in a query (contract 2), or in a form. */
export const FIELDS_LIMIT = 64;
/** Largest headers of a request, names and line ends included (contract 2). */
export const HEADERS_LIMIT_BYTES = 16 * 1024;
/** Most header lines of a request: a browser sends some twenty, proxies add a few. */
export const HEADER_LINES_LIMIT = 128;
/** What is kept of a `User-Agent`: real ones are half as long. */
export const USER_AGENT_KEPT_CHARACTERS = 512;
/** Largest request body (contract 2). */
export const BODY_LIMIT_BYTES = 64 * 1024;
/** A request body has to arrive within this time. */
export const BODY_DEADLINE_SECONDS = 10;
/** Deepest nesting accepted in a JSON body; the specification's deepest is 3. */
export const JSON_DEPTH_LIMIT = 16;
/** An event stream ends after this long; the browser reconnects by itself. */
export const EVENT_STREAM_SECONDS = 60;
/** An open event stream gets a comment this often. */
export const EVENT_STREAM_BEAT_SECONDS = 15;
/** Event streams that a process holds open; beyond them the poll is enough. */
export const EVENT_STREAMS_PER_PROCESS = 12_000;
/** Event streams to one client address, which may be an office's: as many as its polls allow browsers, twice. */
export const EVENT_STREAMS_PER_ADDRESS = 200;

/**
 * A query without an answer is given up after this long (contract 2), and a request waits no longer than that for the
 * database in all, whatever number of queries it needs.
 */
export const DATABASE_WAIT_SECONDS = 10;
/** Who asks whether the database answers hears of it within this time (contract 2: 2 s, the way there included). */
export const READY_WAIT_SECONDS = 1;

// Requests a minute and client address (contract 2).
const ISSUE_PER_MINUTE = 120;
const DELIVERY_PER_MINUTE = 120;
const POLL_PER_MINUTE = 1200;
const FAILED_AUTHENTICATION_PER_MINUTE = 60;
const PAGES_PER_MINUTE = 600;

/** A network of IPv6 clients, a /48, has so many times the share of one of them, a /64 (contract 2). */
export const CLIENTS_PER_NETWORK = 8;

/** Specification 8 and ours: requests a minute and owner of API keys, by what is asked for. */
export const OWNER_LIMITS_PER_MINUTE = {
  /** POST /sessions */
  create_session: 100,
  /** GET /sessions/* */
  read_session: 300,
  /** POST /verify */
  verify: 200,
  /** Everything else: ours. */
  other: 300,
} as const;

/** The named limits: by client address, where each endpoint counts by itself, or by owner of API keys. */
export const REQUESTS_PER_MINUTE = {
  qr: ISSUE_PER_MINUTE,
  check: POLL_PER_MINUTE,
  events: POLL_PER_MINUTE,
  "webhook-login": DELIVERY_PER_MINUTE,
  "webhook-register": DELIVERY_PER_MINUTE,
  "webhook-sessions": DELIVERY_PER_MINUTE,
  "hosted-demo-qr": ISSUE_PER_MINUTE,
  "hosted-demo-check": POLL_PER_MINUTE,
  getqrcode: ISSUE_PER_MINUTE,
  fastauth: DELIVERY_PER_MINUTE,
  checkfast: POLL_PER_MINUTE,
  "failed-key": FAILED_AUTHENTICATION_PER_MINUTE,
  "failed-sign-in": FAILED_AUTHENTICATION_PER_MINUTE,
  "failed-entrance": FAILED_AUTHENTICATION_PER_MINUTE,
  page: PAGES_PER_MINUTE,
  ...OWNER_LIMITS_PER_MINUTE,
} as const;

/** An `Idempotency-Key` is honoured this long (contract 5). */
export const IDEMPOTENCY_SECONDS = 24 * 60 * 60;
/** An authenticated session of the hosted API can be read this long (contract 5). */
export const AUTHENTICATED_READABLE_SECONDS = 24 * 60 * 60;
/** Largest `custom_data`, in UTF-8 (contract 5). */
export const CUSTOM_DATA_LIMIT_BYTES = 4 * 1024;
/** Domains of one owner, of both modes together (contract 5). */
export const DOMAINS_PER_OWNER = 100;
/** API keys of one owner that are not revoked, of both modes together (contract 5). */
export const API_KEYS_PER_OWNER = 50;
/** Revoked keys of one owner that are still listed, the latest ones. */
export const REVOKED_API_KEYS_KEPT = 50;
/** An API key's last use is written at most this often. */
export const API_KEY_TOUCH_SECONDS = 60;

/** An outbound request, from the look-up of its host to the end of its answer (contract 5). */
export const OUTBOUND_DEADLINE_SECONDS = 15;
/** What is read of an outbound request's answer (contract 5). */
export const OUTBOUND_ANSWER_LIMIT_BYTES = 64 * 1024;
/** What is kept of it for the log of deliveries. */
export const DELIVERY_ANSWER_KEPT_CHARACTERS = 2048;
/** Waits between the tries of an event: 13 tries over 3 days (contract 5). */
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
/** A rotated webhook secret signs along with the new one for this long (contract 5). */
export const ROTATED_SECRET_SECONDS = 24 * 60 * 60;
