import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { processSingleton } from "../process/state.ts";
import { type Refusal, refusal } from "../protocol/errors.ts";
import { PARSED_HEADER_CHARACTERS, type SentHeaders } from "../server/web-request.ts";

/** Returns the name under which limits count a client (`clientAt`), or "unknown" if there is no address. */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string {
  return clientAt(addressBehindProxies(socketAddress, forwardedFor, trustedProxies) ?? "unknown");
}

/**
 * Returns the address that limits count by: the socket's address, or with N trusted proxies the Nth entry from the
 * right in `X-Forwarded-For`. Each proxy appends the address that it saw, and clients can forge the entries further
 * left.
 */
export function addressBehindProxies(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string | undefined {
  const claimed =
    trustedProxies > 0
      ? forwardedFor?.slice(-PARSED_HEADER_CHARACTERS).split(",").at(-trustedProxies)
      : undefined;
  const forwarded = withoutPort(claimed?.trim() ?? "");
  return isIP(forwarded) ? forwarded : socketAddress;
}

/**
 * Returns the /48 around an IPv6 client, or null for any other client, because only IPv6 networks have a common limit.
 */
export function networkOf(client: string): string | null {
  return client.endsWith("::/64") ? client.replace(/:[0-9a-f]+::\/64$/, "::/48") : null;
}

// Some proxies write `203.0.113.9:5678` and `[2001:db8::1]:5678`.
function withoutPort(entry: string): string {
  if (!entry.includes(":")) return entry;
  return entry.replace(/^([\d.]+):\d+$/, "$1").replace(/^\[(.*)\](:\d+)?$/, "$1");
}

/**
 * Returns the client at an IP address. An IPv6 address counts as its /64, which usually belongs to one customer. An
 * IPv6 address that contains an IPv4 address counts as that IPv4 address (decision 25).
 */
export function clientAt(address: string): string {
  if (isIP(address) !== 6) return address;
  // The library reads ::203.0.113.9 as if it were mapped, but not with a leading zero.
  const ipv6 = ipaddr.IPv6.parse(address.replace(/%.*$/s, "").replace(/^::(?=\d+\.)/, "0::"));
  return carriedIpv4(ipv6) ?? `${ipv6.parts.slice(0, 4).map(hex).join(":")}::/64`;
}

/** The ranges of IPv6 addresses that contain an IPv4 address, and the index of its first byte. */
const CARRIERS: [ReturnType<typeof ipaddr.IPv6.parseCIDR>, number][] = [
  // Used by dual-stack sockets (RFC 4291) and by translators in front of servers without IPv4 (RFC 6052).
  [ipaddr.IPv6.parseCIDR("::ffff:0:0/96"), 12],
  [ipaddr.IPv6.parseCIDR("64:ff9b::/96"), 12],
  // Used by tunnels over IPv4 (RFC 3056), which give each IPv4 address 65,536 networks.
  [ipaddr.IPv6.parseCIDR("2002::/16"), 2],
];

function carriedIpv4(address: ipaddr.IPv6): string | null {
  const carrier = CARRIERS.find(([range]) => address.match(range));
  if (!carrier) return null;
  const [, index] = carrier;
  return address
    .toByteArray()
    .slice(index, index + 4)
    .join(".");
}

function hex(group: number): string {
  return group.toString(16);
}

/** Headers that the gate sets for the handlers. It removes any that the client sent. */
export const REQUEST_ID_HEADER = "x-request-id";
export const CLIENT_ADDRESS_HEADER = "x-client-address";

/**
 * A handler sees only headers, so one of them contains the client's address. The header's value includes a secret that
 * this process generated, so that a client cannot forge it.
 */
const stamp = processSingleton("client-stamp", () => ({
  word: randomBytes(16).toString("hex"),
  /** The time since which every request has been stamped (`performance.now()`), or null before that. */
  guardedAtMs: null as number | null,
  /** The port on which the last request arrived. */
  port: null as number | null,
}));

/** Returns the port of this process's server, once it has had a request. */
export function serverPort(): number | null {
  return stamp().port;
}

/** Records that every request to a server of this process is stamped from now on. */
export function markRequestsAsStamped(): void {
  stamp().guardedAtMs ??= performance.now();
}

/** Returns the value of the stamp header for a client. */
export function formatClientStamp(address: string): string {
  return `${stamp().word} ${address}`;
}

/** Returns the client's address, or null for a request that was not stamped, even if its client sent the header. */
export function readClientStamp(header: string | null): string | null {
  const [word, address] = (header ?? "").split(" ");
  return word === stamp().word && address ? address : null;
}

/** How long a request that arrived before the gate was installed may wait in the framework. */
const STARTING_MS = 12_000;

/**
 * Returns the client that sent a request. A request without the client's address cannot be counted, so it is refused.
 * @throws {Refusal} 503 for a request that arrived before its server was guarded; 400 for a request that did not come
 * through a server, such as one that the framework creates internally
 */
export function requireClient({ headers }: { headers: SentHeaders }): string {
  const address = readClientStamp(headers.get(CLIENT_ADDRESS_HEADER));
  if (address !== null) return address;
  const { guardedAtMs } = stamp();
  const hasWaited = guardedAtMs !== null && performance.now() - guardedAtMs < STARTING_MS;
  // The framework's own requests have no Host header.
  if (guardedAtMs === null || (hasWaited && headers.get("host") !== null)) {
    throw refusal("service_unavailable", "The service is starting. Try again in a moment.", {
      headers: { "Retry-After": "1" },
    });
  }
  throw unknownClient();
}

/** Creates the refusal of a request whose client cannot be counted. */
export function unknownClient(): Refusal {
  return refusal("invalid_request", "The IP address of this request's client is not known.");
}

/**
 * Adds a request's id and its client's address, in headers that the client cannot set.
 * @param trustedProxies the number of trusted proxies in front of the server, which set `X-Forwarded-For`
 */
export function stampRequest(
  { headers, socket }: IncomingMessage,
  requestId: string,
  trustedProxies: number,
): void {
  stamp().port = socket.localPort ?? null;
  const forwardedFor = String(headers["x-forwarded-for"] ?? "");
  headers[CLIENT_ADDRESS_HEADER] = formatClientStamp(
    clientAddress(socket.remoteAddress, forwardedFor, trustedProxies),
  );
  headers[REQUEST_ID_HEADER] = requestId;
}
