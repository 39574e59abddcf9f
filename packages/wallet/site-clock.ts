import { clock, type Payload } from "./read-payload.ts";

/**
 * How far a device's clock may be off. A code that seems further out of its time is refused without asking its site;
 * any other may be good, so the site is asked what time it is.
 */
export const MAX_CLOCK_ERROR_SECONDS = 10 * 60;
/** How far a device's clock is believed to be off if the site does not say what time it is. */
export const MAX_CLOCK_SKEW_SECONDS = 30;

/**
 * The time by the sites whose codes a wallet answers. A code's life is counted by its site's clock, and a device's own
 * may be minutes off.
 */
export type SiteClock = {
  /** Unix seconds: by the site's clock once `settle` was called for the code, or for another one of its site. */
  now: (payload: Payload) => number;
  /** How far `now` may be off, in seconds: 0 once it is settled. */
  errorOf: (payload: Payload) => number;
  /**
   * Notes the site's time, as its answer says it.
   * @param siteNow Unix seconds by the site's clock; null if it does not say. If the device's clock then makes the code
   *   a little too old or too young, the code counts as issued just now, since somebody is looking at it.
   */
  settle: (payload: Payload, siteNow: number | null) => void;
};

/** A time of a site, and the moment when it was that time: by the device's clock and by one that nothing sets. */
type Anchor = { site: number; wall: number; steady: number };

/** @param device Unix seconds by the device's clock */
export function makeSiteClock(device: () => number = clock): SiteClock {
  const anchors = new Map<string, Anchor>();
  const anchorOf = (payload: Payload) => anchors.get(payload.challenge) ?? anchors.get(siteOf(payload));
  const put = (key: string, site: number) =>
    anchors.set(key, { site, wall: device(), steady: performance.now() });
  return {
    now(payload) {
      const anchor = anchorOf(payload);
      if (!anchor) return device();
      const { site, wall, steady } = anchor;
      // The device's clock may be set back meanwhile, and the other one stops in some browsers while the device sleeps.
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
      const tolerated = kind === "fast" ? MAX_CLOCK_ERROR_SECONDS : MAX_CLOCK_SKEW_SECONDS;
      const isAlive = now >= issuedAt && now <= endsAt;
      const isNear = now >= issuedAt - tolerated && now <= endsAt + tolerated;
      put(payload.challenge, !isAlive && isNear ? issuedAt : now);
    },
  };
}

/** Where the site of a code keeps its clock. A fast login's webhook holds the challenge itself. */
function siteOf({ webhook }: Payload): string {
  return new URL(webhook).host;
}

/**
 * The time by a site's clock in its answer; null if it does not say.
 * @param date the answer's `Date`
 * @param bounds the code's beginning and end as the site names them, where it says that the code is good: the time is
 *   within them, whatever the clock of a proxy or of this device says
 * @param deviceNow Unix seconds by this device's clock
 */
export function siteTimeIn(
  date: string | null,
  bounds: { askedAt: number; expiresAt: number } | null,
  deviceNow: number,
): number | null {
  const said = Date.parse(date ?? "") / 1000;
  if (!bounds) return Number.isNaN(said) ? null : said;
  const now = Number.isNaN(said) ? deviceNow : said;
  return now >= bounds.askedAt && now <= bounds.expiresAt ? now : bounds.askedAt;
}
