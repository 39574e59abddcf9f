/**
 * The page that asks for consent before an added key first signs in (docs/protocol.md#45-added-keys): the site's own
 * page, or the package's plain page.
 */
export const ADDED_KEY_PAGES = { own: "/login/added", plain: "/api/account/added-key" } as const;

/** The path of the endpoint that undoes logins. */
export const UNDO_PATH = "/webhook/undo";

/** Returns the path of the page that asks the holder of an added key for consent to this login. */
export function addedKeyPath({ addedKeyPage }: { addedKeyPage: string }, sid: string): string {
  return `${addedKeyPage}?${new URLSearchParams({ sid })}`;
}

/**
 * Returns `value` if it is a same-origin path such as `/dashboard?tab=1`, and otherwise `fallback`. Pass every
 * `redirect` and `callbackUrl` through this function. Otherwise, a link could send users to another site after they
 * sign in.
 *
 * Refuses other schemes and hosts, protocol-relative `//host`, backslashes (which browsers treat as slashes), control
 * characters (which browsers remove, as in `/\t/host`), and API paths.
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

/** Reads the `callbackUrl` in a page's query. Returns null if it is not a same-origin path. */
export function readCallbackUrl(value: string | string[] | undefined): string | null {
  return typeof value === "string" ? sameOriginPath(value, "") || null : null;
}

/** Returns a page's path with a `callbackUrl`, to which the user returns afterwards. */
export function withCallbackUrl(path: string, callbackUrl: string | null): string {
  return callbackUrl === null ? path : `${path}?${new URLSearchParams({ callbackUrl })}`;
}
