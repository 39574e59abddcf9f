import { describe, expect, test } from "vitest";
import { formatHelp, formatHelpHint, readCommandLine, readNumber, UsageError } from "./command-line.ts";

const SHOP = {
  program: "shop",
  about: "Sells things.",
  commands: {
    "cart add": { takes: "THING", does: "put one in" },
    "cart list": { does: "what is in it" },
    open: { takes: "[DAY…]", does: "be open" },
  },
  options: {
    note: { value: "TEXT", does: "to be printed" },
    size: { value: "SIZE", default: "m", does: "which one" },
    tag: { value: "TAG", multiple: true, does: "may be repeated" },
    gift: { does: "wraps it" },
  },
  notes: "Exit status: 0.",
} as const;

const read = (...args: string[]) => readCommandLine(SHOP, args);

describe("a command-line program", () => {
  test("accepts options before and after the arguments", () => {
    expect(read("--gift", "cart", "add", "a b", "--tag", "x", "--tag=y", "--size", "l")).toEqual({
      command: "cart add",
      subjects: ["a b"],
      values: { gift: true, tag: ["x", "y"], size: "l" },
    });
    expect(read("cart", "list")).toEqual({
      command: "cart list",
      subjects: [],
      values: { gift: false, tag: [], size: "m" },
    });
    expect(read("open", "mon", "tue")).toMatchObject({ subjects: ["mon", "tue"] });
    expect(read("open")).toMatchObject({ subjects: [] });
  });

  test.each([[["--help"]], [["-h"]], [["help"]], [["cart", "add", "--help"]]])(
    "recognises a request for help: %j",
    (args) => {
      expect(read(...args)).toBeNull();
    },
  );

  test.each([
    [[], "No command. Use cart add, cart list, or open."],
    [["cart"], 'Unknown command "cart". Use cart add, cart list, or open.'],
    [["cart", "burn", "x"], 'Unknown command "cart burn". Use cart add, cart list, or open.'],
    [["cart", "add"], "It takes one argument, quoted where it has spaces: shop cart add THING"],
    [["cart", "add", ""], "It takes one argument, quoted where it has spaces: shop cart add THING"],
    [["cart", "add", "a", "b"], "It takes one argument, quoted where it has spaces: shop cart add THING"],
    [["cart", "list", "secret"], "It takes no argument: shop cart list"],
    [["open", "--colour"], "Unknown option '--colour'. There is: --note, --size, --tag, --gift, --help."],
    [["open", "--gift=x"], "Option '--gift' does not take an argument."],
    [["open", "--note"], "Option '--note <value>' argument missing."],
    [["open", "--note", "--gift"], "Option '--note' argument is ambiguous."],
  ])("refuses invalid arguments and names what is expected: %j", (args, message) => {
    expect(() => read(...args)).toThrow(UsageError);
    expect(() => read(...args)).toThrow(message);
  });

  test("treats the word help as an argument if the program has only one command", () => {
    const line = { ...SHOP, commands: { "": { takes: "DIR", does: "" } } };
    expect(readCommandLine(line, ["help"])).toMatchObject({ command: "", subjects: ["help"] });
    expect(() => readCommandLine(line, [])).toThrow(
      "It takes one argument, quoted where it has spaces: shop DIR",
    );
  });

  test("shows two dashes before the options of an npm script", () => {
    const line = { ...SHOP, program: "npm run shop --", commands: { "": { does: "sell" } }, options: {} };
    expect(() => readCommandLine(line, ["x"])).toThrow(/^It takes no argument: npm run shop$/);
    expect(formatHelpHint(line)).toBe("Run npm run shop -- --help for usage.");
  });

  test("lists every command and option in its help", () => {
    expect(formatHelp(SHOP)).toBe(`Sells things.

  shop cart add THING  put one in
  shop cart list       what is in it
  shop open [DAY…]     be open

Options
  --note TEXT  to be printed
  --size SIZE  which one (m)
  --tag TAG    may be repeated
  --gift       wraps it
  --help       this text

Exit status: 0.
`);
  });
});

test("accepts only numbers within the limits", () => {
  expect(readNumber("rounds", "5", { least: 1, most: 9, whole: true })).toBe(5);
  expect(readNumber("minutes", "0.5", { most: 9 })).toBe(0.5);
  for (const text of ["", " 5", "soon", "0", "10", "1.5", "-1", "1e0"]) {
    expect(() => readNumber("rounds", text, { least: 1, most: 9, whole: true })).toThrow(
      "--rounds takes a whole number from 1 to 9.",
    );
  }
});
