import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { AGAIN, plainPage } from "./plain-page.ts";

const PAGE = plainPage("Not available just now", "Try again in a moment.", AGAIN, "shop.example");

/** Every custom property that a style sheet sets, in its order, light before dark. */
function properties(css: string): string[] {
  return [...css.matchAll(/^\s*(--[a-z-]+: light-dark\(#[0-9a-f]{6}, #[0-9a-f]{6}\));$/gm)].map(
    ([, property = ""]) => property,
  );
}

it("has the colours of every other page, in both schemes", () => {
  const css = readFileSync(new URL("../../../app/looks.css", import.meta.url), "utf8");
  const own = properties(PAGE);
  expect(own).toHaveLength(8);
  // Paper has colours of its own, further down.
  const tokens = properties(css).filter((property) => own.includes(property));
  expect(tokens.slice(0, own.length)).toEqual(own);
});

it("needs no script and nothing of the framework's, and says what to do next", () => {
  expect(PAGE).not.toMatch(/<script|_next/);
  expect(PAGE).toContain('<a href="">Try again</a>');
});

it("names the site that it is a page of", () => {
  expect(PAGE).toContain("<title>Not available just now · shop.example</title>");
  expect(PAGE).toContain('<header><a href="/">shop.example</a></header>');
});
