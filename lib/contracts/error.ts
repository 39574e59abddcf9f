/**
 * The error codes of flows A and B with their statuses (specification 7, contract 2). One code, one
 * status; `invalid_signature` alone has two, so the delivery endpoints say theirs when they throw.
 */
export const ERROR_STATUS = {
  invalid_request: 400,
  invalid_signature: 406,
  invalid_api_key: 401,
  not_signed_in: 401,
  forbidden: 403,
  approval_required: 403,
  user_not_found: 404,
  session_not_found: 404,
  domain_not_found: 404,
  not_found: 404,
  method_not_allowed: 405,
  challenge_expired: 408,
  session_already_authenticated: 409,
  domain_already_registered: 409,
  idempotency_conflict: 409,
  credential_taken: 409,
  last_credential: 409,
  session_expired: 410,
  payload_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  domain_not_registered: 422,
  domain_not_verified: 422,
  domain_verification_failed: 422,
  quota_exceeded: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  service_unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** The body of every error of flows A and B (specification 7). */
export type ErrorBody = {
  error: { code: ErrorCode; message: string; details: Record<string, unknown> };
};

/** The error body for a code; `message` is for people and says what to do next. */
export function errorBody(
  code: ErrorCode,
  message: string,
  details: Record<string, unknown> = {},
): ErrorBody {
  return { error: { code, message, details } };
}
