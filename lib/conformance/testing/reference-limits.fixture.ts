import type { Has } from "./planted.fixture.ts";
import { SiteError } from "./site-error.fixture.ts";

const WINDOW_SECONDS = 60;

/** How the reference site counts, by path, and the places where a fault changes it. */
export class Limits {
  readonly #most: number;
  readonly #seconds: () => number;
  readonly #has: Has;
  readonly #windows = new Map<string, { count: number; until: number }>();

  constructor(most: number, seconds: () => number, has: Has) {
    this.#most = most;
    this.#seconds = seconds;
    this.#has = has;
  }

  /** @returns what the answer says of the limit @throws {SiteError} 429 */
  count(path: string, forwardedFor: string | undefined, most = this.#most): Record<string, string> {
    const has = this.#has;
    const key = `${path} ${forwardedFor !== undefined && has("forged-address") ? forwardedFor : ""}`;
    const window = this.#windows.get(key) ?? { count: 0, until: 0 };
    if (window.until < this.#seconds())
      Object.assign(window, { count: 0, until: this.#seconds() + WINDOW_SECONDS });
    window.count++;
    this.#windows.set(key, window);
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
  countSignIn(path: string, forwardedFor: string | undefined): void {
    if (!this.#has("sign-ins-unlimited")) this.count(path, forwardedFor, this.#most / 2);
  }
}
