import { join } from "node:path";
import { expect, test } from "vitest";
import { findNewerBuiltinsInBuild } from "./newer-builtins.ts";
import { findNewerCssInBuild } from "./newer-css.ts";

const BUILD = join(import.meta.dirname, "..", "..", ".next");

// Generated sites are tested in e2e/template/template.test.ts. Features that cannot be found by searching scripts are
// tested in e2e/browsers.spec.ts.
test("finds no built-ins in the build's scripts that the oldest supported browsers lack", () => {
  expect(findNewerBuiltinsInBuild(BUILD)).toEqual([]);
});

test("finds no CSS in the build's style sheets that the oldest supported browsers do not support", () => {
  expect(findNewerCssInBuild(BUILD)).toEqual([]);
});
