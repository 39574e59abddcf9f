import { join } from "node:path";
import { expect, test } from "vitest";
import { newerBuiltinsOf } from "./newer-builtins.ts";
import { newerCssOf } from "./newer-css.ts";

const BUILD = join(import.meta.dirname, "..", "..", ".next");

// e2e/template/template.test.ts checks generated sites, and e2e/browsers.spec.ts checks what a search of the scripts
// cannot find.
test("uses no built-in in the build's scripts that the oldest supported browsers lack", () => {
  expect(newerBuiltinsOf(BUILD)).toEqual([]);
});

test("uses nothing in the build's style sheets that breaks in them", () => {
  expect(newerCssOf(BUILD)).toEqual([]);
});
