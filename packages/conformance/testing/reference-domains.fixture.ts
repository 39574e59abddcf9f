import { randomBytes } from "node:crypto";
import { domainToASCII } from "node:url";
import { type HasFault, invalidRequest, SiteError, type TestClock } from "./reference.fixture.ts";
import type { ApiDomain, Body, Call } from "./reference-events.fixture.ts";

export type Domains = ReturnType<typeof openDomains>;

export function openDomains(clock: TestClock, has: HasFault) {
  const all: ApiDomain[] = [];

  /** Enables the domain again. */
  function change(domain: ApiDomain, { webhook_url, verified }: Body): Body {
    domain.url = webhookUrl(webhook_url, "patch-url-unchecked");
    if (!has("stays-disabled")) domain.disabledAt = null;
    if (verified !== undefined && has("patch-merges")) domain.verified = Boolean(verified);
    return show(domain);
  }

  function rotate(domain: ApiDomain): Body {
    const { id, name, secrets } = domain;
    const secret = has("rotation-same") ? (secrets[0] ?? "") : newSecret();
    domain.secrets = [secret, ...secrets].slice(0, 5);
    const end = clock.iso(has("rotation-ends") ? 60 : 24 * 3600);
    return { id, domain: name, webhook_secret: secret, previous_secret_expires_at: end };
  }

  function register(tenant: string, { domain, webhook_url }: Body): Body {
    const name = readDomain(String(domain), has);
    if (name === null) throw invalidRequest();
    const url = webhookUrl(webhook_url, "create-url-unchecked");
    if (has("at-quota")) throw new SiteError(422, "quota_exceeded", "This tenant has 100 domains.");
    const isTaken = all.some((domain) => domain.tenant === tenant && domain.name === name);
    if (isTaken && !has("domain-twice")) throw new SiteError(409, "domain_already_registered");
    const secret = has("one-secret") ? `whsec_${Buffer.alloc(32, 7).toString("base64")}` : newSecret();
    const newDomain: ApiDomain = {
      ...{ id: `dom_${randomBytes(12).toString("hex")}`, tenant, name, url, disabledAt: null },
      ...{ verified: name.endsWith(".test") && !has("test-unverified"), secrets: [secret] },
      token: `svc-verify=${randomBytes(16).toString("hex")}`,
    };
    if (has("domains-oldest-first")) all.push(newDomain);
    else all.unshift(newDomain);
    return { ...show(newDomain), webhook_secret: has("short-secret") ? secret.slice(0, 30) : secret };
  }

  function webhookUrl(url: unknown, fault: string): string {
    if (typeof url !== "string" || (!isWebhookUrl(url, has) && !has(fault))) throw invalidRequest();
    return url;
  }

  function of({ id, tenant }: Call): ApiDomain {
    if (!/^\w+$/.test(id) && has("strange-ids-throw")) throw new Error("invalid input");
    const domain = all.find((candidate) => candidate.id === id);
    if (!domain || (domain.tenant !== tenant && !has("foreign-domains")))
      throw new SiteError(404, "domain_not_found");
    return domain;
  }

  function show(domain: ApiDomain): Body {
    const { id, name, verified, url, token, disabledAt } = domain;
    const secret = has("secret-shown-again") ? { webhook_secret: domain.secrets[0] } : {};
    return {
      id,
      domain: name,
      verified,
      webhook_url: url,
      verification_token: token,
      disabled_at: disabledAt,
      ...secret,
    };
  }

  function prove(domain: ApiDomain): [number, Body] {
    if (domain.verified || has("proof-unneeded")) {
      domain.verified = true;
      return [200, { id: domain.id, verified: true }];
    }
    const found = has("proof-tells-address") ? "connect ECONNREFUSED 10.0.0.7:443" : "nothing";
    const places = [
      `TXT ${domain.name}`,
      `TXT _svc-challenge.${domain.name}`,
      `https://${domain.name}/.well-known/svc-challenge.txt`,
    ];
    const looked = places.map((looked_at) => ({ looked_at, found }));
    throw new SiteError(422, "domain_verification_failed", undefined, has("proof-silent") ? {} : { looked });
  }

  return { all, change, rotate, register, of, show, prove };
}

function newSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
const SUFFIXES = ["com", "co.uk", "github.io"];
/** The only suffix in the checks that does not exist. */
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

/** Null if the text is not a domain name. */
function readDomain(text: string, has: HasFault): string | null {
  const raw = text.replace(/^https?:\/\//, (scheme) => (has("domain-scheme") ? "" : scheme));
  const ascii = /[^\x20-\x7e]/.test(raw) ? domainToASCII(raw) : raw;
  const name = ascii.toLowerCase();
  if (isAddress(name) && !has("domain-address")) return null;
  if (name.startsWith("*.") && has("domain-wildcard")) return name;
  if (!isName(name) || (SUFFIXES.includes(name) && !has("domain-suffix"))) return null;
  if (name !== text && has("domain-as-sent")) return text;
  return name;
}

/** `host` is null for an IP address. */
type UrlParts = { text: string; scheme: string; authority: string; port?: string; host: string | null };

/** By the fault of an API that accepts such a URL. */
const WRONG_URLS: Record<string, (url: UrlParts) => boolean> = {
  "url-long": ({ text }) => text.length > 2_048,
  "url-fragment": ({ text }) => text.includes("#"),
  "url-user": ({ authority }) => authority.includes("@"),
  "url-http": ({ scheme }) => scheme.toLowerCase() === "http",
  "url-port": ({ port = "443" }) => !/^\d+$/.test(port) || Number(port) === 0 || Number(port) > 65_535,
  "url-bad-port": ({ port = "443" }) => BAD_PORTS.includes(port),
  "url-address": ({ host }) => host === null,
  "url-host": ({ host }) => host !== null && !isName(host),
  "url-inner": ({ host }) =>
    host !== null && !SUFFIXES.includes(host) && (INNER.test(host) || !host.includes(".")),
  "url-unknown-suffix": ({ host }) => host !== null && UNKNOWN.test(host),
  "url-suffix": ({ host }) => host !== null && SUFFIXES.includes(host),
};

function isWebhookUrl(text: string, has: HasFault): boolean {
  const [, scheme = "", authority = ""] = /^([a-z]+):\/\/([^/?#\\]+)/is.exec(text) ?? [];
  if (!/^https?$/i.test(scheme) || /\s|\\/.test(text)) return false;
  const [, given = "", port] = /^(\[.*\]|[^:]*)(?::(.*))?$/.exec(authority.replace(/^.*@/, "")) ?? [];
  const name = given.toLowerCase();
  if (name === "localhost" && Number(port) > 0) return true;
  if (port !== undefined && has("url-portless")) return false;
  const url = { text, scheme, authority, port, host: isAddress(name) ? null : name };
  return !Object.entries(WRONG_URLS).some(([fault, isWrong]) => isWrong(url) && !has(fault));
}

/** @throws {SiteError} 400 if the URL or the metadata is invalid */
export function validateUrls(domain: ApiDomain, url: unknown, metadata: Body, has: HasFault): void {
  if (typeof metadata !== "object" || metadata === null) throw invalidRequest();
  const isOwn = (text: string, ends: boolean) => {
    const host = URL.parse(text)?.hostname ?? "";
    return host === domain.name || (ends && host.endsWith(domain.name));
  };
  if (url !== undefined) {
    if (typeof url !== "string" || !URL.canParse(url)) throw invalidRequest();
    if (url !== domain.url && !isOwn(url, has("session-url-ends")) && !has("session-url-anywhere"))
      throw invalidRequest();
  }
  const { return_url: back, custom_data: data } = metadata;
  if (back !== undefined && !has("return-anywhere")) {
    if (!String(back).startsWith("https://") || String(back).includes("@")) throw invalidRequest();
    if (!isOwn(String(back), has("return-ends"))) throw invalidRequest();
  }
  if (data === undefined) return;
  if (typeof data !== "string") throw invalidRequest();
  const size = has("data-in-characters") ? data.length : Buffer.byteLength(data);
  if (size > (has("data-small") ? 1_024 : 4_096)) throw invalidRequest();
}
