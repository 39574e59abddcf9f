import { fail } from "./check.ts";
import type { Answer } from "./http-client.ts";

/** Section 2.1: errors have one shape. */

/** Codes by status; a site may have more statuses, and none of these with another code. */
export const CODES: Record<number, readonly string[]> = {
  400: ["invalid_request", "invalid_signature"],
  401: ["invalid_api_key", "not_signed_in", "invalid_recovery_code"],
  403: ["approval_required", "forbidden"],
  404: ["user_not_found", "session_not_found", "domain_not_found", "not_found"],
  405: ["method_not_allowed"],
  406: ["invalid_signature", "intent_mismatch"],
  408: ["challenge_expired"],
  409: [
    ...["session_already_authenticated", "domain_already_registered", "idempotency_conflict"],
    ...["credential_taken", "last_credential", "domains_registered"],
  ],
  410: ["session_expired"],
  413: ["payload_too_large"],
  414: ["uri_too_long"],
  415: ["unsupported_media_type"],
  422: ["domain_not_registered", "domain_not_verified", "domain_verification_failed", "quota_exceeded"],
  429: ["rate_limited"],
  431: ["headers_too_large"],
  500: ["internal_error"],
  503: ["service_unavailable"],
};

export function isErrorBody(
  body: unknown,
): body is { error: { code: string; message: string; details: object } } {
  const { error } = (body ?? {}) as { error?: Record<string, unknown> };
  const { code, message, details } = error ?? {};
  const isObject = typeof details === "object" && details !== null && !Array.isArray(details);
  return typeof code === "string" && typeof message === "string" && message !== "" && isObject;
}

export function expectErrorBody(answer: Answer, what: string): void {
  if (!/^application\/json\b/.test(answer.headers["content-type"] ?? "")) {
    fail(
      `${what}: the ${answer.status} of ${answer.name} is ${answer.headers["content-type"] ?? "of no type"}.`,
    );
  }
  if (!isErrorBody(answer.json)) {
    fail(`${what}: the ${answer.status} of ${answer.name} is ${answer.text.slice(0, 200)}.`);
  }
}
