/** A request's target in origin form (RFC 9112, 3.2.1). */
export type RequestTarget = {
  /** The path as the client wrote it. */
  pathname: string;
  /** The path with its percent-encoding undone: what it means. */
  decodedPathname: string;
  /** The query with its question mark, or nothing. */
  search: string;
};

/**
 * Reads a request's target. Null for what no route may see: other forms, characters that a URL cannot have, bad
 * percent-encoding, NUL, dot segments, backslashes. Never throws.
 */
export function readTarget(url: string): RequestTarget | null {
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(url) || url.includes("#")) return null;
  const at = url.indexOf("?");
  const pathname = at < 0 ? url : url.slice(0, at);
  const search = at < 0 ? "" : url.slice(at);
  // Most targets have nothing to decode, and no dot segment.
  if (!/[%.\\]/.test(url)) return { pathname, decodedPathname: pathname, search };
  try {
    const segments = pathname.split("/").map(decodeURIComponent);
    const decodedPathname = segments.join("/");
    const text = decodedPathname + decodeURIComponent(search.replaceAll("+", " "));
    if (text.includes("\0") || segments.some((segment) => segment === "." || segment === "..")) return null;
    if (segments.some((segment) => segment.includes("\\"))) return null;
    return { pathname, decodedPathname, search };
  } catch {
    return null;
  }
}
