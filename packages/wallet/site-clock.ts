import { deviceTime, type Payload } from "./read-payload.ts";

/**
 * The largest error of a device's clock. A code that seems to be outside its lifetime by more than this is refused
 * without asking its site. Any other code may be valid, so the site is asked for its time.
 */
export const MAX_CLOCK_ERROR_SECONDS = 10 * 60;
/** The assumed error of a device's clock if the site does not return its time. */
export const MAX_CLOCK_SKEW_SECONDS = 30;

/**
 * The clocks of the sites whose codes a wallet answers. A code's lifetime depends on its site's clock, and the
 * device's clock may be minutes off.
 */
export type SiteClock = {
  /**
   * The time in Unix seconds, on the site's clock after `settle` was called for this code or another one from the same
   * site.
   */
  now: (payload: Payload) => number;
  /** The possible error in `now` in seconds. 0 once it has been settled. */
  errorOf: (payload: Payload) => number;
  /**
   * Stores the site's time from its response.
   * @param siteNow Unix seconds on the site's clock; null if the answer has no time. If the device's clock then makes
   * the code slightly too old or too new, the code counts as issued just now, because the user is looking at it.
   */
  settle: (payload: Payload, siteNow: number | null) => void;
};

/**
 * A site's time, and the moment at which the site had this time, by the device's clock and by a clock that cannot be
 * set.
 */
type Anchor = { site: number; wall: number; steady: number };

/** @param device Unix seconds by the device's clock */
export function makeSiteClock(device: () => number = deviceTime): SiteClock {
  const anchors = new Map<string, Anchor>();
  const anchorOf = (payload: Payload) => anchors.get(payload.challenge) ?? anchors.get(siteOf(payload));
  const put = (key: string, site: number) =>
    anchors.set(key, { site, wall: device(), steady: performance.now() });
  return {
    now(payload) {
      const anchor = anchorOf(payload);
      if (!anchor) return device();
      const { site, wall, steady } = anchor;
      // The device's clock may be set back, and the other one stops in some browsers while the device sleeps.
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
      // Sites of fast login cannot be asked.
      const toleranceSeconds = kind === "fast" ? MAX_CLOCK_ERROR_SECONDS : MAX_CLOCK_SKEW_SECONDS;
      const isAlive = now >= issuedAt && now <= endsAt;
      const isNear = now >= issuedAt - toleranceSeconds && now <= endsAt + toleranceSeconds;
      put(payload.challenge, !isAlive && isNear ? issuedAt : now);
    },
  };
}

/**
 * Returns the key under which the clock of a code's site is stored. A fast login's webhook contains the challenge
 * itself, so the webhook is not part of the key.
 */
function siteOf({ webhook }: Payload): string {
  return new URL(webhook).host;
}

/**
 * Returns the site's time according to its response, or null if the response does not contain a time.
 * @param date the response's `Date`
 * @param bounds the code's beginning and end as the site reports them, if it reports that the code is valid. The time
 * is within them, regardless of what the clock of a proxy or of this device shows
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
