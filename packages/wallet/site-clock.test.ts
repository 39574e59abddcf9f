import { describe, expect, test, vi } from "vitest";
import { checkPayload } from "./check-payload.ts";
import {
  expectedWalletError,
  FAST_URL,
  formatHttpsPayload,
  formatSvcPayload,
  NOW,
} from "./payload.fixture.ts";
import { readPayload } from "./read-payload.ts";
import { createSiteClock, MAX_CLOCK_ERROR_SECONDS, readSiteTime } from "./site-clock.ts";

const CODE = readPayload(formatSvcPayload());
const FAST = readPayload(FAST_URL);

function device(wall: number) {
  const clocks = { wall, steady: 0 };
  vi.stubGlobal("performance", { now: () => clocks.steady * 1000 });
  const pass = (seconds: number) => {
    clocks.wall += seconds;
    clocks.steady += seconds;
  };
  return { clocks, pass, siteClock: createSiteClock(() => clocks.wall) };
}

describe("the clock for a site's codes", () => {
  test("follows the device until the site has answered", () => {
    const { siteClock } = device(NOW + 300);
    expect(siteClock.now(CODE)).toBe(NOW + 300);
    expect(siteClock.errorOf(CODE)).toBe(MAX_CLOCK_ERROR_SECONDS);
  });

  test.each([-300, -35, 35, 300])(
    "follows the site once it reports its time, if the device is %i seconds off",
    (off) => {
      const { siteClock, pass } = device(NOW + off);
      siteClock.settle(CODE, NOW + 4);
      pass(10);
      expect(siteClock.now(CODE)).toBe(NOW + 14);
      expect(siteClock.errorOf(CODE)).toBe(0);
      // This also applies to the site's next code in both forms, but not to other sites' codes.
      expect(siteClock.errorOf(readPayload(formatHttpsPayload(undefined, "other")))).toBe(0);
      expect(
        siteClock.errorOf(readPayload(formatSvcPayload({ webhook: "https://example.net/x" }))),
      ).toBeGreaterThan(0);
    },
  );

  test("advances even if the device's clock is set back or the device sleeps", () => {
    const { siteClock, clocks, pass } = device(NOW);
    siteClock.settle(CODE, NOW);
    clocks.wall -= 3600;
    pass(10);
    expect(siteClock.now(CODE)).toBe(NOW + 10);
    const asleep = device(NOW);
    asleep.siteClock.settle(CODE, NOW);
    asleep.clocks.wall += 40;
    expect(asleep.siteClock.now(CODE)).toBe(NOW + 40);
  });

  test.each([-30, 60])(
    "treats a code that seems %i s old as new if the site does not report the time",
    (age) => {
      const { siteClock, pass } = device(NOW + age);
      siteClock.settle(CODE, null);
      pass(10);
      expect(siteClock.now(CODE)).toBe(NOW + 10);
    },
  );

  test.each([-31, 0, 12, 61])(
    "trusts the device's clock for a code that seems %i s old if the site does not report the time",
    (age) => {
      const { siteClock } = device(NOW + age);
      siteClock.settle(CODE, null);
      expect(siteClock.now(CODE)).toBe(NOW + age);
      expect(
        siteClock.errorOf(readPayload(formatSvcPayload({ challenge: CODE.challenge.replace("01", "10") }))),
      ).toBeGreaterThan(0);
    },
  );

  test("treats a fast login code as new within minutes, because its site cannot be asked", () => {
    for (const age of [-300, 420]) {
      const { siteClock } = device(NOW + age);
      siteClock.settle(FAST, null);
      expect(siteClock.now(FAST)).toBe(FAST.issuedAt);
    }
  });
});

describe("the time in a site's response", () => {
  const date = (seconds: number) => new Date(seconds * 1000).toUTCString();
  const bounds = { askedAt: NOW, expiresAt: NOW + 30 };

  test("is taken from its Date header, and is null without one", () => {
    expect(readSiteTime(date(NOW + 9), null, 0)).toBe(NOW + 9);
    expect(readSiteTime(null, null, NOW)).toBeNull();
    expect(readSiteTime("yesterday", null, NOW)).toBeNull();
  });

  test("is within the code's lifetime if the site accepts the code", () => {
    expect(readSiteTime(date(NOW + 9), bounds, NOW + 300)).toBe(NOW + 9);
    // A proxy's clock can be wrong, or a browser might be unable to read the Date header of another origin.
    expect(readSiteTime(date(NOW + 3600), bounds, NOW + 7)).toBe(NOW);
    expect(readSiteTime(null, bounds, NOW + 7)).toBe(NOW + 7);
    expect(readSiteTime(null, bounds, NOW - 300)).toBe(NOW);
  });
});

describe("a code that is expired or early according to the device's clock", () => {
  test("is checked against its site's time if it is off by at most ten minutes", () => {
    const check = (now: number) => checkPayload(CODE, { now, clockError: MAX_CLOCK_ERROR_SECONDS });
    for (const age of [-600, -300, 330, 630]) expect(() => check(NOW + age)).not.toThrow();
    expect(() => check(NOW + 631)).toThrow(expectedWalletError("challenge_expired"));
    expect(() => check(NOW + 631)).toThrow("this device's clock is about 11 minutes ahead");
    expect(() => check(NOW - 601)).toThrow(expectedWalletError("challenge_from_future"));
    expect(() => check(NOW - 601)).toThrow("about 10 minutes off");
  });

  test("is refused before its domain's delegation file is requested", () => {
    const otherCode = readPayload(formatSvcPayload({ webhook: "https://api.example.net/x" }));
    const expectation = { delegation: null, clockError: MAX_CLOCK_ERROR_SECONDS };
    expect(() => checkPayload(otherCode, { ...expectation, now: NOW })).toThrow(
      expectedWalletError("delegation_unknown"),
    );
    expect(() => checkPayload(otherCode, { ...expectation, now: NOW + 60 })).toThrow(
      expectedWalletError("challenge_expired"),
    );
  });
});
