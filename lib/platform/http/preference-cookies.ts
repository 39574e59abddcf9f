/** The language that a reader chose for the reference's examples; the page itself writes it. */
export const LANGUAGE_COOKIE = "svc-docs-language";

/** Choices that a page is rendered by. They are no secret and decide nothing, so scripts may write them. */
export const PREFERENCE_COOKIES: readonly string[] = [LANGUAGE_COOKIE];
