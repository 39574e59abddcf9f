/**
 * `value` when it is a path of this origin (`/dashboard?tab=1`), else `fallback`. Guards every
 * `redirect` and `callbackUrl`, so that nobody is sent elsewhere after signing in.
 *
 * Refused: other schemes and hosts, protocol-relative `//host`, backslashes (browsers read them as
 * slashes), control characters (browsers drop them, `/\t/host`), and paths of the API.
 */
export function sameOriginPath(value: string | null | undefined, fallback: string): string {
  if (!value || value.length > 2048) return fallback;
  if (!/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(value)) return fallback;
  try {
    const base = "http://same.origin.invalid";
    const url = new URL(value, base);
    if (url.origin !== base || url.pathname.startsWith("//")) return fallback;
    return url.pathname.startsWith("/api/") ? fallback : url.pathname + url.search + url.hash;
  } catch {
    return fallback;
  }
}
