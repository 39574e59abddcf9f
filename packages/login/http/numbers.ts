/** The numbers of the platform. Each has one name, which includes the unit, and is defined only here. */

/** The largest total size of a request's headers, including names and line ends (docs/protocol.md#22-hostile-input). */
export const HEADERS_LIMIT_BYTES = 16 * 1024;
/** The largest number of header lines in a request. A browser sends about twenty, and proxies add a few. */
export const HEADER_LINES_LIMIT = 128;
/** The largest request target (path and query). */
export const URI_LIMIT_BYTES = 4 * 1024;
/** The largest number of fields in a query or a form. */
export const FIELDS_LIMIT = 64;
/** The largest request body (docs/protocol.md#22-hostile-input). */
export const BODY_LIMIT_BYTES = 64 * 1024;
/** The time within which a request body has to arrive. */
export const BODY_DEADLINE_SECONDS = 10;
/** The deepest nesting in a JSON body. The protocol itself needs 3 levels. */
export const JSON_DEPTH_LIMIT = 16;
/** The time after which an event stream ends. The browser then reconnects automatically. */
export const EVENT_STREAM_SECONDS = 60;
/** The interval at which an open event stream gets a comment. */
export const EVENT_STREAM_HEARTBEAT_SECONDS = 15;
/** The largest number of event streams that a process holds open. Other pages poll. */
export const EVENT_STREAMS_PER_PROCESS = 12_000;
/**
 * The largest number of event streams to one client address, which a whole office may share. This is twice the number
 * of browsers that the limit on polls allows.
 */
export const EVENT_STREAMS_PER_ADDRESS = 200;

/** How long `/readyz` waits for the database. */
export const READY_WAIT_SECONDS = 1;

/**
 * The time limit for an outbound request, from the lookup of its host to the end of the response
 * (docs/protocol.md#56-events).
 */
export const OUTBOUND_DEADLINE_SECONDS = 15;
/** The maximum number of bytes that are read from the response to an outbound request (docs/protocol.md#56-events). */
export const OUTBOUND_ANSWER_LIMIT_BYTES = 64 * 1024;

/** The window of most limits. It begins with the first request. */
export const WINDOW_SECONDS = 60;

// Requests per minute and client address (docs/protocol.md#24-limits).
const ISSUE_PER_MINUTE = 120;
const RESPONSES_PER_MINUTE = 120;
const POLL_PER_MINUTE = 1200;
const FAILED_AUTHENTICATION_PER_MINUTE = 60;
const PAGES_PER_MINUTE = 600;
const CONFORMANCE_RUNS_PER_MINUTE = 10;
const ACCOUNT_PER_MINUTE = 120;

/**
 * The factor by which the limit of an IPv6 /48 network exceeds that of one client, a /64 (docs/protocol.md#24-limits).
 */
export const CLIENTS_PER_NETWORK = 8;

/** Requests per minute and tenant, by operation (docs/protocol.md#24-limits). */
export const TENANT_LIMITS_PER_MINUTE = {
  /** POST /sessions */
  create_session: 100,
  /** GET /sessions/* */
  read_session: 300,
  /** POST /verify */
  verify: 200,
  /** Everything else. */
  other: 300,
} as const;

/**
 * The share of a tenant's limit that one client address may use. It applies where strangers' requests count towards
 * that limit, because a customer's page creates sessions and refreshes their codes.
 */
const CLIENT_PART_OF_TENANT = 1 / 5;

/** The named limits per minute: by client address, separately for each endpoint, or by tenant. */
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

/** The named limits per hour. */
export const REQUESTS_PER_HOUR = {
  /** Attempts with recovery codes, per client address. */
  recovery: 5,
  /**
   * Checks of a recovery code by a signed-in user, per client address. They are counted separately, so that checks do
   * not use up attempts.
   */
  "recovery-check": 5,
  /** Test events to unverified domains, per tenant, for both modes together. */
  "unverified-test-event": 10,
} as const;

/** The named limits per day. */
export const REQUESTS_PER_DAY = {
  /** Exports of an account, per user. */
  "account-export": 10,
} as const;
