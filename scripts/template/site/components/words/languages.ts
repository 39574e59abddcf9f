import { de } from "./de.tsx";
import { en, type Words } from "./en.tsx";

/** The languages of this site. To add one, write its file and name it here; TypeScript reports missing words. */
export const LANGUAGES = { en, de } satisfies Record<string, Words>;

export type Language = keyof typeof LANGUAGES;

/** The language for browsers that accept none of these. */
const DEFAULT: Language = "en";

/** How much of `Accept-Language` is read. Browsers send less; anybody can send 16 KB. */
const READ_CHARACTERS = 256;

/** The site's language that the browser prefers (`Accept-Language`). */
export function languageOf(headers: Headers): Language {
  const header = (headers.get("accept-language") ?? "").slice(0, READ_CHARACTERS).toLowerCase();
  const asked = header.split(",").map((each) => {
    const [tag = "", weight = "q=1"] = each.split(";").map((part) => part.trim());
    return { language: tag.split("-")[0] ?? "", weight: Number(weight.replace("q=", "")) };
  });
  const best = asked
    .filter(({ language, weight }) => Object.hasOwn(LANGUAGES, language) && weight > 0)
    .toSorted((one, other) => other.weight - one.weight)[0];
  return (best?.language as Language | undefined) ?? DEFAULT;
}

/** The words for a server component. Client components call `useWords`. */
export function wordsOf(headers: Headers): Words {
  return LANGUAGES[languageOf(headers)];
}
