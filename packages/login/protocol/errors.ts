/** docs/protocol.md#21-errors: a code for programs, a status, and a message for people. */

/**
 * Only two codes have a second status: `invalid_signature` in the hosted API's `/verify`, and `session_not_found` in
 * `POST /api/svc/sign-in`.
 */
export const ERROR_STATUS = {
  invalid_request: 400,
  not_signed_in: 401,
  forbidden: 403,
  approval_required: 403,
  user_not_found: 404,
  session_not_found: 404,
  not_found: 404,
  invalid_signature: 406,
  intent_mismatch: 406,
  method_not_allowed: 405,
  challenge_expired: 408,
  session_expired: 410,
  payload_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  service_unavailable: 503,
  invalid_api_key: 401,
  invalid_recovery_code: 401,
  domain_not_found: 404,
  session_already_authenticated: 409,
  domain_already_registered: 409,
  idempotency_conflict: 409,
  credential_taken: 409,
  already_linked: 409,
  last_credential: 409,
  domains_registered: 409,
  domain_not_registered: 422,
  domain_not_verified: 422,
  domain_verification_failed: 422,
  quota_exceeded: 422,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

export type RefusalOptions = {
  /** Every error response contains `details`, even if it is an empty object. */
  details?: Record<string, unknown>;
  headers?: Record<string, string>;
  status?: number;
};

/** Marks instances of every copy of the class `Refusal` in a process. */
const REFUSAL = Symbol.for("svc-login.refusal");

/**
 * Code below an endpoint throws this error, and the endpoint renders it. Each of the framework's bundles has its own
 * copy of this class, but `instanceof` works across copies.
 */
export class Refusal extends Error {
  static override [Symbol.hasInstance](thrown: unknown): thrown is Refusal {
    return thrown instanceof Error && REFUSAL in thrown;
  }

  override name = "Refusal";
  readonly [REFUSAL] = true;
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: Record<string, unknown>;
  readonly headers: Record<string, string>;

  /** @param message describes the error and what to do next */
  constructor(code: ErrorCode, message: string, options: RefusalOptions = {}) {
    super(message);
    this.code = code;
    this.status = options.status ?? ERROR_STATUS[code];
    this.details = options.details ?? {};
    this.headers = options.headers ?? {};
  }
}

/** `rateLimitRefusal` creates the refusals with `rate_limited`, because they must include the limit. */
export function refusal(
  code: Exclude<ErrorCode, "rate_limited">,
  message: string,
  options?: RefusalOptions,
): Refusal {
  return new Refusal(code, message, options);
}

/** docs/protocol.md#21-errors */
export type ErrorBody = { error: { code: string; message: string; details: Record<string, unknown> } };

export function errorBody(code: string, message: string, details: Record<string, unknown> = {}): ErrorBody {
  return { error: { code, message, details } };
}

/**
 * `intent_mismatch`: the wallet showed an intent that differs from the code's. `foreign_key`: the key is barred from
 * answering a code with this intent.
 */
export const REFUSAL_REASONS = [
  "challenge_expired",
  "invalid_signature",
  "intent_mismatch",
  "foreign_key",
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];
