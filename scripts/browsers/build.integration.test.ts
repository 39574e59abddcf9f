import { join } from "node:path";
import { expect, test } from "vitest";
import { findNewerBuiltinsInBuild } from "./newer-builtins.ts";
import { findNewerCssInBuild } from "./newer-css.ts";

const BUILD = join(import.meta.dirname, "..", "..", ".next");

// e2e/template/template.test.ts checks generated sites, and e2e/browsers.spec.ts checks what a search of the scripts
// cannot find.
test("uses only built-ins that the oldest supported browsers have in the build's scripts", () => {
  expect(findNewerBuiltinsInBuild(BUILD)).toEqual([]);
});

test("uses only CSS that the oldest supported browsers support in the build's style sheets", () => {
  expect(findNewerCssInBuild(BUILD)).toEqual([]);
});
