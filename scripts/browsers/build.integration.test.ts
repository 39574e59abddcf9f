import { join } from "node:path";
import { expect, test } from "vitest";
import { findNewerBuiltinsInBuild } from "./newer-builtins.ts";
import { findNewerCssInBuild } from "./newer-css.ts";

const BUILD = join(import.meta.dirname, "..", "..", ".next");

// e2e/template/template.test.ts checks generated sites, and e2e/browsers.spec.ts checks what a search of the scripts
// cannot find.
test("finds no built-ins in the build's scripts that the oldest supported browsers lack", () => {
  expect(findNewerBuiltinsInBuild(BUILD)).toEqual([]);
});

test("finds no CSS in the build's style sheets that the oldest supported browsers do not support", () => {
  expect(findNewerCssInBuild(BUILD)).toEqual([]);
});
