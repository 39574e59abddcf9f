import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { MUTATED } from "./files.ts";

test.each(Object.entries(MUTATED))("%s and its tests exist", (file, tests) => {
  expect([file, ...tests].filter((path) => !existsSync(path))).toEqual([]);
});
