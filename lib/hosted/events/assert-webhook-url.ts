import { setTimeout as sleep } from "node:timers/promises";
import { type Refusal, refusal } from "#lib/login/protocol/errors.ts";
import { env } from "#lib/platform/env.ts";
import {
  checkAddresses,
  checkOutboundUrl,
  isInRanges,
  literalOf,
  NO_PUBLIC_ADDRESS,
  OutboundRefusal,
  outboundPolicy,
} from "#lib/platform/net/outbound-policy.ts";
import { ResolveError, resolveAddresses } from "#lib/platform/net/resolve.ts";
import type { OutboundAnswer } from "#lib/platform/net/send-request.ts";
import { type ApiMode, TEST_INBOX_PATH } from "../contract/tenant.ts";
import { type InnerNames, NO_ADDRESS, readWebhookUrl } from "../domains/webhook-url.ts";

/** A registration does not wait for slow name servers: every attempt checks again. */
const PATIENCE_MS = 1_000;

/**
 * The test inbox, a webhook for tenants that have none yet. An event to it is signed, attempted and kept like any
 * other, but not sent: its tenant reads it in the console. Nothing listens at the URL, so nobody can post to it.
 */
export function testInboxUrl(): string {
  return env().APP_URL.origin + TEST_INBOX_PATH;
}

/** True for the test inbox, which takes only events of test mode. */
export function isTestInbox(url: string, mode: ApiMode): boolean {
  return mode === "test" && url === testInboxUrl();
}

/** What the test inbox answers. */
export const TAKEN_BY_INBOX: OutboundAnswer = {
  status: 200,
  headers: {},
  body: Buffer.from("Kept in the test inbox."),
  cut: null,
};

/**
 * Checks a webhook URL without resolving its name, which every attempt does.
 * @returns the URL as it is stored
 * @throws {Refusal} 400 with `details.fields.webhook_url`
 */
export function assertWebhookUrl(text: string, { mode }: { mode: ApiMode }): string {
  // Nothing is sent to the test inbox, so its host may be a name that no event could be sent to.
  if (isTestInbox(text, mode)) return text;
  if (text === testInboxUrl()) throw refused("the test inbox takes the events of test mode alone");
  const read = readWebhookUrl(text, innerNames(mode));
  if ("wrong" in read) throw refused(read.wrong);
  const policy = outboundPolicy(mode);
  const literal = literalOf(read.url);
  if (literal && !isInRanges(literal, policy.allowed)) throw refused(NO_ADDRESS);
  return orRefuse(() => checkOutboundUrl(read.url.href, policy)).href;
}

/**
 * Like `assertWebhookUrl`, and checks what the name resolves to now. With https a name may not resolve yet: attempts
 * then fail, and their log says why. Plain http is only for allowed ranges, and a name without an address is in none.
 */
export async function assertWebhookUrlReachable(text: string, { mode }: { mode: ApiMode }): Promise<string> {
  const href = assertWebhookUrl(text, { mode });
  const url = new URL(href);
  if (isTestInbox(href, mode) || literalOf(url)) return href;
  const policy = outboundPolicy(mode);
  const addresses = await resolveQuickly(url.hostname, policy.nameServers);
  if (url.protocol === "http:" && addresses.length === 0) throw refused(NO_PUBLIC_ADDRESS);
  orRefuse(() => checkAddresses(url, addresses, policy));
  return href;
}

function innerNames(mode: ApiMode): InnerNames {
  const { WEBHOOK_ALLOW_CIDRS, DEMO } = env();
  if (WEBHOOK_ALLOW_CIDRS.length > 0) return "any";
  return DEMO && mode === "test" ? "loopback" : "none";
}

async function resolveQuickly(hostname: string, nameServers: readonly string[]): Promise<string[]> {
  const known = resolveAddresses(hostname, nameServers).catch((error: unknown) => {
    if (error instanceof ResolveError) return [];
    throw error;
  });
  return Promise.race([known, sleep(PATIENCE_MS, [], { ref: false })]);
}

function orRefuse<Checked>(check: () => Checked): Checked {
  try {
    return check();
  } catch (error) {
    throw error instanceof OutboundRefusal ? refused(error.message) : error;
  }
}

function refused(wrong: string): Refusal {
  return refusal("invalid_request", `The webhook URL cannot be used: ${wrong}.`, {
    details: { fields: { webhook_url: wrong } },
  });
}
