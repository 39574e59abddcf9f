import { getDomain, parse } from "tldts";
import type { ApiMode } from "./tenant.ts";

/** The host names under which domains are registered (docs/protocol.md#54-domains). Isomorphic. */

const MAX_LENGTH = 253;
const SUFFIX_RULES = { allowPrivateDomains: true, validateHostname: false };
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Returns the lower-case ASCII form of a host name that can be registered, which is a complete name below a public
 * suffix. One trailing dot is removed, and an international name is converted to its `xn--` form.
 *
 * Returns null for everything else: schemes, ports, paths and user names, IP addresses in any spelling, wildcards,
 * underscores, public suffixes (`co.uk`, `github.io`), single labels, names that are too long, and text that a browser
 * would silently convert to another name (full-width letters, percent-encoding, invisible characters).
 * @param mode local names (`localhost`, names below `.localhost` and `.test`) can be registered only in test mode
 */
export function parseHostname(text: string, mode: ApiMode): string | null {
  const ascii = readDnsName(text.replace(/\.$/, ""));
  if (ascii === null) return null;
  if (isLocalHostname(ascii)) return mode === "test" ? ascii : null;
  // A single label does not have a registrable part either.
  return isPublicSuffix(ascii) ? null : ascii;
}

/** Returns true for names of the machine itself (RFC 6761) or for tests, whose ownership cannot be proved. */
export function isLocalHostname(hostname: string): boolean {
  return hostname === "localhost" || hostname.endsWith(".localhost") || hostname.endsWith(".test");
}

/** Returns true for names that need no proof in test mode: local ones, and those for documentation. */
export function isExemptFromProof(hostname: string): boolean {
  return isLocalHostname(hostname) || hostname.endsWith(".example");
}

/**
 * Returns true for a name, in lower-case ASCII, that is a public suffix, including the list's private section
 * (`github.io`).
 */
export function isPublicSuffix(hostname: string): boolean {
  return getDomain(hostname, SUFFIX_RULES) === null;
}

/**
 * Returns true for a name, in lower-case ASCII, whose suffix is on the public suffix list, so that it can be
 * registered.
 */
export function hasKnownSuffix(hostname: string): boolean {
  const { isIcann, isPrivate } = parse(hostname, SUFFIX_RULES);
  return isIcann === true || isPrivate === true;
}

/**
 * Returns the DNS name that a string contains, in lower-case ASCII (labels of 1 to 63 letters, digits and inner
 * hyphens, 253 characters in total), or null if the string is not a DNS name, or if a browser would silently convert it
 * to a different name.
 */
export function readDnsName(text: string): string | null {
  const ascii = text.length <= MAX_LENGTH ? toAscii(text) : null;
  if (ascii === null || ascii.length > MAX_LENGTH) return null;
  return ascii.split(".").every((label) => LABEL.test(label)) ? ascii : null;
}

function toAscii(text: string): string | null {
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(text)) return null;
  const lower = text.normalize("NFC").toLowerCase();
  // Compatibility forms (full-width letters, ligatures) are converted to letters other than those that the user sees.
  if (lower !== text.normalize("NFKC").toLowerCase()) return null;
  // The parser changes an ASCII name only if it is an IPv4 address in a different spelling.
  const hostname = URL.parse(`http://${lower}/`)?.hostname ?? null;
  if (hostname === null || /^[\d.]+$/.test(hostname)) return null;
  return /^[\x21-\x7e]+$/.test(lower) && hostname !== lower ? null : hostname;
}
