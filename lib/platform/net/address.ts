import { BlockList, isIP } from "node:net";

/**
 * Which addresses outbound requests may reach: those that are globally reachable by IANA's registries of
 * special-purpose addresses (RFC 6890 and its updates), and those that the operator lets through.
 */

// https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry, with multicast,
// and with everything that carries an IPv4 address in IPv6 (where it leads is not ours to see).
const SPECIAL_RANGES = [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"],
  ...["192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24"],
  ...["192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"],
  ...["224.0.0.0/4", "240.0.0.0/4"],
  ...["::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64"],
  ...["100:0:0:1::/64", "2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"],
  ...["5f00::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8"],
];

/** Loopback, for what `WEBHOOK_ALLOW_CIDRS` says of demo mode. */
export const LOOPBACK_RANGES = ["127.0.0.0/8", "::1/128"];

/** Ranges of addresses. Two lists, because `BlockList` reads IPv4 into ranges of IPv6 and back. */
export type Ranges = { ipv4: BlockList; ipv6: BlockList };

/** Ranges to check addresses against, from `10.0.0.0/8` and `fd00::/8`. */
export function rangesOf(cidrs: readonly string[]): Ranges {
  const ranges = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const cidr of cidrs) {
    const [network = "", bits] = cidr.split("/");
    const family = familyOf(network);
    ranges[family].addSubnet(network, Number(bits), family);
  }
  return ranges;
}

const special = rangesOf(SPECIAL_RANGES);
// IANA has given out no other part of IPv6 for general use yet.
const generalUse = rangesOf(["0.0.0.0/0", "2000::/3"]);

/** True for an address that anybody on the internet may be asked at. False for text that is no address. */
export function isPublicAddress(address: string): boolean {
  return isInRanges(address, generalUse) && !isInRanges(address, special);
}

/** True for an address in `ranges`. False for text that is no address, and for one with a zone. */
export function isInRanges(address: string, ranges: Ranges): boolean {
  if (isIP(address) === 0 || address.includes("%")) return false;
  const family = familyOf(address);
  return ranges[family].check(address, family);
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}
