import { KNOWN_BROWSER_SECONDS, LOGIN_SESSION_IDLE_SECONDS } from "../protocol/numbers.ts";
import { hashSecret } from "./random.ts";

/** The cookies that the login sets. No others have to reach the framework, which is slow with many. */
export const OWN_COOKIES = [
  "svc-browser",
  "svc-known-browser",
  "svc-recovery",
  "next-auth.session-token",
  "next-auth.callback-url",
  "next-auth.csrf-token",
] as const;
type OwnCookie = (typeof OWN_COOKIES)[number];

/**
 * The name of a cookie for this very host. Over https its prefix keeps a neighbouring subdomain from setting it; plain
 * http (localhost) cannot have the prefix.
 */
export function ownCookieName(name: OwnCookie, secure: boolean): string {
  return secure ? `__Host-${name}` : name;
}

/** Name and attributes of one of our cookies, as NextAuth takes them. */
export function hostCookie(name: OwnCookie, secure: boolean) {
  return {
    name: ownCookieName(name, secure),
    options: { httpOnly: true, sameSite: "lax", path: "/", secure } as const,
  };
}

/** The value of a `Set-Cookie` header. */
export function setCookieHeader(
  { name, options }: ReturnType<typeof hostCookie>,
  value: string,
  maxAgeSeconds: number,
): string {
  const attributes = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax`;
  return `${name}=${value}; ${attributes}${options.secure ? "; Secure" : ""}`;
}

/** A secret of 256 bits in base64url. The database has its hash. */
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** The cookie that binds a login to the browser that started it (docs/protocol.md#41-the-binding-cookie). */
const bindingCookie = (secure: boolean) => hostCookie("svc-browser", secure);

/** The binding secret in a `Cookie` header; null for anything but the exact shape that the server makes. */
export function readBindingSecret(header: string | null, secure: boolean): string | null {
  return readSecret(header, bindingCookie(secure).name);
}

/** The hash of that secret, by which the database knows the browser; null without one. */
export function readBrowserHash(header: string | null, secure: boolean): Uint8Array | null {
  const secret = readBindingSecret(header, secure);
  return secret === null ? null : hashSecret(secret);
}

/** The `Set-Cookie` header that binds a browser for as long as a login session may idle; renewed with each code. */
export function bindingSetCookie(secret: string, secure: boolean): string {
  return setCookieHeader(bindingCookie(secure), secret, LOGIN_SESSION_IDLE_SECONDS);
}

/** The `Set-Cookie` header that removes the secret, so that signing out leaves no login behind. */
export function expiredBindingSetCookie(secure: boolean): string {
  return setCookieHeader(bindingCookie(secure), "", 0);
}

/** The cookie by which an account knows a browser again. It is shown to people and decides nothing. */
const knownBrowserCookie = (secure: boolean) => hostCookie("svc-known-browser", secure);

/** The known browser's random word; null for anything but the exact shape that the server makes. */
export function readKnownBrowser(header: string | null, secure: boolean): string | null {
  const value = readCookie(header, knownBrowserCookie(secure).name);
  return value !== null && /^[A-Za-z0-9_-]{22}$/.test(value) ? value : null;
}

export function knownBrowserSetCookie(word: string, secure: boolean): string {
  return setCookieHeader(knownBrowserCookie(secure), word, KNOWN_BROWSER_SECONDS);
}

/** The cookie that holds a recovery's permission. */
const heldRecoveryCookie = (secure: boolean) => hostCookie("svc-recovery", secure);

/** The secret of a recovery in a `Cookie` header; null for anything but the exact shape that the server makes. */
export function readRecoveryCookie(header: string | null, secure: boolean): string | null {
  return readSecret(header, heldRecoveryCookie(secure).name);
}

/** The `Set-Cookie` header that gives a browser the permission. */
export function recoveryCookie(secret: string, maxAgeSeconds: number, secure: boolean): string {
  return setCookieHeader(heldRecoveryCookie(secure), secret, maxAgeSeconds);
}

/** The `Set-Cookie` header that removes the permission. */
export function expiredRecoveryCookie(secure: boolean): string {
  return setCookieHeader(heldRecoveryCookie(secure), "", 0);
}

function readSecret(header: string | null, name: string): string | null {
  const value = readCookie(header, name);
  return value !== null && SECRET.test(value) ? value : null;
}

/** The first value of a cookie in a `Cookie` header; null when there is none. */
export function readCookie(header: string | null, name: string): string | null {
  for (const pair of (header ?? "").split(";")) {
    const [key, value] = trimBlanks(pair).split(/=(.*)/s);
    if (key === name && value) return value;
  }
  return null;
}

/**
 * Removes from both ends the blanks that HTTP knows. `trim()` would remove other white space too, and so turn a cookie
 * that a neighbouring domain may set into a `__Host-` cookie: to a browser `\u00a0__Host-…` has no prefix.
 */
export function trimBlanks(text: string): string {
  // Without the lookbehind a long run of blanks would be read again from each of its places.
  return text.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, "");
}
