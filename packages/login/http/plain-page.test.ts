import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { RETRY_LINK, renderPlainPage } from "./plain-page.ts";

const PAGE = renderPlainPage("Not available just now", "Try again in a moment.", RETRY_LINK, {
  name: "shop.example",
});

it("has the same colours as every other page, in light and dark mode", () => {
  const css = readFileSync(new URL("../../../app/looks.css", import.meta.url), "utf8");
  const [light = "", dark = ""] = PAGE.split("prefers-color-scheme: dark");
  const colorsIn = (text: string) =>
    [...text.matchAll(/^ +(--[a-z-]+): (#[0-9a-f]{6});$/gm)].map(([, name, color]) => [name, color]);
  const darkColors = new Map(colorsIn(dark).map(([name, color]) => [name, color]));
  expect(darkColors.size).toBe(8);
  for (const [name = "", color] of colorsIn(light)) {
    expect(css).toContain(`${name}: light-dark(${color}, ${darkColors.get(name)});`);
  }
  expect(PAGE).not.toContain("light-dark(");
});

it("works without scripts and says what to do next", () => {
  expect(PAGE).not.toMatch(/<script|_next/);
  expect(PAGE).toContain('<a href="">Try again</a>');
});

it("shows the name of its site", () => {
  expect(PAGE).toContain("<title>Not available just now · shop.example</title>");
  expect(PAGE).toContain('<header><a href="/">shop.example</a></header>');
});

it("uses the site's logo and typeface if it has them", () => {
  const page = renderPlainPage("Heading", "Text.", RETRY_LINK, {
    name: "Shop",
    mark: "<svg></svg>",
    font: "/a.woff2",
  });
  expect(page).toContain('<header><a href="/"><svg></svg>Shop</a></header>');
  expect(page).toContain('src: url(/a.woff2) format("woff2")');
  expect(PAGE).not.toContain("@font-face");
});
