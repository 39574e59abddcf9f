import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { MUTATED, STORES } from "./files.ts";

test.each(Object.entries({ ...MUTATED, ...STORES }))("%s and its tests exist", (file, tests) => {
  expect([file, ...tests].filter((path) => !existsSync(path))).toEqual([]);
});
