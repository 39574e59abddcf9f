import { FIELDS_LIMIT } from "../numbers.ts";
import { ApiError } from "./api-error.ts";

/**
 * The fields of an urlencoded form.
 * @throws {ApiError} 400 when there are more of them than of a query's
 */
export function readForm(text: string): URLSearchParams {
  if (hasTooManyFields(text)) {
    throw new ApiError("invalid_request", `The form has more than ${FIELDS_LIMIT} fields. Send fewer.`);
  }
  return new URLSearchParams(text);
}

/** Whether an urlencoded query or form has more fields than are read. */
export function hasTooManyFields(text: string): boolean {
  return text.split("&").filter(Boolean).length > FIELDS_LIMIT;
}
