import { getDomain, parse } from "tldts";
import type { ApiMode } from "./tenant.ts";

/** docs/protocol.md#54-domains. Runs in servers and browsers. */

const MAX_LENGTH = 253;
const SUFFIX_RULES = { allowPrivateDomains: true, validateHostname: false };
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Returns the lower-case ASCII form of a hostname that can be registered: a complete name below a public suffix.
 * Removes one trailing dot, and converts an international name to its `xn--` form. Returns null for everything else:
 * schemes, ports, paths and user names, IP addresses in any notation, wildcards, underscores, public suffixes (`co.uk`,
 * `github.io`), single labels, names that are too long, and text that a browser would silently convert to another name
 * (full-width letters, percent-encoding, invisible characters).
 * @param mode only test mode accepts local names (`localhost`, and names below `.localhost` and `.test`)
 */
export function parseHostname(text: string, mode: ApiMode): string | null {
  const ascii = parseDnsName(text.replace(/\.$/, ""));
  if (ascii === null) return null;
  if (isLocalHostname(ascii)) return mode === "test" ? ascii : null;
  // A single label cannot be registered either.
  return isPublicSuffix(ascii) ? null : ascii;
}

/** Names of the local machine (RFC 6761) and names for tests. Their ownership cannot be proved. */
export function isLocalHostname(hostname: string): boolean {
  return hostname === "localhost" || hostname.endsWith(".localhost") || hostname.endsWith(".test");
}

/** Local names and names for documentation. */
export function isExemptFromProof(hostname: string): boolean {
  return isLocalHostname(hostname) || hostname.endsWith(".example");
}

/**
 * Includes the private section of the public suffix list (`github.io`).
 * @param hostname in lower-case ASCII
 */
export function isPublicSuffix(hostname: string): boolean {
  return getDomain(hostname, SUFFIX_RULES) === null;
}

/**
 * Such a name can be registered.
 * @param hostname in lower-case ASCII
 */
export function hasKnownSuffix(hostname: string): boolean {
  const { isIcann, isPrivate } = parse(hostname, SUFFIX_RULES);
  return isIcann === true || isPrivate === true;
}

/**
 * The lower-case ASCII form: labels of 1 to 63 letters, digits and inner hyphens, at most 253 characters in total. Null
 * for any other text, and for text that a browser would silently convert to another name.
 */
export function parseDnsName(text: string): string | null {
  const ascii = text.length <= MAX_LENGTH ? toAscii(text) : null;
  if (ascii === null || ascii.length > MAX_LENGTH) return null;
  return ascii.split(".").every((label) => LABEL.test(label)) ? ascii : null;
}

function toAscii(text: string): string | null {
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(text)) return null;
  const lower = text.normalize("NFC").toLowerCase();
  // Rejects compatibility forms (full-width letters, ligatures), which would become different letters from those that
  // the user sees.
  if (lower !== text.normalize("NFKC").toLowerCase()) return null;
  // The URL parser changes an ASCII name only if it is an IPv4 address in a different notation.
  const hostname = URL.parse(`http://${lower}/`)?.hostname ?? null;
  if (hostname === null || /^[\d.]+$/.test(hostname)) return null;
  return /^[\x21-\x7e]+$/.test(lower) && hostname !== lower ? null : hostname;
}
