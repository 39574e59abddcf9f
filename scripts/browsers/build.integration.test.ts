import { join } from "node:path";
import { expect, test } from "vitest";
import { newerBuiltinsOf } from "./newer-builtins.ts";
import { newerCssOf } from "./newer-css.ts";

const BUILD = join(import.meta.dirname, "..", "..", ".next");

// Generated sites: e2e/template/template.test.ts. What scripts do not show is tried in e2e/browsers.spec.ts.
test("uses no built-in in the build's scripts that the oldest supported browsers lack", () => {
  expect(newerBuiltinsOf(BUILD)).toEqual([]);
});

test("uses nothing in the build's style sheets that breaks in them", () => {
  expect(newerCssOf(BUILD)).toEqual([]);
});
