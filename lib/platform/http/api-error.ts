import { ERROR_STATUS, type ErrorCode } from "./error.ts";

/**
 * A refusal that the caller is told about (specification 7). Thrown anywhere below a route, rendered once
 * by the endpoint wrapper.
 */
export class ApiError extends Error {
  override name = "ApiError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: Record<string, unknown>;
  readonly headers: Record<string, string>;

  /** `message` is for people: what is wrong and what to do next. `status` only where a code has two. */
  constructor(
    code: ErrorCode,
    message: string,
    {
      details = {},
      headers = {},
      status = ERROR_STATUS[code],
    }: { details?: Record<string, unknown>; headers?: Record<string, string>; status?: number } = {},
  ) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
    this.headers = headers;
  }
}
