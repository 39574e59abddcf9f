import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DatabaseWaitTimer } from "./database-wait.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

it("adds up consecutive waits for the database, excluding the time between them", () => {
  const wait = new DatabaseWaitTimer(1_000);
  for (let query = 0; query < 3; query++) {
    wait.begin();
    vi.advanceTimersByTime(200);
    wait.end();
    vi.advanceTimersByTime(5_000);
  }
  expect(wait.leftMs).toBe(400);
});

it("counts overlapping waits for the database only once", () => {
  const wait = new DatabaseWaitTimer(1_000);
  wait.begin();
  vi.advanceTimersByTime(100);
  wait.begin();
  vi.advanceTimersByTime(100);
  expect(wait.leftMs).toBe(800);
  wait.end();
  vi.advanceTimersByTime(100);
  wait.end();
  expect(wait.leftMs).toBe(700);
});
