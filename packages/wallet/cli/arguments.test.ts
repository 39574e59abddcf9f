import { describe, expect, test } from "vitest";
import { UsageError } from "../../terminal/command-line.ts";
import { type CommandEnvironment, parseArguments } from "./arguments.ts";

const program = { name: "wallet", version: "1", defaultSeedFile: "/repo/.data/wallet-seed.json" };
const site: CommandEnvironment = { env: {}, cwd: "/home/me", program };
const read = (args: string[], env: CommandEnvironment["env"] = {}) => parseArguments(args, { ...site, env });
const call = {
  seedFile: program.defaultSeedFile,
  unsealed: false,
  ownFile: false,
  account: 0,
  trustedHosts: ["localhost"],
  addressType: "p2wpkh",
  json: false,
};

describe("the argument parser", () => {
  test.each<[string, object | null]>([
    ["login svc://auth?x", { ...call, verb: "login", subject: "svc://auth?x" }],
    ["register p --json", { ...call, verb: "register", subject: "p", json: true }],
    ["fast https://a.example/?sid=1", { ...call, verb: "fast", subject: "https://a.example/?sid=1" }],
    [
      "--account 7 show Bücher.example",
      { ...call, verb: "show", subject: "xn--bcher-kva.example", account: 7 },
    ],
    ["undo https://a.example/undo?t=1", { ...call, verb: "undo", subject: "https://a.example/undo?t=1" }],
    [
      "fast u --address-type P2SH-P2WPKH",
      { ...call, verb: "fast", subject: "u", addressType: "p2sh-p2wpkh" },
    ],
    ["seal", { ...call, verb: "seal", subject: "" }],
    ["--help", null],
  ])("parses '%s'", (line, understood) => {
    expect(read(line.split(" "))).toEqual(understood);
  });

  test("resolves a relative seed file path from the folder in which the user runs the command", () => {
    const seedFile = (args: string[], env: CommandEnvironment["env"]) =>
      read(["seal", ...args], env)?.seedFile;
    expect(seedFile(["--seed-file", "w.json"], {})).toBe("/home/me/w.json");
    expect(seedFile(["--seed-file", "/w.json"], {})).toBe("/w.json");
    const npm = { npm_lifecycle_event: "wallet", INIT_CWD: "/home/me/below" };
    expect(seedFile(["--seed-file", "w.json"], npm)).toBe("/home/me/below/w.json");
    expect(seedFile(["--seed-file", "w.json"], { ...npm, npm_lifecycle_event: "test" })).toBe(
      "/home/me/w.json",
    );
  });

  test("reads trusted hosts from the options, WALLET_TRUSTED_HOSTS and APP_URL", () => {
    const env = {
      WALLET_TRUSTED_HOSTS: "api.example.net, ,B.example",
      APP_URL: "https://id.example.org:8443",
    };
    const hosts = "localhost id.example.org c.example d.example api.example.net b.example".split(" ");
    expect(read("login p --trust c.example --trust d.example".split(" "), env)?.trustedHosts).toEqual(hosts);
  });

  test.each([
    ..."|sign x|login|login a b|show|show https://example.com|show example.com:443|show exa%6dple.com".split(
      "|",
    ),
    ..."login p --account x|login p --account 4294967296|login p --account=-1|login p --unknown".split("|"),
    ..."login p --trust https://api.example|undo|undo http://example.com/undo|undo 1".split("|"),
    "fast p --address-type p2tr",
  ])("refuses '%s' with a reason", (line) => {
    expect(() => read(line.split(" ").filter(String))).toThrow(UsageError);
  });

  test.each([[["show", "a b"]], [["login", "p", "--seed-file", ""]], [["fast", "p", "--address-type", ""]]])(
    "refuses %j with a reason",
    (args) => {
      expect(() => read(args)).toThrow(UsageError);
    },
  );
});
