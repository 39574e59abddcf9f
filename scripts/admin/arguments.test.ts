import { describe, expect, test } from "vitest";
import { UsageError } from "#lib/terminal/command-line.ts";
import { readArguments } from "./arguments.ts";

const read = (line: string) => readArguments(line.split(" ").filter(Boolean));

describe("the operator's command line", () => {
  test.each([
    ["", null],
    ["--help", null],
    ["api-key create --help", null],
    [
      "api-key create --mode live --name n",
      { command: "api-key create", mode: "live", name: "n", owner: "operator" },
    ],
    [
      "api-key create --name n --owner o --mode test --json",
      { command: "api-key create", mode: "test", name: "n", owner: "o" },
    ],
    ["api-key list", { command: "api-key list" }],
    ["api-key revoke ID", { command: "api-key revoke", id: "ID" }],
    [
      "domain trust h.test --mode test",
      { command: "domain trust", host: "h.test", mode: "test", owner: "operator", webhookUrl: undefined },
    ],
    [
      "domain trust h.test --mode live --owner o --webhook-url https://h.test/e",
      { command: "domain trust", host: "h.test", mode: "live", owner: "o", webhookUrl: "https://h.test/e" },
    ],
    ["domain list --json", { command: "domain list" }],
    ["secrets reseal", { command: "secrets reseal" }],
    ["migrate --json", { command: "migrate" }],
  ])("understands %j", (line, call) => {
    expect(read(line)).toEqual(call);
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
  ])("refuses %j with a sentence", (line) => {
    expect(() => read(line)).toThrow(UsageError);
    expect(() => read(line)).toThrow(/\w+ \w+/);
  });

  test("refuses names that are no names", () => {
    for (const name of ["", "  ", "a\nb", "x".repeat(101), "\ud800"]) {
      expect(() => readArguments(["api-key", "create", "--mode", "live", "--name", name])).toThrow(
        UsageError,
      );
    }
  });
});
