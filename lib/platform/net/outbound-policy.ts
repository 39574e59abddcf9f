import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { env } from "../env.ts";

/** Test mode can reach loopback in demo mode, in addition to `WEBHOOK_ALLOW_CIDRS`. */
export const LOOPBACK_RANGES = ["127.0.0.0/8", "::1/128"];

/** Each range's first address and its number of fixed bits. */
type Ranges = ReturnType<typeof ipaddr.parseCIDR>[];

/** CIDR notation, such as `10.0.0.0/8` and `fd00::/8`. */
export function parseRanges(cidrs: readonly string[]): Ranges {
  return cidrs.map((cidr) => ipaddr.parseCIDR(cidr));
}

// All IPv4 addresses, and the only IPv6 range that IANA has assigned for general use. Most addresses that contain an
// IPv4 address are outside this range; where they lead cannot be checked here.
const GENERAL_USE = parseRanges(["0.0.0.0/0", "2000::/3"]);

/**
 * Globally reachable according to IANA's registries of special-purpose addresses (RFC 6890 and its updates). False for
 * text that is not an IP address.
 */
export function isPublicAddress(address: string): boolean {
  // For every address in IANA's registries, ipaddr.js returns a range other than `unicast`.
  return isInRanges(address, GENERAL_USE) && ipaddr.parse(address).range() === "unicast";
}

/** False for text that is not an IP address, and for addresses with a zone. */
export function isInRanges(address: string, ranges: Ranges): boolean {
  if (isIP(address) === 0 || address.includes("%")) return false;
  return ipaddr.subnetMatch(ipaddr.parse(address), { inside: ranges }, "outside") === "inside";
}

/** These can be called although they are not in public DNS. */
export type InternalHosts =
  /** Requests go only to the public internet. */
  | "none"
  /** This machine's names. Used in demo mode. */
  | "loopback"
  /**
   * Single labels and special-use names, which are common in the internal networks that `WEBHOOK_ALLOW_CIDRS` allows.
   */
  | "any";

export type OutboundPolicy = {
  /** Ranges that can be reached although they are not public, and also over plain HTTP. */
  allowed: Ranges;
  /** In addition to public names. If there are none, plain HTTP is refused. */
  internalHosts: InternalHosts;
  /** `host:port`. Empty to use the system's. */
  nameServers: readonly string[];
};

/**
 * `WEBHOOK_ALLOW_CIDRS` and, for test mode in demo mode, loopback, because the demo customer is then this application.
 */
export function getOutboundPolicy(mode: "live" | "test"): OutboundPolicy {
  const { WEBHOOK_ALLOW_CIDRS, DNS_SERVERS, DEMO } = env();
  const demo = DEMO && mode === "test" ? LOOPBACK_RANGES : [];
  const internalHosts = demo.length > 0 && WEBHOOK_ALLOW_CIDRS.length === 0 ? "loopback" : undefined;
  return createOutboundPolicy([...WEBHOOK_ALLOW_CIDRS, ...demo], DNS_SERVERS, internalHosts);
}

/** Allows `cidrs` in addition to public IP addresses. */
export function createOutboundPolicy(
  cidrs: readonly string[],
  nameServers: readonly string[],
  internalHosts: InternalHosts = cidrs.length > 0 ? "any" : "none",
): OutboundPolicy {
  return { allowed: parseRanges(cidrs), internalHosts, nameServers };
}

/** The message explains the reason to the person who chose the URL. */
export class OutboundRefusal extends Error {
  override name = "OutboundRefusal";
}

/**
 * The same message for a host whose IP addresses are not allowed and for one without IP addresses. Different messages,
 * or an address in the message, would reveal an internal network's names (docs/protocol.md#55-webhook-urls).
 */
export const NO_PUBLIC_ADDRESS_MESSAGE = "the host has no public address";

/**
 * The ports of databases and similar services that understand plain text, in addition to the ports that browsers block.
 */
const PLAIN_TEXT_PORTS = new Set([
  ...[873, 1433, 1521, 2375, 2376, 2379, 3306, 3389, 5432, 5672, 6379, 9042, 9200, 9300, 11211, 27017],
]);

const MAX_URL_LENGTH = 2048;

/**
 * Sends no DNS query. Checks the form, scheme and port, and the host if it is an IP address in any notation.
 * @throws {OutboundRefusal}
 */
export function parseOutboundUrl(text: string, policy: OutboundPolicy): URL {
  const url = text.length <= MAX_URL_LENGTH ? URL.parse(text) : null;
  if (!url || !/^https?:\/\/[^/\\]/i.test(text)) throw new OutboundRefusal("expected an https URL");
  if (url.username || url.password) throw new OutboundRefusal("a URL with a user name is not accepted");
  if (text.includes("#")) throw new OutboundRefusal("a URL with a fragment is not accepted");
  if (url.protocol === "http:" && policy.internalHosts === "none") {
    throw new OutboundRefusal("expected an https URL");
  }
  const port = Number(url.port);
  if (isBlockedPort(port) || (url.protocol === "http:" && PLAIN_TEXT_PORTS.has(port))) {
    throw new OutboundRefusal(`port ${url.port} belongs to another protocol`);
  }
  // The parser has normalised every notation (decimal, octal, hex, short).
  const literal = parseIpLiteral(url);
  if (literal) assertAddressesAllowed(url, [literal], policy);
  return url;
}

/** Without brackets. Null if the host is a name. */
export function parseIpLiteral(url: URL): string | null {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return isIP(host) ? host : null;
}

/**
 * Each address must be public or allowed. Plain HTTP can be sent only to allowed addresses.
 * @throws {OutboundRefusal}
 */
export function assertAddressesAllowed(url: URL, addresses: readonly string[], policy: OutboundPolicy): void {
  for (const address of addresses) {
    if (isInRanges(address, policy.allowed)) continue;
    if (!isPublicAddress(address)) throw new OutboundRefusal(NO_PUBLIC_ADDRESS_MESSAGE);
    if (url.protocol === "http:") throw new OutboundRefusal("expected an https URL");
  }
}

/** https://fetch.spec.whatwg.org/#port-blocking */
const BAD_PORTS = new Set([
  ...[1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95],
  ...[101, 102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179],
  ...[389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636],
  ...[989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566],
  ...[6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
]);

/** Except 0, which means that the URL contains no port. */
export function isBlockedPort(port: number): boolean {
  return BAD_PORTS.has(port);
}
