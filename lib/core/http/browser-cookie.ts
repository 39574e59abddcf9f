import { LOGIN_SESSION_IDLE_SECONDS } from "#lib/contracts/limits.ts";
import { ownCookieName, trimBlanks } from "./own-cookies.ts";

/**
 * The cookie that binds a login to the browser that started it (contract 3). It holds a 256-bit secret, apart
 * from the public sid; the database holds the secret's hash.
 */

export function browserCookieName(secure: boolean): string {
  return ownCookieName("svc-browser", secure);
}

/** The secret in a `Cookie` header, or null; only the exact shape that we make. */
export function readBrowserCookie(cookieHeader: string | null, secure: boolean): string | null {
  const name = browserCookieName(secure);
  for (const pair of (cookieHeader ?? "").split(";")) {
    const [key, value] = trimBlanks(pair).split(/=(.*)/s);
    if (key === name && value && /^[A-Za-z0-9_-]{43}$/.test(value)) return value;
  }
  return null;
}

/** The `Set-Cookie` header's value that takes the secret away: who signs out leaves no login behind. */
export function expiredBrowserCookie(secure: boolean): string {
  return setCookie("", 0, secure);
}

/** The `Set-Cookie` header's value; lives as long as a login session may idle, renewed with each code. */
export function browserCookie(secret: string, secure: boolean): string {
  return setCookie(secret, LOGIN_SESSION_IDLE_SECONDS, secure);
}

function setCookie(value: string, maxAgeSeconds: number, secure: boolean): string {
  return [
    `${browserCookieName(secure)}=${value}`,
    "Path=/",
    `Max-Age=${maxAgeSeconds}`,
    "HttpOnly",
    "SameSite=Lax",
    ...(secure ? ["Secure"] : []),
  ].join("; ");
}
