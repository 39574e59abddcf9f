import { preferredLanguage } from "@svc/react";
import { de } from "./de.tsx";
import { en, type Texts } from "./en.tsx";

/** The languages of this site. To add one, write its file and list it here. TypeScript reports missing texts. */
const LANGUAGES = { en, de } satisfies Record<string, Texts>;

/** Returns the language of a page: the browser's preferred one, or English if the browser accepts none of these. */
export const languageOf = (headers: Headers) => preferredLanguage(headers, ["en", "de"]);

/** Returns the texts in the language of a request. Client components receive their texts as props. */
export const textsOf = (headers: Headers): Texts => LANGUAGES[languageOf(headers)];
