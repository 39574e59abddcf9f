import { setTimeout as sleep } from "node:timers/promises";
import { domainToUnicode } from "node:url";
import { env } from "#lib/platform/env.ts";
import {
  assertAddressesAllowed,
  getOutboundPolicy,
  type InternalHosts,
  isBlockedPort,
  isInRanges,
  NO_PUBLIC_ADDRESS_MESSAGE,
  type OutboundPolicy,
  OutboundRefusal,
  parseIpLiteral,
  parseOutboundUrl,
} from "#lib/platform/net/outbound-policy.ts";
import { NameResolutionError, resolveAddresses } from "#lib/platform/net/resolve.ts";
import { type Refusal, refusal } from "#packages/login/protocol/errors.ts";
import { hasKnownSuffix, isPublicSuffix, parseDnsName } from "../contract/hostname.ts";
import { type ApiMode, TEST_INBOX_PATH } from "../contract/tenant.ts";

/** docs/protocol.md#55-webhook-urls */

const MAX_LENGTH = 2048;
const MAX_PORT = 65_535;
/** Registering a URL does not wait for slow name servers, because every attempt checks the name again. */
const PATIENCE_MS = 1_000;

/**
 * Suffixes that are not public: IANA's special-use domain names (RFC 6761) except those for documentation, names that
 * RFC 6762 (appendix G) and ICANN reserve for internal networks, and names that routers and operating systems use.
 */
const SPECIAL_SUFFIXES = [
  ...["alt", "arpa", "internal", "invalid", "local", "localhost", "onion", "test"],
  ...["corp", "home", "intranet", "lan", "mail", "private"],
  ...["domain", "localdomain", "workgroup"],
];

/**
 * The suffix of all hosts in documentation (RFC 6761, 6.5). It is not a public suffix, but names below it can be
 * registered.
 */
const DOCUMENTATION = "example";

/**
 * Validates only the text. Plain HTTP, and IP addresses instead of names, are only for private networks.
 * @returns the URL, or an error message for the person who chose it
 */
export function parseWebhookUrl(
  text: string,
  { internalHosts, allowed }: OutboundPolicy,
): { url: URL } | { wrong: string } {
  const url = URL.parse(text);
  const wrong = wrongText(text, url, internalHosts);
  if (wrong) return { wrong };
  if (!url) return { wrong: ABSOLUTE };
  const literal = parseIpLiteral(url);
  if (literal && !isInRanges(literal, allowed)) return { wrong: NO_ADDRESS };
  if (url.protocol === "http:" && internalHosts === "none") return { wrong: "expected an https URL" };
  // The normalised text is stored, sent and shown, and can be longer than the input.
  return url.href.length > MAX_LENGTH ? { wrong: "expected up to 2,048 characters once encoded" } : { url };
}

const ABSOLUTE = "expected an absolute URL such as https://hooks.example.com/events";
const NO_FRAGMENT = "expected a URL without a fragment (#)";
const NO_NAME =
  "expected a valid host name: labels of 1 to 63 letters, digits and hyphens, 253 characters in all, no wildcard";
/** For an IP address where a name is required. */
const NO_ADDRESS = "expected a host name instead of an address";

