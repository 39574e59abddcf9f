/** What leads away from a site when it is passed on without being judged. */

export const ELSEWHERE = ["https://evil.example/", "//evil.example/", "/\\evil.example/"];
/** Names under which sites take the page to return to. */
export const RETURN_PARAMETERS = ["redirect", "callbackUrl", "return_url", "next", "returnTo"];

/** Whether a text leads to a page of the same origin wherever it stands. */
export function isOwnPath(text: unknown, origin: URL): boolean {
  if (typeof text !== "string" || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text)) return false;
  return new URL(text, origin).origin === origin.origin;
}
