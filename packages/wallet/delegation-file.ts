import { readOwnField } from "./send-site-request.ts";
import { isHostName, isLoopback } from "./url.ts";

/**
 * docs/protocol.md#9-delegation. Wallets and the hosted API use the same parser, so that the API can show its customers
 * what wallets will find. The parser runs anywhere, and uses neither the clock nor the network.
 */

export const DELEGATION_LIMIT_BYTES = 8 * 1024;
/** For the complete response. */
export const DELEGATION_DEADLINE_SECONDS = 3;
export const MAX_WEBHOOK_HOSTS = 5;

/** `reason` is a readable clause that does not quote the file. */
export type Delegation =
  | { status: "ok"; hosts: string[] }
  /** There is no file, or the host does not respond. */
  | { status: "missing"; reason: string }
  | { status: "invalid"; reason: string };

export type DelegationResponse = {
  status: number;
  contentType: string | null;
  /** At least the first `DELEGATION_LIMIT_BYTES` + 1 bytes. */
  body: Uint8Array;
};

/** Plain HTTP for domains that refer to this machine. */
export function delegationUrl(domain: string): string {
  return `${isLoopback(domain) ? "http" : "https"}://${domain}/.well-known/svc-login`;
}

export function formatDelegation(domain: string, hosts: readonly string[]): string {
  return JSON.stringify({ domain, webhook_hosts: hosts });
}

/** A file that differs from the format in any way is invalid. */
export function parseDelegation(
  { status, contentType, body }: DelegationResponse,
  domain: string,
): Delegation {
  if (status >= 300 && status < 400)
    return invalid("the answer is a redirect, and redirects are not followed");
  if (status !== 200) return { status: "missing", reason: `the answer has status ${status} instead of 200` };
  const [type = ""] = (contentType ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/json") {
    return invalid("the answer's Content-Type is not application/json");
  }
  const file = parse(body);
  if ("wrong" in file) return invalid(`the file ${file.wrong}`);
  if (readOwnField(file.json, "domain") !== domain) return invalid(`its "domain" is not ${domain}`);
  const hosts = readOwnField(file.json, "webhook_hosts");
  if (!Array.isArray(hosts) || hosts.length < 1 || hosts.length > MAX_WEBHOOK_HOSTS) {
    return invalid(`its "webhook_hosts" is not a list of 1 to ${MAX_WEBHOOK_HOSTS} host names`);
  }
  if (!hosts.every((host): host is string => typeof host === "string" && isHostName(host))) {
    return invalid(
      'its "webhook_hosts" contains something other than host names: lower-case ASCII, no scheme, port or wildcard',
    );
  }
  return { status: "ok", hosts };
}

function invalid(reason: string): Delegation {
  return { status: "invalid", reason };
}

type ParsedFile = { json: object } | { wrong: string };

function parse(body: Uint8Array): ParsedFile {
  if (body.length > DELEGATION_LIMIT_BYTES) return { wrong: "is larger than 8 KB" };
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return { wrong: "is not UTF-8" };
  }
  if (text.startsWith("\ufeff")) return { wrong: "begins with a byte order mark; save it without" };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { wrong: "is not valid JSON" };
  }
  if (typeof json !== "object" || json === null || Array.isArray(json))
    return { wrong: "is not a JSON object" };
  const wrong = faultIn(text);
  return wrong ? { wrong } : { json };
}

/**
 * A string, including the colon if the string is a name, or the beginning or end of an object. The closing quote is
 * optional so that no input makes the search start again after the opening quote.
 */
const STRING_OR_BRACE = /("(?:[^"\\]|\\.)*"?)(\s*:)?|[{}]/g;
// With the flag `u`, both halves of a surrogate pair count as one character.
const NUL_OR_LONE_SURROGATE = /[\0\p{Surrogate}]/u;
const PROTOTYPE_NAMES = new Set(["__proto__", "constructor", "prototype"]);

/** Two parsers could read a valid JSON text differently, for example if a name occurs twice. */
function faultIn(json: string): string | null {
  const objects: Set<string>[] = [];
  for (const [brace, quoted, colon] of json.matchAll(STRING_OR_BRACE)) {
    if (quoted === undefined) {
      if (brace === "{") objects.push(new Set());
      else objects.pop();
      continue;
    }
    const text: string = JSON.parse(quoted);
    if (NUL_OR_LONE_SURROGATE.test(text)) return "contains a NUL character or a lone surrogate";
    if (colon === undefined) continue;
    if (PROTOTYPE_NAMES.has(text)) return `has a member named ${text}`;
    const names = objects.at(-1);
    if (names?.has(text)) return "has two members with the same name";
    names?.add(text);
  }
  return null;
}
