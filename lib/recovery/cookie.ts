import { hostCookie, readCookie, setCookieHeader } from "#lib/login/server/cookies.ts";

/** The cookie that holds a recovery's permission: a 256-bit secret, whose hash the database has. */

const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** The secret in a `Cookie` header; null for anything but the exact shape that the server makes. */
export function readRecoveryCookie(header: string | null, secure: boolean): string | null {
  const value = readCookie(header, hostCookie("svc-recovery", secure).name);
  return value !== null && SECRET.test(value) ? value : null;
}

/** The `Set-Cookie` header that gives a browser the permission. */
export function recoveryCookie(secret: string, maxAgeSeconds: number, secure: boolean): string {
  return setCookieHeader(hostCookie("svc-recovery", secure), secret, maxAgeSeconds);
}

/** The `Set-Cookie` header that takes it away. */
export function expiredRecoveryCookie(secure: boolean): string {
  return setCookieHeader(hostCookie("svc-recovery", secure), "", 0);
}
