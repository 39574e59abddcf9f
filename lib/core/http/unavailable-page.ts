import { plainPage } from "./plain-page.ts";

/** What a page is answered with while the database does not answer: with 503. */
export const UNAVAILABLE_HEADERS: Readonly<Record<string, string>> = {
  "Content-Type": "text/html; charset=utf-8",
  "Cache-Control": "no-store",
  "Retry-After": "2",
};

export const UNAVAILABLE_PAGE = plainPage(
  "Not available just now",
  "We cannot reach our database, so we cannot tell who is signed in. Your account is not affected, and you stay signed in if you were. Try again in a moment.",
);
