/** URLs that lead away from any site. */
export const FOREIGN_URLS = ["https://evil.example/", "//evil.example/", "/\\evil.example/"];
/** The query parameters that can contain the page to return to after a login. */
export const RETURN_PARAMETERS = ["redirect", "callbackUrl", "return_url", "next", "returnTo"];

/** Returns whether a string is a path that resolves to a URL on `origin`. */
export function isOwnPath(text: unknown, origin: URL): boolean {
  if (typeof text !== "string" || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text)) return false;
  return new URL(text, origin).origin === origin.origin;
}

/**
 * Returns whether a host name is a loopback name. An API on such a host can reach the ports on which the kit listens.
 */
export function isLoopback(hostname: string): boolean {
  return hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname) || /^(.+\.)?localhost$/.test(hostname);
}
