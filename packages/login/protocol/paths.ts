/**
 * The page that asks for consent before the first sign-in with an added key (docs/protocol.md#45-added-keys): the
 * site's own page, or the package's plain page.
 */
export const ADDED_KEY_PAGES = { own: "/login/added", plain: "/api/account/added-key" } as const;

/** The path at which a login is undone. */
export const UNDO_PATH = "/webhook/undo";

/** Returns the path of the page that asks for consent in this login. */
export function addedKeyPath({ addedKeyPage }: { addedKeyPage: string }, sid: string): string {
  return `${addedKeyPage}?${new URLSearchParams({ sid })}`;
}

/**
 * Returns `value` if it is a same-origin path (`/dashboard?tab=1`), else `fallback`. Every `redirect` and `callbackUrl`
 * passes through it, because a link could otherwise send a user to another site after the sign-in.
 *
 * It refuses other schemes and hosts, protocol-relative `//host`, backslashes (browsers treat them as slashes), control
 * characters (browsers remove them, as in `/\t/host`), and paths of the API.
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

/** Reads a page's `callbackUrl` from its query: a same-origin path, or null. */
export function readCallbackUrl(value: string | string[] | undefined): string | null {
  return typeof value === "string" ? sameOriginPath(value, "") || null : null;
}

/** Links to a page on this site, and passes on the `callbackUrl` to which the user returns afterwards. */
export function withCallbackUrl(path: string, callbackUrl: string | null): string {
  return callbackUrl === null ? path : `${path}?${new URLSearchParams({ callbackUrl })}`;
}
