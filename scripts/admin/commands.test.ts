import { describe, expect, test } from "vitest";
import { findStrayCharacters, HOSTILE_TEXT } from "#packages/conformance/testing/terminal.fixture.ts";
import { UsageError } from "#packages/terminal/command-line.ts";
import { formatTable, readArguments } from "./commands.ts";

const read = (line: string) => readArguments(line.split(" ").filter(Boolean));

describe("the operator's command line", () => {
  test.each(["", "--help", "api-key create --help"])("prints its help: %j", (line) => {
    expect(read(line)).toBeNull();
  });

  test.each([
    "api-key",
    "api-key make",
    "api-key create",
    "api-key create --mode live",
    "api-key create --name n",
    "api-key create --mode both --name n",
    "api-key create --mode live --name n more",
    "api-key create --mode live --name n --owner=",
    "api-key create --mode live --name n --scope all",
    "api-key list all",
    "api-key revoke",
    "api-key revoke one two",
    "domain trust",
    "domain trust h.test",
    "domain trust h.test --mode",
    "domain forget h.test",
    "session list",
  ])("refuses invalid arguments with an explanation: %j", (line) => {
    expect(() => read(line)).toThrow(UsageError);
    expect(() => read(line)).toThrow(/\w+ \w+/);
  });

  test("refuses invalid names", () => {
    for (const name of ["", "  ", "a\nb", "x".repeat(101), "\ud800"]) {
      expect(() => readArguments(["api-key", "create", "--mode", "live", "--name", name])).toThrow(
        UsageError,
      );
    }
  });
});

test("prints each column as wide as its widest cell", () => {
  const lines = [
    ["a", "live"],
    ["longer", "test"],
  ];
  expect(formatTable(lines, "none")).toBe("a       live\nlonger  test");
  expect(formatTable([], "none")).toBe("none");
});

test("escapes control characters in names that tenants have chosen", () => {
  const text = formatTable([["1", HOSTILE_TEXT, "live"]], "none");
  expect(findStrayCharacters(text)).toEqual([]);
  expect(text).toContain("\\u001b[2J");
});
