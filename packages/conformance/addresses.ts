/** Addresses that lead away from a site, and those that lead to this machine. */

export const ELSEWHERE = ["https://evil.example/", "//evil.example/", "/\\evil.example/"];
/** The parameters by which sites take the page to return to. */
export const RETURN_PARAMETERS = ["redirect", "callbackUrl", "return_url", "next", "returnTo"];

/** True if a text is a path that leads to `origin`, whichever of its pages holds it. */
export function isOwnPath(text: unknown, origin: URL): boolean {
  if (typeof text !== "string" || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text)) return false;
  return new URL(text, origin).origin === origin.origin;
}

/** True for names of this machine. An API there can reach the ports on which the kit listens. */
export function isLoopback(hostname: string): boolean {
  return hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname) || /^(.+\.)?localhost$/.test(hostname);
}
