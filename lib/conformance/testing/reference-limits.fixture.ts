import { type Has, SiteError } from "./reference.fixture.ts";

const WINDOW_SECONDS = 60;

/** How the reference site counts, by path, and the places where a fault changes it. */
export function openLimits(usual: number, seconds: () => number, has: Has) {
  const windows = new Map<string, { count: number; until: number }>();

  /** @returns what the answer says of the limit @throws {SiteError} 429 */
  function count(path: string, forwardedFor: string | undefined, most = usual): Record<string, string> {
    const key = `${path} ${forwardedFor !== undefined && has("forged-address") ? forwardedFor : ""}`;
    const window = windows.get(key) ?? { count: 0, until: 0 };
    if (window.until < seconds()) Object.assign(window, { count: 0, until: seconds() + WINDOW_SECONDS });
    window.count++;
    windows.set(key, window);
    if (window.count > most && !has("no-limits")) throw new SiteError(429, "rate_limited");
    const isCheck = path === "/api/svc/check" || path === "/api/checkfast";
    const counted = isCheck && has("limit-stands-still") ? 0 : window.count;
    return {
      "RateLimit-Limit": String(most),
      "RateLimit-Remaining": String(Math.max(0, most - counted)),
      "RateLimit-Reset": String(WINDOW_SECONDS),
    };
  }

  /** Counts a sign-in, of which half as many are allowed. @throws {SiteError} 429 */
  function countSignIn(path: string, forwardedFor: string | undefined): void {
    if (!has("sign-ins-unlimited")) count(path, forwardedFor, usual / 2);
  }

  return { count, countSignIn };
}
