/** URLs that lead away from a site, and names of this machine. */

export const ELSEWHERE = ["https://evil.example/", "//evil.example/", "/\\evil.example/"];
/** The parameters in which sites accept the page to return to. */
export const RETURN_PARAMETERS = ["redirect", "callbackUrl", "return_url", "next", "returnTo"];

/** True if a text is a path that leads to `origin` from any of its pages. */
export function isOwnPath(text: unknown, origin: URL): boolean {
  if (typeof text !== "string" || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text)) return false;
  return new URL(text, origin).origin === origin.origin;
}

/** True for names of this machine. An API there can reach the ports on which the kit listens. */
export function isLoopback(hostname: string): boolean {
  return hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname) || /^(.+\.)?localhost$/.test(hostname);
}
