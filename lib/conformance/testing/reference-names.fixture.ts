import { domainToASCII } from "node:url";
import type { Has } from "./planted.fixture.ts";
import type { ApiDomain, Body } from "./reference-events.fixture.ts";
import { invalid } from "./site-error.fixture.ts";

/** What the reference API takes for a host name and for a webhook's URL, and the places where a fault changes it. */

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
const SUFFIXES = ["com", "co.uk", "github.io"];
/** Of the suffixes that nobody can register below, the one that is asked for. */
const UNKNOWN = /\.svc$/;
const BAD_PORTS = ["22", "25", "6000", "10080"];
const INNER = /(^|\.)(local|localhost|internal|onion|arpa|invalid|lan|corp|home|test)$/;

function isName(name: string): boolean {
  return (
    name.length <= 253 &&
    name.split(".").every((label) => LABEL.test(label)) &&
    !/(^|\.)xn--(\.|$)/.test(name)
  );
}

const isAddress = (name: string) => /^[\d.]+$|^0x|^\[|:/.test(name);

/** The ASCII form of a domain; null for what is none. */
export function readDomain(text: string, has: Has): string | null {
  const raw = text.replace(/^https?:\/\//, (scheme) => (has("domain-scheme") ? "" : scheme));
  const ascii = /[^\x20-\x7e]/.test(raw) ? domainToASCII(raw) : raw;
  const name = ascii.toLowerCase();
  if (isAddress(name) && !has("domain-address")) return null;
  if (name.startsWith("*.") && has("domain-wildcard")) return name;
  if (!isName(name) || (SUFFIXES.includes(name) && !has("domain-suffix"))) return null;
  if (name !== text && has("domain-as-sent")) return text;
  return name;
}

/** What is wrong with a webhook's URL; null where nothing is. */
export function wrongWebhookUrl(text: string, has: Has): string | null {
  const isWrong = (fault: string) => !has(fault);
  if (text.length > 2_048 && isWrong("url-long")) return "too long";
  const [, scheme = "", authority = "", rest = ""] = /^([a-z]+):\/\/([^/?#\\]+)(.*)$/is.exec(text) ?? [];
  if (!/^https?$/i.test(scheme)) return "not absolute";
  if (/\s|\\/.test(text)) return "white space";
  if (rest.includes("#") && isWrong("url-fragment")) return "fragment";
  if (authority.includes("@") && isWrong("url-user")) return "user info";
  const [, host = "", port] = /^(\[.*\]|[^:]*)(?::(.*))?$/.exec(authority.replace(/^.*@/, "")) ?? [];
  const name = host.toLowerCase();
  if (name === "localhost" && Number(port) > 0) return null;
  if (scheme.toLowerCase() === "http" && isWrong("url-http")) return "not https";
  if (port !== undefined && has("url-portless")) return "port";
  if (
    port !== undefined &&
    !(/^\d+$/.test(port) && Number(port) > 0 && Number(port) < 65_536) &&
    isWrong("url-port")
  )
    return "port";
  if (port !== undefined && BAD_PORTS.includes(port) && isWrong("url-bad-port")) return "blocked port";
  if (isAddress(name)) return isWrong("url-address") ? "address" : null;
  if (!isName(name) && isWrong("url-host")) return "host";
  const isInner = INNER.test(name) || !name.includes(".");
  if (isInner && !SUFFIXES.includes(name) && isWrong("url-inner")) return "inner name";
  if (UNKNOWN.test(name) && isWrong("url-unknown-suffix")) return "unknown suffix";
  return SUFFIXES.includes(name) && isWrong("url-suffix") ? "suffix" : null;
}

/** Judges where events and users are to go. @throws {SiteError} 400 */
export function judgeUrls(domain: ApiDomain, url: unknown, metadata: Body, has: Has): void {
  if (typeof metadata !== "object" || metadata === null) throw invalid();
  const isOwn = (text: string, ends: boolean) => {
    const host = URL.parse(text)?.hostname ?? "";
    return host === domain.name || (ends && host.endsWith(domain.name));
  };
  if (url !== undefined) {
    if (typeof url !== "string" || !URL.canParse(url)) throw invalid();
    if (url !== domain.url && !isOwn(url, has("session-url-ends")) && !has("session-url-anywhere"))
      throw invalid();
  }
  const { return_url: back, custom_data: data } = metadata;
  if (back !== undefined && !has("return-anywhere")) {
    if (!String(back).startsWith("https://") || String(back).includes("@")) throw invalid();
    if (!isOwn(String(back), has("return-ends"))) throw invalid();
  }
  if (data === undefined) return;
  if (typeof data !== "string") throw invalid();
  const size = has("data-in-characters") ? data.length : Buffer.byteLength(data);
  if (size > (has("data-small") ? 1_024 : 4_096)) throw invalid();
}
