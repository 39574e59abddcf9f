import { isIP } from "node:net";

/**
 * The address that limits count by: the socket's, or with N trusted proxies the Nth entry from the right of
 * `X-Forwarded-For` (each proxy appends the address it saw; what stands further left is the client's own claim).
 * IPv4 in IPv6 is written as IPv4; an IPv6 address stands for its /64, which one customer usually holds.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string {
  const claimed = (forwardedFor ?? "").split(",").map((item) => item.trim());
  const forwarded = trustedProxies > 0 ? withoutPort(claimed.at(-trustedProxies) ?? "") : "";
  return canonical(isIP(forwarded) ? forwarded : (socketAddress ?? "unknown"));
}

// Some proxies write `203.0.113.9:5678` and `[2001:db8::1]:5678`.
function withoutPort(entry: string): string {
  return entry.replace(/^([\d.]+):\d+$/, "$1").replace(/^\[(.*)\](:\d+)?$/, "$1");
}

function canonical(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (isIP(address) !== 6) return address;
  // Neither the zone nor a dotted end, which is two groups, says anything of the first half.
  const groupsOnly = address
    .toLowerCase()
    .replace(/%.*$/s, "")
    .replace(/[\d.]+\.\d+$/, "0:0");
  const [head = "", tail] = groupsOnly.split("::");
  const front = head.split(":").filter(Boolean);
  const back = (tail ?? "").split(":").filter(Boolean);
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  const groups = [...front, ...Array<string>(zeros).fill("0"), ...back].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}
