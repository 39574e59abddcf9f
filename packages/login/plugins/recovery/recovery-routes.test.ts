import { expect, onTestFinished, test, vi } from "vitest";
import { refusal } from "../../protocol/errors.ts";
import type { LoginCore } from "../../server/core.ts";
import { createWrongCodeCounter } from "./recovery-routes.ts";
import { createRecoveryOptions } from "./site-recovery.ts";

function counting(count: number) {
  const run = vi.fn(async () => [{ counted_requests: ++count, counted_reset_ms: 60_000 }]);
  const hooks = { onWrongCode: vi.fn(), onMany: vi.fn() };
  const note = createWrongCodeCounter(hooks.onWrongCode, hooks.onMany);
  const core = { database: { run } } as unknown as LoginCore;
  return { run, ...hooks, note: <Value>(outcome: Promise<Value>) => note(core, outcome) };
}

const wrong = async () => {
  throw refusal("invalid_recovery_code", "This recovery code does not work.");
};

test("reports only once that more than 100 wrong codes were entered within an hour", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { run, onWrongCode, onMany, note } = counting(99);
  const fail = () => expect(note(wrong())).rejects.toMatchObject({ status: 401 });
  await fail();
  expect(onMany).not.toHaveBeenCalled();
  for (let times = 0; times < 5; times++) await fail();
  expect(onMany).toHaveBeenCalledExactlyOnceWith("more than 100 wrong recovery codes within an hour");
  expect(onWrongCode).toHaveBeenCalledTimes(6);
  expect(run).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(60_000);
  await fail();
  expect(run).toHaveBeenCalledTimes(3);
});

test("does not report wrong codes if another process has already reported the 101st", async () => {
  const { onWrongCode, onMany, note } = counting(101);
  await expect(note(wrong())).rejects.toThrow();
  expect([onWrongCode.mock.calls.length, onMany.mock.calls.length]).toEqual([1, 0]);
});

test("counts neither valid codes nor attempts that were refused for another reason", async () => {
  const { run, onWrongCode, note } = counting(0);
  expect(await note(Promise.resolve("open"))).toBe("open");
  const busy = Promise.reject(refusal("service_unavailable", "Try again in a moment."));
  await expect(note(busy)).rejects.toMatchObject({ status: 503 });
  expect(run).not.toHaveBeenCalled();
  expect(onWrongCode).not.toHaveBeenCalled();
});

test("waits ten seconds for a site's hook, then reports the failure", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const onFailure = vi.fn();
  const options = createRecoveryOptions({
    options: { onEvent: () => new Promise(() => {}) },
    users: { idOf: async (userId) => `customer-${userId}` },
    onFailure,
  });
  const reported = vi.fn();
  const report = options.onEvent({ kind: "recovered", userId: 1 }).then(reported);
  await vi.advanceTimersByTimeAsync(9_900);
  expect(reported).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(200);
  expect(reported).toHaveBeenCalled();
  expect(onFailure).toHaveBeenCalledExactlyOnceWith("onEvent failed for recovered", expect.any(Error));
  await report;
});
