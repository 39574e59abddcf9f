import { afterEach, expect, test, vi } from "vitest";
import { recoveryRules } from "./site-recovery.ts";

afterEach(() => void vi.useRealTimers());

test("a site's hook that hangs is waited for ten seconds and no longer, and the site is told", async () => {
  vi.useFakeTimers();
  const onFailure = vi.fn();
  const rules = recoveryRules({
    recoveryDelayHours: 0,
    users: { idOf: async (userId) => `customer-${userId}` },
    onEvent: () => new Promise(() => {}),
    onFailure,
  });
  const told = vi.fn();
  const telling = rules.onEvent({ kind: "recovered", userId: 1 }).then(told);
  await vi.advanceTimersByTimeAsync(9_900);
  expect(told).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(200);
  expect(told).toHaveBeenCalled();
  expect(onFailure).toHaveBeenCalledExactlyOnceWith("onEvent failed for recovered", expect.any(Error));
  await telling;
});
