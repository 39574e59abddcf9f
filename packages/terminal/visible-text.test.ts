import { expect, test } from "vitest";
import { findStrayCharacters, HOSTILE_TEXT } from "../conformance/testing/terminal.fixture.ts";
import { toVisibleLine, toVisibleText } from "./visible-text.ts";

test.each([
  ["an escape sequence", "\u001b[2J", "\\u001b[2J"],
  ["a sequence of one C1 character", "\u009b31m", "\\u009b31m"],
  ["the end of a terminal title", "\u001b]0;owned\u0007", "\\u001b]0;owned\\u0007"],
  ["a cursor movement", "a\b\rb\tc\u007f", "a\\u0008\\u000db\\u0009c\\u007f"],
  ["embedding and override", "\u202a\u202b\u202c\u202d\u202e", "\\u202a\\u202b\\u202c\\u202d\\u202e"],
  ["isolates", "\u2066\u2067\u2068\u2069", "\\u2066\\u2067\\u2068\\u2069"],
  ["direction marks", "\u200e\u200f\u061c", "\\u200e\\u200f\\u061c"],
  ["separators", "\u2028\u2029\u0085", "\\u2028\\u2029\\u0085"],
  ["zero-width characters", "\u200b\u200d\ufeff\u00ad\ufe0f", "\\u200b\\u200d\\ufeff\\u00ad\\ufe0f"],
  ["a tag", "\u{e0041}", "\\udb40\\udc41"],
  ["half a character", "\ud800", "\\ud800"],
])("shows invisible characters as visible ones: %s", (_what, text, visible) => {
  expect(toVisibleText(text)).toBe(visible);
  expect(toVisibleLine(text)).toBe(visible);
});

test("leaves ordinary text unchanged", () => {
  const text = "Größe: “naïve” – 日本語, Ελληνικά, хорошо, 🔑…";
  expect(toVisibleText(text)).toBe(text);
  expect(toVisibleLine(text)).toBe(text);
});

test("preserves line breaks where several lines are allowed", () => {
  expect(toVisibleText("a\nאב")).toBe("a\nאב");
  expect(toVisibleLine("a\nאב")).toBe("a\\u000a\\u05d0\\u05d1");
});

test("removes every control character and every invisible character", () => {
  for (let plane = 0; plane < 0x110000; plane += 0x10000) {
    const characters = Array.from({ length: 0x10000 }, (_, code) => String.fromCodePoint(plane + code));
    expect(findStrayCharacters(toVisibleLine(characters.join(" ")))).toEqual([]);
  }
});

test("does not change the meaning of JSON", () => {
  const value = { text: HOSTILE_TEXT, list: ["\\u001b", "\\", "\ud800"] };
  const json = toVisibleText(JSON.stringify(value, null, 2));
  expect(JSON.parse(json)).toEqual(value);
  expect(findStrayCharacters(json.replaceAll("\u05d0", ""), "\n")).toEqual([]);
});
