import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * Which addresses outbound requests may reach: those that are globally reachable by IANA's registries of
 * special-purpose addresses (RFC 6890 and its updates), and those that the operator lets through.
 */

/** Loopback, for what `WEBHOOK_ALLOW_CIDRS` says of demo mode. */
export const LOOPBACK_RANGES = ["127.0.0.0/8", "::1/128"];

/** Ranges of addresses: the first of each, and how many bits are fixed. */
export type Ranges = ReturnType<typeof ipaddr.parseCIDR>[];

/** Ranges to check addresses against, from `10.0.0.0/8` and `fd00::/8`. */
export function rangesOf(cidrs: readonly string[]): Ranges {
  return cidrs.map((cidr) => ipaddr.parseCIDR(cidr));
}

// IANA has given out no other part of IPv6 for general use yet. Outside it lies most that carries an IPv4 address:
// where that leads is not ours to see.
const GENERAL_USE = rangesOf(["0.0.0.0/0", "2000::/3"]);

/** True for an address that anybody on the internet may be asked at. False for text that is no address. */
export function isPublicAddress(address: string): boolean {
  // Whatever has a registry's entry of its own is of another range.
  return isInRanges(address, GENERAL_USE) && ipaddr.parse(address).range() === "unicast";
}

/** True for an address in `ranges`. False for text that is no address, and for one with a zone. */
export function isInRanges(address: string, ranges: Ranges): boolean {
  if (isIP(address) === 0 || address.includes("%")) return false;
  return ipaddr.subnetMatch(ipaddr.parse(address), { inside: ranges }, "outside") === "inside";
}
