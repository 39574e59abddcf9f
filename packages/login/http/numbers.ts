/** The total, including names and line breaks (docs/protocol.md#22-hostile-input). */
export const HEADERS_LIMIT_BYTES = 16 * 1024;
/** A browser sends about twenty, and proxies add a few. */
export const HEADER_LINES_LIMIT = 128;
/** Path and query. */
export const URI_LIMIT_BYTES = 4 * 1024;
/** Applies to a query and to a form. */
export const FIELDS_LIMIT = 64;
/** docs/protocol.md#22-hostile-input */
export const BODY_LIMIT_BYTES = 64 * 1024;
export const BODY_DEADLINE_SECONDS = 10;
/** The protocol itself needs 3 levels. */
export const JSON_DEPTH_LIMIT = 16;
/** When it ends, the browser reconnects automatically. */
export const EVENT_STREAM_LIFETIME_SECONDS = 60;
/** An open stream sends a comment this often to keep the connection alive. */
export const EVENT_STREAM_HEARTBEAT_SECONDS = 15;
/** Further pages poll instead. */
export const EVENT_STREAMS_PER_PROCESS = 12_000;
/** A whole office might share an address. This is twice the number of browsers that may poll from one address. */
export const EVENT_STREAMS_PER_ADDRESS = 200;

export const READINESS_TIMEOUT_SECONDS = 1;

/** From resolving the host name to the end of the response (docs/protocol.md#56-events). */
export const OUTBOUND_DEADLINE_SECONDS = 15;
/** docs/protocol.md#56-events */
export const OUTBOUND_RESPONSE_LIMIT_BYTES = 64 * 1024;

/** A window starts with its first request. */
export const LIMIT_WINDOW_SECONDS = 60;

// Requests per minute and client address (docs/protocol.md#24-limits).
const ISSUE_PER_MINUTE = 120;
const RESPONSES_PER_MINUTE = 120;
const POLL_PER_MINUTE = 1200;
const FAILED_AUTHENTICATION_PER_MINUTE = 60;
const PAGES_PER_MINUTE = 600;
const CONFORMANCE_RUNS_PER_MINUTE = 10;
const ACCOUNT_PER_MINUTE = 120;

/**
 * An IPv6 /48 network may send this many times the requests of one client, which is a /64 (docs/protocol.md#24-limits).
 */
export const NETWORK_LIMIT_FACTOR = 8;

/** Requests per minute and tenant, by operation (docs/protocol.md#24-limits). */
export const TENANT_LIMITS_PER_MINUTE = {
  /** POST /sessions */
  create_session: 100,
  /** GET /sessions/* */
  read_session: 300,
  /** POST /verify */
  verify: 200,
  other: 300,
} as const;

/**
 * Applies to one client address on a customer's page, which creates sessions and refreshes codes for strangers. These
 * requests count against the tenant's limit.
 */
const CLIENT_PART_OF_TENANT = 1 / 5;

/** Each limit counts the requests of one client address or of one tenant. */
export const REQUESTS_PER_MINUTE = {
  qr: ISSUE_PER_MINUTE,
  check: POLL_PER_MINUTE,
  events: POLL_PER_MINUTE,
  "webhook-login": RESPONSES_PER_MINUTE,
  "webhook-register": RESPONSES_PER_MINUTE,
  "webhook-undo": RESPONSES_PER_MINUTE,
  "webhook-sessions": RESPONSES_PER_MINUTE,
  "customer-session": TENANT_LIMITS_PER_MINUTE.create_session * CLIENT_PART_OF_TENANT,
  "customer-qr": TENANT_LIMITS_PER_MINUTE.other * CLIENT_PART_OF_TENANT,
  "hosted-demo-check": POLL_PER_MINUTE,
  "hosted-demo-trace": POLL_PER_MINUTE,
  getqrcode: ISSUE_PER_MINUTE,
  fastauth: RESPONSES_PER_MINUTE,
  checkfast: POLL_PER_MINUTE,
  "conformance-runs": CONFORMANCE_RUNS_PER_MINUTE,
  "conformance-run": POLL_PER_MINUTE,
  "conformance-codes": ISSUE_PER_MINUTE,
  "conformance-answers": RESPONSES_PER_MINUTE,
  "failed-key": FAILED_AUTHENTICATION_PER_MINUTE,
  "failed-sign-in": FAILED_AUTHENTICATION_PER_MINUTE,
  "failed-entrance": FAILED_AUTHENTICATION_PER_MINUTE,
  account: ACCOUNT_PER_MINUTE,
  page: PAGES_PER_MINUTE,
  ...TENANT_LIMITS_PER_MINUTE,
} as const;

export const REQUESTS_PER_HOUR = {
  recovery: 5,
  /** Per signed-in user and client address. Checks do not use up attempts. */
  "recovery-check": 5,
  /** Per tenant, to unverified domains, in both modes together. */
  "unverified-test-event": 10,
} as const;

export const REQUESTS_PER_DAY = {
  "account-export": 10,
} as const;
