import { expect, test, vi } from "vitest";
import { retryOnConflict } from "./database.ts";

const failWith = (code: string) => Object.assign(new Error(code), { code });

test("runs a statement up to four times while it conflicts with other requests", async () => {
  const run = vi.fn(async () => "done");
  for (const code of ["40P01", "23505", "23503"]) run.mockRejectedValueOnce(failWith(code));
  expect(await retryOnConflict(run)).toBe("done");
  expect(run).toHaveBeenCalledTimes(4);
});

test("throws the last conflict after four attempts", async () => {
  const run = vi.fn().mockRejectedValue(failWith("40P01"));
  await expect(retryOnConflict(run)).rejects.toThrow("40P01");
  expect(run).toHaveBeenCalledTimes(4);
});

test("does not repeat a statement that failed for another reason", async () => {
  const run = vi.fn().mockRejectedValue(failWith("57014"));
  await expect(retryOnConflict(run)).rejects.toThrow("57014");
  expect(run).toHaveBeenCalledTimes(1);
});
