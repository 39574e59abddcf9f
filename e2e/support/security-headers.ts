import { expect } from "vitest";
import { selectLoginCookies } from "#lib/platform/http/select-login-cookies.ts";

type AnswerFacts = {
  status: number;
  headers: Headers;
  body: string;
  /** The application assumes that it is served over HTTPS. */
  secure: boolean;
};

export function findHeaderFaults({ status, headers, body, secure }: AnswerFacts): string[] {
  const faults: string[] = [];
  const expectHeader = (name: string, pattern: RegExp) => {
    const value = headers.get(name);
    if (value === null || !pattern.test(value)) faults.push(`${name}: ${value}`);
  };
  expectHeader("x-request-id", /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expectHeader("x-content-type-options", /^nosniff$/);
  expectHeader("x-frame-options", /^DENY$/);
  expectHeader("referrer-policy", /^same-origin$/);
  expectHeader("cross-origin-opener-policy", /^same-origin$/);
  expectHeader("cross-origin-resource-policy", /^same-origin$/);
  expectHeader("permissions-policy", /^camera=\(self\), microphone=\(\)/);
  if (secure) expectHeader("strict-transport-security", /^max-age=\d{8,}/);
  else if (headers.has("strict-transport-security")) faults.push("strict-transport-security over http");
  for (const name of ["x-powered-by", "server"]) if (headers.has(name)) faults.push(`${name} is told`);
  const type = headers.get("content-type") ?? "";
  const keepsTime =
    /^(application\/json|text\/html|text\/plain|text\/event-stream|text\/x-component)/.test(type) &&
    status !== 308;
  if (keepsTime) expectHeader("cache-control", /no-store/);
  const faultsInCookies = headers.getSetCookie().flatMap((line) => cookieFaults(line, secure));
  return [...faults, ...faultsInCookies, ...policyFaults(headers, type, body)];
}

/** Scripts, other sites and neighbouring hosts must not reach our cookies. */
function cookieFaults(line: string, secure: boolean): string[] {
  const [pair = "", ...attributes] = line.split("; ");
  const hasAttribute = (pattern: RegExp) => attributes.some((attribute) => pattern.test(attribute));
  const name = pair.split("=", 1)[0] ?? "";
  const [, port = "3000"] = /^port-(\d+)-/.exec(name) ?? [];
  const origin = new URL(secure ? "https://login.example" : `http://localhost:${port}`);
  const faults = [
    ...(hasAttribute(/^HttpOnly$/i) ? [] : ["no HttpOnly"]),
    ...(hasAttribute(/^SameSite=(Lax|Strict)$/i) ? [] : ["no SameSite"]),
    ...(hasAttribute(/^Path=\/$/i) ? [] : ["no Path=/"]),
    ...(hasAttribute(/^Domain=/i) ? ["a Domain"] : []),
    ...(hasAttribute(/^Secure$/i) === secure ? [] : ["Secure or not"]),
    ...(name.startsWith("__Host-") === secure ? [] : ["__Host- or not"]),
    ...(selectLoginCookies(pair, origin) === pair ? [] : ["the gate would not let it come back"]),
  ];
  return faults.map((fault) => `cookie ${name}: ${fault}`);
}

function directivesOf(policy: string): Map<string, string[]> {
  return new Map(
    policy.split(";").map((directive): [string, string[]] => {
      const [name = "", ...sources] = directive.trim().split(" ");
      return [name, sources];
    }),
  );
}

export function nonceOf(headers: Headers): string | null {
  return /'nonce-([^']+)'/.exec(headers.get("content-security-policy") ?? "")?.[1] ?? null;
}

function policyFaults(headers: Headers, type: string, body: string): string[] {
  const policy = directivesOf(headers.get("content-security-policy") ?? "");
  const faults: string[] = [];
  const expectOnly = (name: string, allowed: string[]) => {
    const sources = policy.get(name);
    if (sources?.length !== 1 || !allowed.includes(sources[0] ?? "")) faults.push(`${name} ${sources}`);
  };
  expectOnly("default-src", ["'none'", "'self'"]);
  expectOnly("frame-ancestors", ["'none'"]);
  expectOnly("object-src", ["'none'"]);
  expectOnly("base-uri", ["'none'"]);
  expectOnly("form-action", ["'none'", "'self'"]);
  const scripts = policy.get("script-src") ?? policy.get("default-src") ?? [];
  const open = scripts.filter(
    (source) => !/^'(none|self|strict-dynamic|nonce-[A-Za-z0-9+/]{22}==)'$/.test(source),
  );
  if (open.length > 0) faults.push(`scripts from ${open}`);
  return type.startsWith("text/html") ? [...faults, ...markupFaults(body, nonceOf(headers))] : faults;
}

function markupFaults(html: string, nonce: string | null): string[] {
  const scripts = [...html.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
  const without = scripts.filter((tag) => nonce === null || !tag.includes(`nonce="${nonce}"`));
  // The text inside scripts is the framework's own data, whose quotes are escaped.
  const markup = html.replace(/<script\b[^>]*>[\s\S]*?<\/script>/g, "");
  const handlers = [...markup.matchAll(/<[a-z][^>]*\son[a-z]+\s*=/gi)].map(([tag]) => tag);
  const links = [...markup.matchAll(/(?:href|src|action)="\s*(?:javascript|data|vbscript):[^"]*/gi)].map(
    ([link]) => link,
  );
  return [...without, ...handlers, ...links].map((what) => `markup: ${what.slice(0, 120)}`);
}

export function expectSafeAnswer(where: string, facts: AnswerFacts): void {
  expect(findHeaderFaults(facts).map((fault) => `${where}: ${fault}`)).toEqual([]);
}
