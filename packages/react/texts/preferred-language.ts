/** Browsers send fewer characters of `Accept-Language`, but anyone can send 16 KB. */
const READ_CHARACTERS = 256;

/** @param languages the first one is the default if `Accept-Language` contains none of them */
export function preferredLanguage<Language extends string>(
  headers: Headers,
  languages: readonly [Language, ...Language[]],
): Language {
  const header = (headers.get("accept-language") ?? "").slice(0, READ_CHARACTERS).toLowerCase();
  const accepted = header.split(",").map((entry) => {
    const [tag = "", weight = "q=1"] = entry.split(";").map((part) => part.trim());
    const language = languages.find((one) => one === tag.split("-")[0]);
    return { language, weight: Number(weight.replace("q=", "")) };
  });
  const best = accepted
    .filter(({ language, weight }) => language !== undefined && weight > 0)
    .toSorted((one, other) => other.weight - one.weight)[0];
  return best?.language ?? languages[0];
}
