import { expect, test } from "vitest";
import { HOSTILE_TEXT, strayIn } from "#lib/conformance/testing/terminal.fixture.ts";
import { formatTable } from "./commands.ts";

test("columns are as wide as their widest cell, and an empty table says what to do", () => {
  const lines = [
    ["a", "live"],
    ["longer", "test"],
  ];
  expect(formatTable(lines, "none")).toBe("a       live\nlonger  test");
  expect(formatTable([], "none")).toBe("none");
});

test("a name that a tenant chose takes hold of no terminal, and adds no line", () => {
  const text = formatTable([["1", HOSTILE_TEXT, "live"]], "none");
  expect(strayIn(text)).toEqual([]);
  expect(text).toContain("\\u001b[2J");
});
