import { type Refusal, refusal } from "#packages/login/protocol/errors.ts";
import type { ApiMode } from "../contract/tenant.ts";
import { assertWebhookUrl } from "../domains/webhook-url.ts";

/**
 * The URLs that a session may contain. They must not lead an event or a user to another domain
 * (docs/protocol.md#52-sessions).
 */

/**
 * Returns the URL for a session's event, or null if it is the domain's own webhook URL.
 * @throws {Refusal} 400 unless it is the registered URL, or a valid webhook URL on the domain's own host
 */
export function checkSessionWebhookUrl(
  text: string | undefined,
  { mode, domain, registered }: { mode: ApiMode; domain: string; registered: string },
): string | null {
  if (text === undefined) return null;
  // A registered URL stays valid, even if a rule has become stricter since.
  if (URL.parse(text)?.href === registered) return null;
  const url = new URL(assertWebhookUrl(text, { mode }));
  if (url.hostname !== domain) {
    throw invalidField("webhook_url", `expected the domain's registered webhook URL, or one on ${domain}`);
  }
  // Plain HTTP depends on the name's addresses, which were checked only if the registered URL is plain HTTP too.
  if (url.protocol === "http:" && !registered.startsWith("http:")) {
    throw invalidField("webhook_url", "expected an https URL");
  }
  return url.href;
}

/**
 * A URL whose host is the same for all parsers, without a user name or characters that only some of them skip or
 * decode.
 */
const PLAIN_HOST = /^https?:\/\/[^/?#\\@%\s]+(?:[/?#][^\s\p{Cc}]*)?$/iu;

/**
 * Checks the URL to which the user goes after the login.
 * @throws {Refusal} 400 unless it is https on the domain, or in test mode http on localhost
 */
export function checkReturnUrl(
  text: string | undefined,
  { mode, domain }: { mode: ApiMode; domain: string },
): void {
  if (text === undefined) return;
  const url = new URL(text);
  const local = mode === "test" && (domain === "localhost" || domain.endsWith(".localhost"));
  const secure = url.protocol === "https:" || (local && url.protocol === "http:");
  if (!secure || url.hostname !== domain || !PLAIN_HOST.test(text)) {
    throw invalidField("metadata.return_url", `expected ${local ? "http:// or " : ""}https:// on ${domain}`);
  }
}

function invalidField(field: string, message: string): Refusal {
  return refusal("invalid_request", `The body is not as expected: ${field}.`, {
    details: { fields: { [field]: message } },
  });
}
