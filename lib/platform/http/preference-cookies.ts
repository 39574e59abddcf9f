/** The language that a reader chose for the reference's examples; the page itself writes it. */
export const LANGUAGE_COOKIE = "svc-docs-language";

/** Light or dark, if the reader chose one. The page itself writes it. Without it, the system decides. */
export const THEME_COOKIE = "svc-theme";

/**
 * Returns the name of the cookie that lists the changes made or dismissed in this browser, so that the dashboard does
 * not warn about them here. Over HTTPS, the prefix prevents a site on another subdomain from setting the cookie, which
 * would hide changes from the user. Browsers refuse that prefix over plain HTTP.
 * @param protocol the protocol of the site or of the page's location
 */
export const seenCookie = (protocol: string) => (protocol === "https:" ? "__Host-svc-seen" : "svc-seen");

/**
 * Returns the preferences with which a page is rendered. Scripts may write them, because they are not secret and do not
 * grant anything.
 */
export const preferenceCookies = ({ protocol }: URL): readonly string[] => [
  LANGUAGE_COOKIE,
  THEME_COOKIE,
  seenCookie(protocol),
];

export type Theme = "light" | "dark";

/** Returns the theme that a page is rendered in; undefined leaves it to the system. */
export function readTheme(value: string | undefined): Theme | undefined {
  return value === "light" || value === "dark" ? value : undefined;
}
