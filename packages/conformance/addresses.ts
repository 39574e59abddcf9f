/** URLs that leave a site, and loopback host names. */

export const FOREIGN_URLS = ["https://evil.example/", "//evil.example/", "/\\evil.example/"];
/** The parameters in which sites accept the page to return to. */
export const RETURN_PARAMETERS = ["redirect", "callbackUrl", "return_url", "next", "returnTo"];

/** Returns whether a string is a path that resolves to a URL on `origin`. */
export function isOwnPath(text: unknown, origin: URL): boolean {
  if (typeof text !== "string" || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text)) return false;
  return new URL(text, origin).origin === origin.origin;
}

/** Returns whether a host name is a loopback name. An API there can reach the ports on which the kit listens. */
export function isLoopback(hostname: string): boolean {
  return hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname) || /^(.+\.)?localhost$/.test(hostname);
}
