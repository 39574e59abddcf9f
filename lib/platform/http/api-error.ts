import { Refusal, type RefusalOptions } from "#lib/login/protocol/errors.ts";
import { ERROR_STATUS, type ErrorCode } from "./error.ts";

/** A refusal with any code of the API. `status` is given only where a code has two. */
export class ApiError extends Refusal {
  override name = "ApiError";
  declare readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options: RefusalOptions = {}) {
    super(code, message, { status: ERROR_STATUS[code], ...options });
  }
}
