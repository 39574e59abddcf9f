export const FOREIGN_URLS = ["https://evil.example/", "//evil.example/", "/\\evil.example/"];
/** The names of query parameters that can contain the URL to return to after a login. */
export const RETURN_PARAMETERS = ["redirect", "callbackUrl", "return_url", "next", "returnTo"];

export function isOwnPath(text: unknown, origin: URL): boolean {
  if (typeof text !== "string" || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text)) return false;
  return new URL(text, origin).origin === origin.origin;
}

/** A server on a loopback host can send requests to the ports on which the kit listens. */
export function isLoopback(hostname: string): boolean {
  return hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname) || /^(.+\.)?localhost$/.test(hostname);
}
