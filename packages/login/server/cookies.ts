import { KNOWN_BROWSER_SECONDS, LOGIN_SESSION_IDLE_SECONDS } from "../protocol/numbers.ts";
import { hashSecret } from "./random.ts";

/** A site can remove all other cookies before the framework parses the header, because parsing many cookies is slow. */
export const LOGIN_COOKIES = [
  "svc-browser",
  "svc-known-browser",
  "svc-recovery",
  "svc-session",
  "next-auth.session-token",
  "next-auth.callback-url",
  "next-auth.csrf-token",
] as const;
export type LoginCookie = (typeof LOGIN_COOKIES)[number];

/** On this port of a site that uses plain HTTP, cookie names have no prefix. */
const DEFAULT_PORT = "3000";

/**
 * Over HTTPS, the `__Host-` prefix prevents other subdomains from setting the cookie. Plain HTTP does not allow that
 * prefix, and browsers send a host's cookies to all of its ports, so the name includes the port (docs/decisions/0069).
 */
export function loginCookieName(name: LoginCookie, { protocol, port }: URL): string {
  if (protocol === "https:") return `__Host-${name}`;
  return port === DEFAULT_PORT ? name : `port-${port || "80"}-${name}`;
}

/** The current name comes first. In older versions, the name did not include the port. */
export function loginCookieNames(name: LoginCookie, origin: URL): readonly string[] {
  const current = loginCookieName(name, origin);
  return origin.protocol === "https:" || current === name ? [current] : [current, name];
}

export function toNextAuthCookie(name: LoginCookie, origin: URL) {
  return {
    name: loginCookieName(name, origin),
    options: { httpOnly: true, sameSite: "lax", path: "/", secure: origin.protocol === "https:" } as const,
  };
}

export function formatSetCookieHeader(
  { name, options }: ReturnType<typeof toNextAuthCookie>,
  value: string,
  maxAgeSeconds: number,
): string {
  const attributes = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax`;
  return `${name}=${value}; ${attributes}${options.secure ? "; Secure" : ""}`;
}

/** 256 bits in base64url. The database stores only the hash. */
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** docs/protocol.md#41-the-binding-cookie */
const bindingCookie = (origin: URL) => toNextAuthCookie("svc-browser", origin);

export function readBindingSecret(header: string | null, origin: URL): string | null {
  return readSecret(header, "svc-browser", origin);
}

/** The hash identifies the browser in the database. */
export function readBrowserHash(header: string | null, origin: URL): Uint8Array | null {
  const secret = readBindingSecret(header, origin);
  return secret === null ? null : hashSecret(secret);
}

/** The cookie expires when the login session would, and every new code renews both. */
export function createBindingCookie(secret: string, origin: URL): string {
  return formatSetCookieHeader(bindingCookie(origin), secret, LOGIN_SESSION_IDLE_SECONDS);
}

/** Set when a browser signs out, so that it cannot redeem an earlier login. */
export function createExpiredBindingCookie(origin: URL): string {
  return formatSetCookieHeader(bindingCookie(origin), "", 0);
}

/** Only serves to inform users. No decision depends on this cookie. */
const knownBrowserCookie = (origin: URL) => toNextAuthCookie("svc-known-browser", origin);

export function readKnownBrowserToken(header: string | null, origin: URL): string | null {
  const value = readLoginCookie(header, "svc-known-browser", origin);
  return value !== null && /^[A-Za-z0-9_-]{22}$/.test(value) ? value : null;
}

/** A cookie that already has its current name need not be set again. */
export function hasKnownBrowserCookie(header: string | null, origin: URL): boolean {
  return readCookie(header, knownBrowserCookie(origin).name) !== null;
}

export function createKnownBrowserCookie(token: string, origin: URL): string {
  return formatSetCookieHeader(knownBrowserCookie(origin), token, KNOWN_BROWSER_SECONDS);
}

/** The secret permits the browser to bind a new key. */
const heldRecoveryCookie = (origin: URL) => toNextAuthCookie("svc-recovery", origin);

export function readRecoveryCookie(header: string | null, origin: URL): string | null {
  return readSecret(header, "svc-recovery", origin);
}

export function createRecoveryCookie(secret: string, maxAgeSeconds: number, origin: URL): string {
  return formatSetCookieHeader(heldRecoveryCookie(origin), secret, maxAgeSeconds);
}

export function createExpiredRecoveryCookie(origin: URL): string {
  return formatSetCookieHeader(heldRecoveryCookie(origin), "", 0);
}

function readSecret(header: string | null, name: LoginCookie, origin: URL): string | null {
  const value = readLoginCookie(header, name, origin);
  return value !== null && SECRET.test(value) ? value : null;
}

/** Also finds the cookie under the name that older versions used. */
export function readLoginCookie(header: string | null, name: LoginCookie, origin: URL): string | null {
  for (const cookieName of loginCookieNames(name, origin)) {
    const value = readCookie(header, cookieName);
    if (value !== null) return value;
  }
  return null;
}

/**
 * Uses the cookies' current names. Only these cookies are passed to NextAuth, because it would treat any other cookie
 * of this host whose name begins with `next-auth.session-token` as part of the session token.
 */
export function filterLoginCookies(header: string | null, origin: URL): Record<string, string> {
  const pairs = LOGIN_COOKIES.flatMap((name) => {
    const value = readLoginCookie(header, name, origin);
    return value === null ? [] : [[loginCookieName(name, origin), value]];
  });
  return Object.fromEntries(pairs);
}

/** NextAuth splits a token that is too long for one cookie into numbered parts. */
const PART_NUMBER = /^\.\d{1,3}$/;
/** The headers of one request have no room for more. */
const MAX_PARTS = 8;

export function listCookieChunkNames(header: string | null, name: string): string[] {
  const names = (header ?? "").split(";").map((pair) => trimOptionalWhitespace(pair.split("=", 1)[0] ?? ""));
  const isPart = (isPartName: string) =>
    isPartName.startsWith(name) && PART_NUMBER.test(isPartName.slice(name.length));
  return [...new Set(names.filter(isPart))].slice(0, MAX_PARTS);
}

export function readCookie(header: string | null, name: string): string | null {
  for (const pair of (header ?? "").split(";")) {
    const [key, value] = trimOptionalWhitespace(pair).split(/=(.*)/s);
    if (key === name && value) return value;
  }
  return null;
}

/**
 * As HTTP does. `trim()` would also remove other white space and thereby turn `\u00a0__Host-…`, which a neighbouring
 * domain can set, into a `__Host-` cookie.
 */
export function trimOptionalWhitespace(text: string): string {
  // Without the lookbehind, the pattern would scan a long run of blanks again from each position.
  return text.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, "");
}
