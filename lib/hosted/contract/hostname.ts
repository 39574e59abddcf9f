import { getDomain } from "tldts";
import type { ApiMode } from "./tenant.ts";

/** Hostnames as domains are registered by them (specification 2.6, contract 5). Isomorphic. */

const MAX_LENGTH = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Lower-case ASCII of a hostname that somebody can hold: a whole name below a public suffix. One trailing dot is
 * dropped; an international name becomes its `xn--` form.
 *
 * Null for everything else: schemes, ports, paths and user names, IP addresses in any spelling, wildcards,
 * underscores, public suffixes (`co.uk`, `github.io`), single labels, names too long, and text that a browser
 * would quietly read as another name (full-width letters, percent-encoding, invisible characters).
 * @param mode local names (`localhost`, names below `.localhost` and `.test`) belong to test mode only
 */
export function parseHostname(text: string, mode: ApiMode): string | null {
  if (text.length > MAX_LENGTH + 1) return null;
  const ascii = toAscii(text.replace(/\.$/, ""));
  if (ascii === null || ascii.length > MAX_LENGTH) return null;
  if (!ascii.split(".").every((label) => LABEL.test(label))) return null;
  if (isLocalHostname(ascii)) return mode === "test" ? ascii : null;
  // No registrable part: a public suffix, or a single label.
  return getDomain(ascii, { allowPrivateDomains: true, validateHostname: false }) === null ? null : ascii;
}

/** True for names that stand for the machine itself (RFC 6761) or for tests: nobody can prove to hold one. */
export function isLocalHostname(hostname: string): boolean {
  return hostname === "localhost" || hostname.endsWith(".localhost") || hostname.endsWith(".test");
}

function toAscii(text: string): string | null {
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(text)) return null;
  const lower = text.normalize("NFC").toLowerCase();
  // Compatibility forms (full-width letters, ligatures) turn into other letters: not what stands there.
  if (lower !== text.normalize("NFKC").toLowerCase()) return null;
  // A name of ASCII stays as it is, or it was an IPv4 address in another spelling.
  const hostname = URL.parse(`http://${lower}/`)?.hostname ?? null;
  if (hostname === null || /^[\d.]+$/.test(hostname)) return null;
  return /^[\x21-\x7e]+$/.test(lower) && hostname !== lower ? null : hostname;
}
