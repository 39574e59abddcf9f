import {
  LOGIN_COOKIES,
  loginCookieNames,
  trimOptionalWhitespace,
} from "../../../packages/login/server/cookies.ts";
import { listPreferenceCookieNames } from "./preference-cookies.ts";

const namesOf = new WeakMap<URL, ReadonlySet<string>>();

function ownNames(origin: URL): ReadonlySet<string> {
  const cachedNames = namesOf.get(origin);
  if (cachedNames) return cachedNames;
  const cookieNames = LOGIN_COOKIES.flatMap((name) => loginCookieNames(name, origin));
  const names = new Set([...cookieNames, ...listPreferenceCookieNames(origin)]);
  namesOf.set(origin, names);
  return names;
}

/**
 * Undefined if there are none. If a name occurs several times, returns only its first cookie.
 * @param origin the names are computed once for each `URL` object
 */
export function selectLoginCookies(header: string, origin: URL): string | undefined {
  const cookieNames = ownNames(origin);
  const selected = new Map<string, string>();
  for (const pair of header.split(";")) {
    const name = trimOptionalWhitespace(pair.slice(0, Math.max(0, pair.indexOf("="))));
    if (cookieNames.has(name) && !selected.has(name)) selected.set(name, trimOptionalWhitespace(pair));
  }
  return selected.size > 0 ? [...selected.values()].join("; ") : undefined;
}
