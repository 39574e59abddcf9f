export type Cookie = {
  name: string;
  value: string;
  /** By lower-case name. An attribute without a value is true. */
  attributes: Record<string, string | true>;
  line: string;
};

/** RFC 6265, 5.2. */
export function parseSetCookie(line: string): Cookie {
  const [pair = "", ...rest] = line.split(";").map((part) => part.trim());
  const [name = "", value = ""] = pair.split(/=(.*)/s);
  const attributes = rest.map((part) => {
    const [key = "", text] = part.split(/=(.*)/s);
    return [key.toLowerCase(), text ?? true] as const;
  });
  return { name, value, attributes: Object.fromEntries(attributes), line };
}

export function isRemoval({ value, attributes }: Cookie): boolean {
  const expires = typeof attributes.expires === "string" ? Date.parse(attributes.expires) : Number.NaN;
  return value === "" || Number(attributes["max-age"]) <= 0 || expires < Date.now();
}

/** A shorter token could be guessed, so a shorter value must be something else, such as a language or a theme. */
const TOKEN_CHARACTERS = 16;

export function canBeSession(cookie: Cookie): boolean {
  return cookie.value.length >= TOKEN_CHARACTERS && !isRemoval(cookie);
}
