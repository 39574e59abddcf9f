import { isIP } from "node:net";

/**
 * The client that limits count: by the socket's address, or with N trusted proxies by the Nth entry from the right of
 * `X-Forwarded-For` (each proxy appends the address it saw; what stands further left is the client's own claim). An
 * IPv6 address stands for its /64, which one customer usually holds; one that carries IPv4 stands for that (decision
 * 25).
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string {
  const claimed = trustedProxies > 0 ? forwardedFor?.split(",").at(-trustedProxies) : undefined;
  const forwarded = withoutPort(claimed?.trim() ?? "");
  return canonical(isIP(forwarded) ? forwarded : (socketAddress ?? "unknown"));
}

/** The /48 around a client of IPv6; null for any other, which shares its limits with nobody. */
export function networkOf(client: string): string | null {
  return client.endsWith("::/64") ? client.replace(/:[0-9a-f]+::\/64$/, "::/48") : null;
}

// Some proxies write `203.0.113.9:5678` and `[2001:db8::1]:5678`.
function withoutPort(entry: string): string {
  if (!entry.includes(":")) return entry;
  return entry.replace(/^([\d.]+):\d+$/, "$1").replace(/^\[(.*)\](:\d+)?$/, "$1");
}

function canonical(address: string): string {
  if (isIP(address) !== 6) return address;
  const groups = groupsOf(address);
  return carriedIpv4(groups) ?? `${groups.slice(0, 4).map(hex).join(":")}::/64`;
}

/** The eight groups of a valid IPv6 address. */
function groupsOf(address: string): number[] {
  const groupsOnly = address.replace(/%.*$/s, "").replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number);
    return `${hex(a * 256 + b)}:${hex(c * 256 + d)}`;
  });
  const [head = "", tail = ""] = groupsOnly.split("::");
  const front = head.split(":").filter(Boolean);
  const back = tail.split(":").filter(Boolean);
  const zeros = Array<string>(8 - front.length - back.length).fill("0");
  return [...front, ...zeros, ...back].map((group) => Number.parseInt(group, 16));
}

/**
 * The IPv4 address that an IPv6 address was made from: by a socket of both kinds (::ffff:0:0/96, RFC 4291), by a
 * translator in front of servers without IPv4 (64:ff9b::/96, RFC 6052), or by a tunnel over IPv4 (2002::/16, RFC
 * 3056), which brings 65,536 networks.
 */
function carriedIpv4(groups: readonly number[]): string | null {
  const written = groups.map(hex).join(":");
  const mapped = /^(?:0:0:0:0:0:ffff|64:ff9b:0:0:0:0):/.test(written);
  const [high, low] = mapped ? groups.slice(6) : groups.slice(1, 3);
  if ((!mapped && groups[0] !== 0x2002) || high === undefined || low === undefined) return null;
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

function hex(group: number): string {
  return group.toString(16);
}
