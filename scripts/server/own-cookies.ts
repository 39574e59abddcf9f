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
    const name = pair.slice(0, Math.max(0, pair.indexOf("="))).trim();
    if (own.has(name) && !kept.has(name)) kept.set(name, pair.trim());
  }
  return kept.size > 0 ? [...kept.values()].join("; ") : undefined;
}
