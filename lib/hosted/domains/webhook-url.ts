import { domainToUnicode } from "node:url";
import { isBadPort } from "#lib/platform/net/outbound-policy.ts";
import { hasKnownSuffix, isPublicSuffix, readDnsName } from "../contract/hostname.ts";

/** The URLs that events may be sent to, as far as their text shows (docs/protocol.md#55-webhook-urls). */

const MAX_LENGTH = 2048;
const MAX_PORT = 65_535;

/** Which names may be called although no public name server knows them. */
export type InnerNames =
  /** None: events go to the public internet. */
  | "none"
  /** This machine's: demo mode. */
  | "loopback"
  /** Single labels and names for special use: `WEBHOOK_ALLOW_CIDRS` opens an inner network, where they are usual. */
  | "any";

/**
 * Suffixes that are not public: IANA's special-use domain names (RFC 6761) except those for documentation, those that
 * RFC 6762 (appendix G) and ICANN keep for inner networks, and those that routers and systems make up.
 */
const SPECIAL_SUFFIXES = [
  ...["alt", "arpa", "internal", "invalid", "local", "localhost", "onion", "test"],
  ...["corp", "home", "intranet", "lan", "mail", "private"],
  ...["domain", "localdomain", "workgroup"],
];

/** Not a public suffix, but documentation uses it for every host (RFC 6761, 6.5), so it may be registered. */
const DOCUMENTATION = "example";

/**
 * Judges a webhook URL by its text only. Plain http, and an address in place of a name, are for inner networks; the
 * caller judges what they reach.
 * @returns the URL, or what is wrong with it, in words for the person who chose it
 */
export function readWebhookUrl(text: string, innerNames: InnerNames): { url: URL } | { wrong: string } {
  if (text.length > MAX_LENGTH) return { wrong: "expected up to 2,048 characters" };
  const [, scheme, authority] = /^(https?):\/\/([^/?#\\]+)(?=[/?]|$)/i.exec(text) ?? [];
  const url = URL.parse(text);
  if (scheme === undefined || authority === undefined || /[\s\p{Cc}]/u.test(text)) {
    return { wrong: text.includes("#") ? NO_FRAGMENT : ABSOLUTE };
  }
  if (text.includes("#")) return { wrong: NO_FRAGMENT };
  if (authority.includes("@")) return { wrong: "expected a URL without a user name or password" };
  const [, bracketed, plain = "", , port] = /^(?:(\[.*\])|([^:]*))(:(.*))?$/s.exec(authority) ?? [];
  if (port !== undefined && !isPort(port)) return { wrong: "expected no port, or one from 1 to 65535" };
  if (isBadPort(Number(port))) return { wrong: `expected another port: browsers block ${port}` };
  const wrong = bracketed ? null : wrongName(plain, url, innerNames);
  if (wrong) return { wrong };
  if (!url) return { wrong: ABSOLUTE };
  if (isAddress(url) && innerNames === "none") return { wrong: NO_ADDRESS };
  if (url.protocol === "http:" && innerNames === "none") return { wrong: "expected an https URL" };
  // The parser's text is stored, sent and shown; it may be longer.
  return url.href.length > MAX_LENGTH ? { wrong: "expected up to 2,048 characters once encoded" } : { url };
}

const ABSOLUTE = "expected an absolute URL such as https://hooks.example.com/events";
const NO_FRAGMENT = "expected a URL without a fragment (#)";
const NO_NAME =
  "expected a valid host name: labels of 1 to 63 letters, digits and hyphens, 253 characters in all, no wildcard";
/** The refusal of an address where only a name will do. */
export const NO_ADDRESS = "expected a host name instead of an address";

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_PORT;
}

function wrongName(text: string, url: URL | null, innerNames: InnerNames): string | null {
  // An IP address: the parser has normalised its spelling.
  if (url && isAddress(url)) return null;
  const name = readDnsName(text);
  if (name === null || url?.hostname !== name || !isPunycode(name)) return NO_NAME;
  if (innerNames === "any" && (!name.includes(".") || isSpecial(name))) return null;
  if (innerNames === "loopback" && isLoopback(name)) return null;
  if (isSpecial(name)) return `expected a public host name: names under .${lastLabel(name)} are not public`;
  if (!name.includes(".")) return "expected a public host name, of two labels or more";
  if (lastLabel(name) === DOCUMENTATION) return null;
  if (!hasKnownSuffix(name)) {
    return `expected a public host name: the public suffix list has no .${lastLabel(name)}`;
  }
  return isPublicSuffix(name) ? `expected a host name below ${name}, which is a public suffix` : null;
}

/** True when every `xn--` label stands for letters. `domainToUnicode` leaves others, which URLs may have, as they are. */
export function isPunycode(name: string): boolean {
  return !/(^|\.)xn--/.test(domainToUnicode(name));
}

const isAddress = ({ hostname }: URL) => /^(\d+(\.\d+){3}|\[.*\])$/.test(hostname);
const lastLabel = (name: string) => name.slice(name.lastIndexOf(".") + 1);
const isSpecial = (name: string) => SPECIAL_SUFFIXES.includes(lastLabel(name));
const isLoopback = (name: string) => lastLabel(name) === "localhost";
