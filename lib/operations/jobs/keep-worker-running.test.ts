import type { Runner, WorkerEvents } from "graphile-worker";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DatabaseUnreachableError } from "#packages/login/database/database-error.ts";

vi.mock("#lib/platform/log.ts", () => ({ log: () => ({ warn: () => {} }) }));

const { keepWorkerRunning, retryWhileDatabaseIsDown } = await import("./keep-worker-running.ts");

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Records each runner's events and calls of `stop`. */
function fakeRunners() {
  const runners: { events: WorkerEvents; stop: ReturnType<typeof vi.fn> }[] = [];
  const start = async (events: WorkerEvents) => {
    const stop = vi.fn(async () => {});
    runners.push({ events, stop });
    return { stop } as unknown as Runner;
  };
  return { started: runners, start };
}

function fail(events: WorkerEvents | undefined, times: number): void {
  const event = { error: new Error("no connection") } as never;
  for (let time = 0; time < times; time++) events?.emit("worker:getJob:error", event);
}

test("restarts the worker once if fetching jobs fails many times in a row", async () => {
  const { started, start } = fakeRunners();
  const stop = await keepWorkerRunning(start);
  fail(started[0]?.events, 25);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(started).toHaveLength(2);
  expect(started[0]?.stop).toHaveBeenCalledOnce();
  await stop();
  expect(started[1]?.stop).toHaveBeenCalledOnce();
});

test("does not wait indefinitely for a worker that does not stop", async () => {
  const starts: WorkerEvents[] = [];
  const stop = await keepWorkerRunning(async (events) => {
    starts.push(events);
    return { stop: () => new Promise(() => {}) } as unknown as Runner;
  });
  fail(starts[0], 10);
  await vi.advanceTimersByTimeAsync(600);
  expect(starts).toHaveLength(2);
  const stopped = stop();
  await vi.advanceTimersByTimeAsync(10_000);
  await stopped;
});

test("resets its count of failures after it has fetched jobs successfully", async () => {
  const { started, start } = fakeRunners();
  const stop = await keepWorkerRunning(start);
  fail(started[0]?.events, 9);
  started[0]?.events.emit("worker:getJob:empty", {} as never);
  fail(started[0]?.events, 9);
  expect(started[0]?.stop).not.toHaveBeenCalled();
  await stop();
});

const NEVER = new AbortController().signal;
const away = () => new DatabaseUnreachableError(new Error("server login has been failing"));

test("repeats a job with the same payload if the database was unreachable", async () => {
  const task = vi.fn().mockRejectedValueOnce(away()).mockResolvedValueOnce(undefined);
  await retryWhileDatabaseIsDown(task, NEVER)({ userId: 7 });
  expect(task.mock.calls).toEqual([[{ userId: 7 }], [{ userId: 7 }]]);
});

test("fails a job immediately if the job itself throws an error or the process is stopping", async () => {
  const faulty = vi.fn().mockRejectedValue(new TypeError("no such property"));
  await expect(retryWhileDatabaseIsDown(faulty, NEVER)({})).rejects.toThrow(TypeError);
  const late = vi.fn().mockRejectedValue(away());
  await expect(retryWhileDatabaseIsDown(late, AbortSignal.abort())({})).rejects.toThrow(
    DatabaseUnreachableError,
  );
  expect([faulty, late].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
});

test("eventually fails the job if the database stays unreachable", async () => {
  const task = vi.fn().mockImplementation(async () => {
    vi.advanceTimersByTime(6_000);
    throw away();
  });
  await expect(retryWhileDatabaseIsDown(task, NEVER)({})).rejects.toThrow(DatabaseUnreachableError);
  expect(task).toHaveBeenCalledOnce();
});
