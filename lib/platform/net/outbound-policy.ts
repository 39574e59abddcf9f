import { isIP } from "node:net";
import { env } from "../env.ts";
import { isInRanges, isPublicAddress, LOOPBACK_RANGES, type Ranges, rangesOf } from "./address.ts";

/** What outbound requests of one kind may reach. */
export type OutboundPolicy = {
  /** Ranges that may be reached although they are not public, and by plain http. */
  allowed: Ranges;
  /** True when `allowed` has none: plain http has nowhere to go. */
  publicOnly: boolean;
  /** The name servers to ask (`host:port`); the system's when empty. */
  nameServers: readonly string[];
};

/**
 * The policy of the configuration: `WEBHOOK_ALLOW_CIDRS`, and loopback for test mode in demo mode,
 * where the demo customer is the application itself.
 */
export function outboundPolicy(mode: "live" | "test"): OutboundPolicy {
  const { WEBHOOK_ALLOW_CIDRS, DNS_SERVERS, DEMO } = env();
  const demo = DEMO && mode === "test" ? LOOPBACK_RANGES : [];
  return policyOf([...WEBHOOK_ALLOW_CIDRS, ...demo], DNS_SERVERS);
}

/** A policy that lets `cidrs` through besides public addresses. */
export function policyOf(cidrs: readonly string[], nameServers: readonly string[]): OutboundPolicy {
  return { allowed: rangesOf(cidrs), publicOnly: cidrs.length === 0, nameServers };
}

/** A request that may not be sent; the message says why and is meant for the one who chose its URL. */
export class OutboundRefusal extends Error {
  override name = "OutboundRefusal";
}

const MAX_URL_LENGTH = 2048;

/**
 * One message for a host whose addresses are not allowed and for one that has none. Telling them apart, or naming an
 * address, would reveal names of an inner network (docs/protocol.md#55-webhook-urls).
 */
export const NO_PUBLIC_ADDRESS = "the host has no public address";

/**
 * Ports of other protocols that a request in plain text could be smuggled into (a part of the Fetch standard's bad
 * ports). What listens there makes nothing of TLS.
 */
const OTHER_PROTOCOLS = new Set([
  ...[7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 79, 87, 95, 109, 110, 111, 113, 119],
  ...[
    123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554,
  ],
  ...[556, 563, 587, 601, 636, 873, 989, 990, 993, 995, 1433, 1521, 1719, 1720, 1723, 2049, 2375, 2376, 2379],
  ...[3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 5672, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669],
  ...[6679, 6697, 9042, 9200, 9300, 10080, 11211, 27017],
]);

/**
 * Checks what can be seen in a URL without asking a name server: its shape, scheme and port, and, where its host
 * is an address in any spelling, that address.
 * @throws {OutboundRefusal}
 */
export function checkOutboundUrl(text: string, policy: OutboundPolicy): URL {
  const url = text.length <= MAX_URL_LENGTH ? URL.parse(text) : null;
  if (!url || !/^https?:\/\/[^/\\]/i.test(text)) throw new OutboundRefusal("expected an https URL");
  if (url.username || url.password) throw new OutboundRefusal("a URL with a user name is not accepted");
  if (text.includes("#")) throw new OutboundRefusal("a URL with a fragment is not accepted");
  if (url.protocol === "http:" && policy.publicOnly) throw new OutboundRefusal("expected an https URL");
  if (url.protocol === "http:" && OTHER_PROTOCOLS.has(Number(url.port || 0))) {
    throw new OutboundRefusal(`port ${url.port} belongs to another protocol`);
  }
  // The parser has turned every spelling (decimal, octal, hex, short) into the usual one.
  const literal = literalOf(url);
  if (literal) checkAddresses(url, [literal], policy);
  return url;
}

/** The address that a URL's host is, without brackets; null for a name. */
export function literalOf(url: URL): string | null {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return isIP(host) ? host : null;
}

/**
 * Checks the addresses that a URL leads to: every one public, or let through; plain http only to those let
 * through.
 * @throws {OutboundRefusal}
 */
export function checkAddresses(url: URL, addresses: readonly string[], policy: OutboundPolicy): void {
  for (const address of addresses) {
    if (isInRanges(address, policy.allowed)) continue;
    if (!isPublicAddress(address)) throw new OutboundRefusal(NO_PUBLIC_ADDRESS);
    if (url.protocol === "http:") throw new OutboundRefusal("expected an https URL");
  }
}