/** The URL parser would hide these faults of the original text. */
function wrongText(text: string, url: URL | null, internalHosts: InternalHosts): string | null {
  if (text.length > MAX_LENGTH) return "expected up to 2,048 characters";
  if (text.includes("#")) return NO_FRAGMENT;
  const [, authority] = /^https?:\/\/([^/?#\\]+)(?=[/?]|$)/i.exec(text) ?? [];
  if (authority === undefined || /[\s\p{Cc}]/u.test(text)) return ABSOLUTE;
  if (authority.includes("@")) return "expected a URL without a user name or password";
  const [, bracketed, plain = "", , port] = /^(?:(\[.*\])|([^:]*))(:(.*))?$/s.exec(authority) ?? [];
  if (port !== undefined && !isPort(port)) return "expected no port, or one from 1 to 65535";
  if (isBlockedPort(Number(port))) return `expected another port: browsers block ${port}`;
  return bracketed ? null : wrongName(plain, url, internalHosts);
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_PORT;
}

function wrongName(text: string, url: URL | null, internalHosts: InternalHosts): string | null {
  // An IP address, in the parser's normalised notation.
  if (url && parseIpLiteral(url)) return null;
  const name = parseDnsName(text);
  if (name === null || url?.hostname !== name || !isPunycode(name)) return NO_NAME;
  if (internalHosts === "any" && (!name.includes(".") || isSpecial(name))) return null;
  if (internalHosts === "loopback" && isLoopback(name)) return null;
  if (isSpecial(name)) return `expected a public host name: names under .${lastLabel(name)} are not public`;
  if (!name.includes(".")) return "expected a public host name, of two labels or more";
  if (lastLabel(name) === DOCUMENTATION) return null;
  if (!hasKnownSuffix(name)) {
    return `expected a public host name: the public suffix list has no .${lastLabel(name)}`;
  }
  return isPublicSuffix(name) ? `expected a host name below ${name}, which is a public suffix` : null;
}

/**
 * Returns whether every `xn--` label encodes letters. `domainToUnicode` leaves other labels unchanged, and URLs may
 * contain them.
 */
export function isPunycode(name: string): boolean {
  return !/(^|\.)xn--/.test(domainToUnicode(name));
}

const lastLabel = (name: string) => name.slice(name.lastIndexOf(".") + 1);
const isSpecial = (name: string) => SPECIAL_SUFFIXES.includes(lastLabel(name));
const isLoopback = (name: string) => lastLabel(name) === "localhost";

/**
 * A webhook for tenants that do not have one yet. An event to this URL is signed, attempted and stored like any other,
 * but not sent. The console shows the event to the tenant. No server listens at this URL, so no one can post to it.
 */
export function testInboxUrl(): string {
  return env().APP_URL.origin + TEST_INBOX_PATH;
}

/** The test inbox accepts only events in test mode. */
export function isTestInbox(url: string, mode: ApiMode): boolean {
  return mode === "test" && url === testInboxUrl();
}

/**
 * Does not resolve the host name: every attempt resolves it again.
 * @returns the URL as it is stored
 * @throws {Refusal} 400 with `details.fields.webhook_url`
 */
export function requireWebhookUrl(text: string, { mode }: { mode: ApiMode }): string {
  // The test inbox does not need a public hostname, because events are not sent to it.
  if (isTestInbox(text, mode)) return text;
  if (text === testInboxUrl()) throw invalidUrl("the test inbox accepts only events of test mode");
  const policy = getOutboundPolicy(mode);
  const read = parseWebhookUrl(text, policy);
  if ("wrong" in read) throw invalidUrl(read.wrong);
  return orRefuse(() => parseOutboundUrl(read.url.href, policy)).href;
}

/**
 * Like `requireWebhookUrl`, but also checks the IP addresses to which the name currently resolves. An https URL's name
 * need not resolve yet; attempts would fail and log the reason. Plain HTTP is only allowed to certain ranges of IP
 * addresses, so the name must resolve.
 */
export async function requireReachableWebhookUrl(text: string, { mode }: { mode: ApiMode }): Promise<string> {
  const href = requireWebhookUrl(text, { mode });
  const url = new URL(href);
  if (isTestInbox(href, mode) || parseIpLiteral(url)) return href;
  const policy = getOutboundPolicy(mode);
  const addresses = await resolveQuickly(url.hostname, policy.nameServers);
  if (url.protocol === "http:" && addresses.length === 0) throw invalidUrl(NO_PUBLIC_ADDRESS_MESSAGE);
  orRefuse(() => assertAddressesAllowed(url, addresses, policy));
  return href;
}

async function resolveQuickly(hostname: string, nameServers: readonly string[]): Promise<string[]> {
  const addressesKnown = resolveAddresses(hostname, nameServers).catch((error: unknown) => {
    if (error instanceof NameResolutionError) return [];
    throw error;
  });
  return Promise.race([addressesKnown, sleep(PATIENCE_MS, [], { ref: false })]);
}

function orRefuse<Checked>(check: () => Checked): Checked {
  try {
    return check();
  } catch (error) {
    throw error instanceof OutboundRefusal ? invalidUrl(error.message) : error;
  }
}

function invalidUrl(wrong: string): Refusal {
  return refusal("invalid_request", `The webhook URL cannot be used: ${wrong}.`, {
    details: { fields: { webhook_url: wrong } },
  });
}
