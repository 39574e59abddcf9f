import { ApiError } from "#lib/login/http/api-error.ts";
import { env } from "#lib/platform/env.ts";
import { isInRanges } from "#lib/platform/net/address.ts";
import {
  checkAddresses,
  checkOutboundUrl,
  literalOf,
  NO_PUBLIC_ADDRESS,
  OutboundRefusal,
  outboundPolicy,
} from "#lib/platform/net/outbound-policy.ts";
import { ResolveError, resolveAddresses } from "#lib/platform/net/resolve.ts";
import type { ApiMode } from "../contract/tenant.ts";
import { type InnerNames, NO_ADDRESS, readWebhookUrl } from "../domains/webhook-url.ts";
import { isTestInbox, testInboxUrl } from "./test-inbox.ts";

/** A registration does not wait for slow name servers: every attempt checks again. */
const PATIENCE_MS = 1_000;

/**
 * Checks a webhook URL by what can be seen of it; where its name leads is checked when it is called.
 * @returns the URL as it is stored
 * @throws {ApiError} 400 with `details.fields.webhook_url`
 */
export function assertWebhookUrl(text: string, { mode }: { mode: ApiMode }): string {
  // Nothing is sent to it: it may stand on a name that no event could be sent to.
  if (isTestInbox(text, mode)) return text;
  if (text === testInboxUrl()) throw refused("the test inbox takes the events of test mode alone");
  const read = readWebhookUrl(text, innerNames(mode));
  if ("wrong" in read) throw refused(read.wrong);
  const policy = outboundPolicy(mode);
  const literal = literalOf(read.url);
  if (literal && !isInRanges(literal, policy.allowed)) throw refused(NO_ADDRESS);
  try {
    return checkOutboundUrl(read.url.href, policy).href;
  } catch (error) {
    throw asApiError(error);
  }
}

/**
 * The same, and checks what its name resolves to now. With https a name that does not resolve yet is accepted;
 * attempts then fail, and their log says why. Plain http is only for allowed ranges, and a name without an address is
 * in none.
 * @throws {ApiError} as `assertWebhookUrl`
 */
export async function assertWebhookUrlReachable(text: string, { mode }: { mode: ApiMode }): Promise<string> {
  const href = assertWebhookUrl(text, { mode });
  if (isTestInbox(href, mode)) return href;
  const policy = outboundPolicy(mode);
  const url = new URL(href);
  if (literalOf(url)) return href;
  const addresses = await resolveQuickly(url.hostname, policy.nameServers);
  if (url.protocol === "http:" && addresses.length === 0) throw refused(NO_PUBLIC_ADDRESS);
  try {
    checkAddresses(url, addresses, policy);
  } catch (error) {
    throw asApiError(error);
  }
  return href;
}

function innerNames(mode: ApiMode): InnerNames {
  const { WEBHOOK_ALLOW_CIDRS, DEMO } = env();
  if (WEBHOOK_ALLOW_CIDRS.length > 0) return "any";
  return DEMO && mode === "test" ? "loopback" : "none";
}

async function resolveQuickly(hostname: string, nameServers: readonly string[]): Promise<string[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string[]>((resolve) => {
    timer = setTimeout(() => resolve([]), PATIENCE_MS);
  });
  const known = resolveAddresses(hostname, nameServers).catch((error: unknown) => {
    if (error instanceof ResolveError) return [];
    throw error;
  });
  return Promise.race([known, late]).finally(() => clearTimeout(timer));
}

function asApiError(error: unknown): unknown {
  return error instanceof OutboundRefusal ? refused(error.message) : error;
}

function refused(wrong: string): ApiError {
  return new ApiError("invalid_request", `The webhook URL cannot be used: ${wrong}.`, {
    details: { fields: { webhook_url: wrong } },
  });
}
