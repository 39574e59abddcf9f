import { type Refusal, refusal } from "#packages/login/protocol/errors.ts";
import type { ApiMode } from "../contract/tenant.ts";
import { requireWebhookUrl } from "../domains/webhook-url.ts";

/** A session's URLs must not send an event or a user to another domain (docs/protocol.md#52-sessions). */

/**
 * Null to use the domain's webhook URL.
 * @throws {Refusal} 400 if it is neither the registered URL nor a valid webhook URL on the domain's own host
 */
export function resolveSessionWebhookUrl(
  text: string | undefined,
  { mode, domain, registered }: { mode: ApiMode; domain: string; registered: string },
): string | null {
  if (text === undefined) return null;
  // The registered URL remains valid even if the rules have become stricter.
  if (URL.parse(text)?.href === registered) return null;
  const url = new URL(requireWebhookUrl(text, { mode }));
  if (url.hostname !== domain) {
    throw invalidField("webhook_url", `expected the domain's registered webhook URL, or one on ${domain}`);
  }
  // Whether plain HTTP is allowed depends on the name's IP addresses, which were checked only if the registered URL
  // also uses plain HTTP.
  if (url.protocol === "http:" && !registered.startsWith("http:")) {
    throw invalidField("webhook_url", "expected an https URL");
  }
  return url.href;
}

/**
 * A URL whose host all parsers read in the same way: without a user name, and without characters that some parsers skip
 * or decode.
 */
const PLAIN_HOST = /^https?:\/\/[^/?#\\@%\s]+(?:[/?#][^\s\p{Cc}]*)?$/iu;

/** @throws {Refusal} 400 unless the URL is https on the domain or, in test mode, http on localhost */
export function assertReturnUrl(
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
