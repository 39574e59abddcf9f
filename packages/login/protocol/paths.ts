/** The site's own page, or the package's plain page (docs/protocol.md#45-added-keys). */
export const ADDED_KEY_PAGES = { own: "/login/added", plain: "/api/account/added-key" } as const;

export const UNDO_PATH = "/webhook/undo";

export function addedKeyPath({ addedKeyPage }: { addedKeyPage: string }, sid: string): string {
  return `${addedKeyPage}?${new URLSearchParams({ sid })}`;
}

/**
 * Pass every `redirect` and `callbackUrl` through this function. Otherwise, a link could send users to another site
 * after they sign in. Accepts paths such as `/dashboard?tab=1`. Refuses other schemes and hosts, protocol-relative
 * `//host`, backslashes (which browsers treat as slashes), control characters (which browsers remove, as in
 * `/\t/host`), and API paths.
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

export function readCallbackUrl(value: string | string[] | undefined): string | null {
  return typeof value === "string" ? sameOriginPath(value, "") || null : null;
}

export function withCallbackUrl(path: string, callbackUrl: string | null): string {
  return callbackUrl === null ? path : `${path}?${new URLSearchParams({ callbackUrl })}`;
}
