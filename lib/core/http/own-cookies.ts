/** The cookies that this application sets: no other reaches the framework, which takes long over many (contract 2). */
const OWN_COOKIES = [
  "svc-browser",
  "next-auth.session-token",
  "next-auth.callback-url",
  "next-auth.csrf-token",
] as const;

/** `__Host-` pins a cookie to this very host over https; plain http (localhost) cannot have the prefix. */
export function ownCookieName(name: (typeof OWN_COOKIES)[number], secure: boolean): string {
  return secure ? `__Host-${name}` : name;
}

const names = {
  http: new Set(OWN_COOKIES.map((name) => ownCookieName(name, false))),
  https: new Set(OWN_COOKIES.map((name) => ownCookieName(name, true))),
};

/** What a `Cookie` header holds of our own cookies, of two with one name the first; undefined when it is none. */
export function keepOwnCookies(header: string, secure: boolean): string | undefined {
  const own = secure ? names.https : names.http;
  const kept = new Map<string, string>();
  for (const pair of header.split(";")) {
    const name = trimBlanks(pair.slice(0, Math.max(0, pair.indexOf("="))));
    if (own.has(name) && !kept.has(name)) kept.set(name, trimBlanks(pair));
  }
  return kept.size > 0 ? [...kept.values()].join("; ") : undefined;
}

/**
 * What stands between the blanks that HTTP knows. Of other white space `trim()` would make the name of a `__Host-`
 * cookie out of one that a neighbouring domain may set: to a browser `\u00a0__Host-…` has no prefix.
 */
export function trimBlanks(text: string): string {
  const isBlank = (character: string | undefined) => character === " " || character === "\t";
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text[start])) start++;
  while (end > start && isBlank(text[end - 1])) end--;
  return text.slice(start, end);
}
