/** The errors of a login: a code for programs, a status, a message for people (docs/protocol.md#21-errors). */

/** One code, one status; only `invalid_signature` has a second one, in the hosted API's `/verify`. */
export const LOGIN_ERROR_STATUS = {
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
} as const;

export type LoginErrorCode = keyof typeof LOGIN_ERROR_STATUS;

export type RefusalOptions = {
  /** For programs; always an object in the answer. */
  details?: Record<string, unknown>;
  /** Headers of the answer. */
  headers?: Record<string, string>;
  status?: number;
};

/** What every copy of the class `Refusal` in a process gives its objects. */
const REFUSAL = Symbol.for("svc-login.refusal");

/**
 * A refusal that the caller reads in the answer. Thrown anywhere below an endpoint and rendered once, at its door. The
 * framework gives each bundle its own copy of this class, and a refusal is an instance of all of them.
 */
export class Refusal extends Error {
  static override [Symbol.hasInstance](thrown: unknown): thrown is Refusal {
    return thrown instanceof Error && REFUSAL in thrown;
  }

  override name = "Refusal";
  readonly [REFUSAL] = true;
  readonly code: string;
  readonly status: number;
  readonly details: Record<string, unknown>;
  readonly headers: Record<string, string>;

  /** @param message says what is wrong and what to do next */
  constructor(code: string, message: string, { status = 500, details = {}, headers = {} }: RefusalOptions) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
    this.headers = headers;
  }
}

/** A refusal with one of the login's own codes. A login counts nobody: who does says which limit refused. */
export function refusal(
  code: Exclude<LoginErrorCode, "rate_limited">,
  message: string,
  options: RefusalOptions = {},
): Refusal {
  return new Refusal(code, message, { status: LOGIN_ERROR_STATUS[code], ...options });
}

/** The body of every JSON error (docs/protocol.md#21-errors). */
export type ErrorBody = { error: { code: string; message: string; details: Record<string, unknown> } };

export function errorBody(code: string, message: string, details: Record<string, unknown> = {}): ErrorBody {
  return { error: { code, message, details } };
}

/**
 * Why a wallet response was refused. `intent_mismatch`: the wallet showed its user another intent than the code's own.
 * `foreign_key`: the key may not answer a code of this intent.
 */
export const REFUSAL_REASONS = [
  "challenge_expired",
  "invalid_signature",
  "intent_mismatch",
  "foreign_key",
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];
