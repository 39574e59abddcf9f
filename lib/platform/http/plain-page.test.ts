import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { UNAVAILABLE_PAGE } from "./unavailable-page.ts";

/** Every custom property that a style sheet sets, in its order, light before dark. */
function properties(css: string): string[] {
  return [...css.matchAll(/^\s*(--[a-z-]+: #[0-9a-f]{6});$/gm)].map(([, property = ""]) => property);
}

it("has the colours of every other page, in both schemes", () => {
  const css = readFileSync(new URL("../../../app/globals.css", import.meta.url), "utf8");
  const own = properties(UNAVAILABLE_PAGE);
  expect(own).toHaveLength(12);
  // Paper has colours of its own, further down.
  const tokens = properties(css).filter((property) => own.includes(property));
  expect(tokens.slice(0, own.length)).toEqual(own);
});

it("needs no script and nothing of the framework's, and says what to do next", () => {
  expect(UNAVAILABLE_PAGE).not.toMatch(/<script|_next/);
  expect(UNAVAILABLE_PAGE).toContain('<a href="">Try again</a>');
});
