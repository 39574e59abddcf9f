import { expect, test, vi } from "vitest";
import { DatabaseUnreachableError } from "#lib/login/database/database-error.ts";
import { patientTask } from "./patient-task.ts";

const NEVER = new AbortController().signal;
const away = () => new DatabaseUnreachableError(new Error("server login has been failing"));

test("a job that the database is away for is done when it is back, with the same payload", async () => {
  const task = vi.fn().mockRejectedValueOnce(away()).mockResolvedValueOnce(undefined);
  await patientTask(task, NEVER)({ userId: 7 });
  expect(task.mock.calls).toEqual([[{ userId: 7 }], [{ userId: 7 }]]);
});

test("a fault of the job itself fails it at once, and so does a process that stops", async () => {
  const faulty = vi.fn().mockRejectedValue(new TypeError("no such property"));
  await expect(patientTask(faulty, NEVER)({})).rejects.toThrow(TypeError);
  const late = vi.fn().mockRejectedValue(away());
  await expect(patientTask(late, AbortSignal.abort())({})).rejects.toThrow(DatabaseUnreachableError);
  expect([faulty, late].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
});

test("a database that stays away fails the job in the end: graphile-worker keeps it", async () => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout"] });
  try {
    const task = vi.fn().mockImplementation(async () => {
      vi.advanceTimersByTime(6_000);
      throw away();
    });
    await expect(patientTask(task, NEVER)({})).rejects.toThrow(DatabaseUnreachableError);
    expect(task).toHaveBeenCalledOnce();
  } finally {
    vi.useRealTimers();
  }
});
