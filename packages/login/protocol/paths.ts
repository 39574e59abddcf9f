/**
 * The page that asks the holder of an added key before its first sign-in (docs/protocol.md#45-added-keys): a page of
 * the site, or the package's plain page.
 */
export const ADDED_KEY_PAGES = { own: "/login/added", plain: "/api/account/added-key" } as const;

/** The path at which a login is undone. */
export const UNDO_PATH = "/webhook/undo";

/** The path of the page that asks the holder of an added key at this login. */
export function addedKeyPath({ addedKeyPage }: { addedKeyPage: string }, sid: string): string {
  return `${addedKeyPage}?${new URLSearchParams({ sid })}`;
}

/**
 * `value` if it is a path of this origin (`/dashboard?tab=1`), else `fallback`. Every `redirect` and `callbackUrl`
 * passes through it, because a link could otherwise send a user to another site after the sign-in.
 *
 * It refuses other schemes and hosts, protocol-relative `//host`, backslashes (browsers treat them as slashes),
 * control characters (browsers remove them, as in `/\t/host`), and paths of the API.
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

/** A page's `callbackUrl` from its query: a path of this origin, or null. */
export function readCallbackUrl(value: string | string[] | undefined): string | null {
  return typeof value === "string" ? sameOriginPath(value, "") || null : null;
}

/** A link to a page of this site that keeps where its user wants to go. */
export function withCallbackUrl(path: string, callbackUrl: string | null): string {
  return callbackUrl === null ? path : `${path}?${new URLSearchParams({ callbackUrl })}`;
}
