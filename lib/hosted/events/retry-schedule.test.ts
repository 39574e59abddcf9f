import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EVENT_RETRY_DELAYS_SECONDS } from "../numbers.ts";
import { parseRetryAfter, scheduleNextAttempt } from "./retry-schedule.ts";

const now = new Date("2026-11-21T12:00:00.000Z");
const waitOf = (attempts: number, retryAfter: string | null = null, random = 0) => {
  const next = scheduleNextAttempt({ now, attempts, retryAfter, random });
  return next && (next.getTime() - now.getTime()) / 1000;
};

describe("an event that its receiver did not accept", () => {
  it("is retried after seconds, then after hours, and is abandoned after about three days", () => {
    const delays = Array.from(EVENT_RETRY_DELAYS_SECONDS, (_, index) => waitOf(index + 1) ?? 0);
    expect(delays[0]).toBe(5);
    expect(delays.at(-1)).toBe(86_400);
    expect([...delays].sort((a, b) => a - b)).toEqual(delays);
    const days = delays.reduce((sum, wait) => sum + wait, 0) / 86_400;
    expect(days).toBeGreaterThan(2.8);
    expect(days * 1.2).toBeLessThan(3.8);
    expect(waitOf(EVENT_RETRY_DELAYS_SECONDS.length + 1)).toBeNull();
  });

  it("is not retried at the same moment as the events that failed with it", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: EVENT_RETRY_DELAYS_SECONDS.length }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempts, random) => {
          const base = EVENT_RETRY_DELAYS_SECONDS[attempts - 1] ?? 0;
          const wait = waitOf(attempts, null, random) ?? 0;
          expect(wait).toBeGreaterThanOrEqual(base - 0.001);
          expect(wait).toBeLessThanOrEqual(base * 1.2);
        },
      ),
    );
  });

  it("waits at least as long as Retry-After says, up to a day", () => {
    expect(waitOf(1, "120")).toBe(120);
    expect(waitOf(1, "Sat, 21 Nov 2026 12:10:00 GMT")).toBe(600);
    expect(waitOf(1, "999999999")).toBe(86_400);
    expect(waitOf(1, "12345678901")).toBe(86_400);
    expect(waitOf(1, "9".repeat(400))).toBe(86_400);
    expect(waitOf(1, "Sat, 21 Nov 2099 12:10:00 GMT")).toBe(86_400);
    expect(waitOf(3, "1")).toBe(120);
    expect(waitOf(1, "Sat, 21 Nov 2020 12:10:00 GMT")).toBe(5);
  });

  it("ignores an invalid Retry-After", () => {
    for (const text of ["", " ", "-5", "1.5", "soon", "1e9", "NaN", "2026-11-21", "Mon, nonsense"]) {
      expect(parseRetryAfter(text, now)).toBeNull();
    }
    expect(parseRetryAfter(null, now)).toBeNull();
  });
});
