import { LOGIN_ERROR_STATUS, Refusal, type RefusalOptions } from "../protocol/errors.ts";

/** Every error code of the API with its status: those of a login, and those of the account and the hosted API. */
export const ERROR_STATUS = {
  ...LOGIN_ERROR_STATUS,
  invalid_api_key: 401,
  invalid_recovery_code: 401,
  domain_not_found: 404,
  session_already_authenticated: 409,
  domain_already_registered: 409,
  idempotency_conflict: 409,
  credential_taken: 409,
  last_credential: 409,
  domains_registered: 409,
  domain_not_registered: 422,
  domain_not_verified: 422,
  domain_verification_failed: 422,
  quota_exceeded: 422,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/**
 * A refusal with any code of the API; `rate_limited` is `tooManyRequests`'s own. `status` is given only where a code
 * has two.
 */
export class ApiError extends Refusal {
  override name = "ApiError";
  declare readonly code: ErrorCode;

  constructor(code: Exclude<ErrorCode, "rate_limited">, message: string, options: RefusalOptions = {}) {
    super(code, message, { status: ERROR_STATUS[code], ...options });
  }
}
