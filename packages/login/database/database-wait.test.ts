import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DatabaseWait } from "./database-wait.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

it("adds up what is waited one after the other, and nothing in between", () => {
  const wait = new DatabaseWait(1_000);
  for (let query = 0; query < 3; query++) {
    wait.begin();
    vi.advanceTimersByTime(200);
    wait.end();
    vi.advanceTimersByTime(5_000);
  }
  expect(wait.leftMs).toBe(400);
});

it("counts once what is waited for at the same time, while it is waited for too", () => {
  const wait = new DatabaseWait(1_000);
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
