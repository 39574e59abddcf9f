import { join } from "node:path";
import { expect, test } from "vitest";
import { newerBuiltinsOf } from "./newer-builtins.ts";
import { newerCssOf } from "./newer-css.ts";

const BUILD = join(import.meta.dirname, "..", "..", ".next");

// Generated sites: e2e/template/template.test.ts. What scripts do not show is tried in e2e/browsers.spec.ts.
test("the build sends no script to browsers that needs a built-in which the oldest supported ones lack", () => {
  expect(newerBuiltinsOf(BUILD)).toEqual([]);
});

test("the build's style sheets have nothing that breaks in them", () => {
  expect(newerCssOf(BUILD)).toEqual([]);
});
