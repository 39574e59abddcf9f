import { OWN_COOKIES, ownCookieName, trimBlanks } from "../../login/server/cookies.ts";
import { PREFERENCE_COOKIES } from "./preference-cookies.ts";

const names = {
  http: new Set([...OWN_COOKIES.map((name) => ownCookieName(name, false)), ...PREFERENCE_COOKIES]),
  https: new Set([...OWN_COOKIES.map((name) => ownCookieName(name, true)), ...PREFERENCE_COOKIES]),
};

/** This application's cookies in a `Cookie` header, the first of each name; undefined if there are none. */
export function keepOwnCookies(header: string, secure: boolean): string | undefined {
  const own = secure ? names.https : names.http;
  const kept = new Map<string, string>();
  for (const pair of header.split(";")) {
    const name = trimBlanks(pair.slice(0, Math.max(0, pair.indexOf("="))));
    if (own.has(name) && !kept.has(name)) kept.set(name, trimBlanks(pair));
  }
  return kept.size > 0 ? [...kept.values()].join("; ") : undefined;
}
