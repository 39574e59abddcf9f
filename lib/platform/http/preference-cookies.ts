/** The page sets this cookie. */
export const LANGUAGE_COOKIE = "svc-docs-language";

/** The page sets this cookie. Without it, the system's theme is used. */
export const THEME_COOKIE = "svc-theme";

/**
 * Returns the name of the cookie that lists changes made or dismissed in this browser, so that the dashboard does not
 * warn about them here. Over HTTPS, the name's prefix prevents other subdomains from setting the cookie and thus hiding
 * changes. Browsers do not allow the prefix over plain HTTP.
 * @param protocol the protocol of the site or of the page's URL
 */
export const getSeenChangesCookieName = (protocol: string) =>
  protocol === "https:" ? "__Host-svc-seen" : "svc-seen";

/** They are not secret and grant nothing, so scripts can set them. */
export const listPreferenceCookieNames = ({ protocol }: URL): readonly string[] => [
  LANGUAGE_COOKIE,
  THEME_COOKIE,
  getSeenChangesCookieName(protocol),
];

export type Theme = "light" | "dark";

/** Undefined to use the system's theme. */
export function readTheme(value: string | undefined): Theme | undefined {
  return value === "light" || value === "dark" ? value : undefined;
}
