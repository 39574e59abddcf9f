import { describe, expect, test } from "vitest";
import { readArguments, UsageError } from "./arguments.ts";

const read = (line: string) => readArguments(line.split(" ").filter(Boolean));

describe("the operator's command line", () => {
  test.each([
    ["", { command: "help" }],
    ["--help", { command: "help" }],
    ["api-key create --help", { command: "help" }],
    [
      "api-key create --mode live --name n",
      { command: "create-key", mode: "live", name: "n", owner: "operator" },
    ],
    [
      "api-key create --name n --owner o --mode test --json",
      { command: "create-key", mode: "test", name: "n", owner: "o" },
    ],
    ["api-key list", { command: "list-keys" }],
    ["api-key revoke ID", { command: "revoke-key", id: "ID" }],
    [
      "domain trust h.test --mode test",
      { command: "trust-domain", host: "h.test", mode: "test", owner: "operator", webhookUrl: undefined },
    ],
    [
      "domain trust h.test --mode live --owner o --webhook-url https://h.test/e",
      { command: "trust-domain", host: "h.test", mode: "live", owner: "o", webhookUrl: "https://h.test/e" },
    ],
    ["domain list --json", { command: "list-domains" }],
    ["secrets reseal", { command: "reseal-secrets" }],
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
