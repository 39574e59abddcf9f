import { type Payload, readDeviceTime } from "./read-payload.ts";

/**
 * A code that seems to be outside its lifetime by more than this is refused, and its site is not asked. Any other code
 * might be valid, so the wallet asks the site for its time.
 */
export const MAX_CLOCK_ERROR_SECONDS = 10 * 60;
/** Assumed if the site does not return the time. */
export const MAX_CLOCK_SKEW_SECONDS = 30;

/** A code's lifetime is measured by its site's clock, and the device's clock can be minutes off. */
export type SiteClock = {
  /**
   * Unix seconds by the site's clock once `settle` was called for a code from the same site, and otherwise by the
   * device's clock.
   */
  now: (payload: Payload) => number;
  /** In seconds: 0 after `settle`. */
  errorOf: (payload: Payload) => number;
  /**
   * If the response contains no time and the code is slightly too old or too new by the device's clock, the code counts
   * as issued just now, because the user is looking at it.
   * @param siteNow Unix seconds by the site's clock, or null if the response contains no time
   */
  settle: (payload: Payload, siteNow: number | null) => void;
};

/** One moment by the site's clock, the device's clock, and a clock that cannot be set. */
type Anchor = { site: number; wall: number; steady: number };

/** @param device returns Unix seconds by the device's clock */
export function createSiteClock(device: () => number = readDeviceTime): SiteClock {
  const anchors = new Map<string, Anchor>();
  const anchorOf = (payload: Payload) => anchors.get(payload.challenge) ?? anchors.get(siteOf(payload));
  const put = (key: string, site: number) =>
    anchors.set(key, { site, wall: device(), steady: performance.now() });
  return {
    now(payload) {
      const anchor = anchorOf(payload);
      if (!anchor) return device();
      const { site, wall, steady } = anchor;
      // The device's clock might be set back, and in some browsers the other clock stops while the device sleeps.
      return site + Math.max(device() - wall, (performance.now() - steady) / 1000);
    },
    errorOf: (payload) => (anchorOf(payload) ? 0 : MAX_CLOCK_ERROR_SECONDS),
    settle(payload, siteNow) {
      if (siteNow !== null) {
        anchors.delete(payload.challenge);
        put(siteOf(payload), siteNow);
        return;
      }
      if (anchorOf(payload)) return;
      const now = device();
      const { kind, issuedAt, endsAt } = payload;
      // Fast-login sites cannot be asked for their time.
      const toleranceSeconds = kind === "fast" ? MAX_CLOCK_ERROR_SECONDS : MAX_CLOCK_SKEW_SECONDS;
      const isAlive = now >= issuedAt && now <= endsAt;
      const isNear = now >= issuedAt - toleranceSeconds && now <= endsAt + toleranceSeconds;
      put(payload.challenge, !isAlive && isNear ? issuedAt : now);
    },
  };
}

/** The webhook's host and port, because in fast login the rest of the webhook contains the challenge. */
function siteOf({ webhook }: Payload): string {
  return new URL(webhook).host;
}

/**
 * Null if the response does not contain a time.
 * @param date the response's `Date` header
 * @param bounds the beginning and end of the code's lifetime, if the site reports that the code is valid. The result is
 * within these bounds, regardless of a proxy's clock and this device's clock
 * @param deviceNow Unix seconds by this device's clock
 */
export function readSiteTime(
  date: string | null,
  bounds: { askedAt: number; expiresAt: number } | null,
  deviceNow: number,
): number | null {
  const siteTime = Date.parse(date ?? "") / 1000;
  if (!bounds) return Number.isNaN(siteTime) ? null : siteTime;
  const now = Number.isNaN(siteTime) ? deviceNow : siteTime;
  return now >= bounds.askedAt && now <= bounds.expiresAt ? now : bounds.askedAt;
}
