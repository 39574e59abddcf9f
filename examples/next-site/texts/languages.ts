import { preferredLanguage } from "@svc/react";
import { de } from "./de.tsx";
import { en, type Texts } from "./en.tsx";

/** The languages of this site. To add one, write its file and list it here. TypeScript reports missing texts. */
const LANGUAGES = { en, de } satisfies Record<string, Texts>;

/** Returns the language of a page: the browser's, or English if the browser accepts none of these languages. */
export const languageOf = (headers: Headers) => preferredLanguage(headers, ["en", "de"]);

/** Returns the texts for a request. Client components receive theirs as props. */
export const textsOf = (headers: Headers): Texts => LANGUAGES[languageOf(headers)];
