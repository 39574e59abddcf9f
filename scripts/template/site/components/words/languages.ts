import { de } from "./de.tsx";
import { en, type Words } from "./en.tsx";

/** The languages of this site. To add one, write its file, which TypeScript keeps complete, and name it here. */
export const LANGUAGES = { en, de } satisfies Record<string, Words>;

export type Language = keyof typeof LANGUAGES;

/** For browsers that ask for none of them. */
const DEFAULT: Language = "en";

/** The language of a request: of those that the site has, the one that its browser likes best. */
export function languageOf(headers: Headers): Language {
  const asked = (headers.get("accept-language") ?? "").split(",").map((each) => {
    const [tag = "", weight = "1"] = each
      .trim()
      .toLowerCase()
      .split(/\s*;\s*q=/);
    return { language: tag.split("-")[0] ?? "", weight: Number(weight) };
  });
  const best = asked
    .filter(({ language, weight }) => Object.hasOwn(LANGUAGES, language) && weight > 0)
    .toSorted((one, other) => other.weight - one.weight)[0];
  return (best?.language as Language | undefined) ?? DEFAULT;
}

/** The words for a page that the server makes. Client components ask `useWords`. */
export function wordsOf(headers: Headers): Words {
  return LANGUAGES[languageOf(headers)];
}
