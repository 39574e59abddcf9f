import { randomUUID } from "node:crypto";
import { answerHeaders, type HeaderSettings } from "#lib/platform/http/security-headers.ts";

/**
 * The security headers of one page: a content security policy with a nonce that no other answer has, and the rest.
 * @param sent the request's headers
 * @returns `forwarded`, the request's headers for the framework, which takes the nonce for its scripts from there;
 *   and the `headers` of the answer
 */
export function protectedPage(sent: Headers, settings: HeaderSettings) {
  const { policy, headers } = answerHeaders(settings, "page");
  const forwarded = new Headers(sent);
  forwarded.set("Content-Security-Policy", policy);
  return { forwarded, headers: { ...Object.fromEntries(headers), "X-Request-Id": randomUUID() } };
}
