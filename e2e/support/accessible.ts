import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "playwright/test";

/** axe, as a script of a page's. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** The rules of axe that look at colours. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** Nothing that axe finds in the page as it stands, and nothing to scroll sideways: narrow and wide, light and dark. */
export async function expectPresentable(page: Page): Promise<void> {
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await overflow(page), `${page.url()} at ${width} px`).toBe(0);
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await expectAccessible(page);
    // In the other scheme nothing is different but the colours.
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    await expectAccessible(page, COLOUR_RULES);
  }
}

/** Pixels by which the page is wider than its window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Nothing that axe finds by all of its rules, or by these, in the page as it stands. */
export async function expectAccessible(page: Page, rules: string[] = []): Promise<void> {
  // To bring axe to a document costs as much as to run it three times.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  expect(await page.evaluate(findViolations, rules)).toEqual([]);
}

type Axe = {
  run(options: object): Promise<{ violations: { id: string; nodes: { target: unknown }[] }[] }>;
};

// Runs in the page. Of what passes and what cannot be told, the elements are not collected.
async function findViolations(rules: string[]) {
  const { axe } = window as unknown as { axe: Axe };
  const some = rules.length > 0 ? { runOnly: rules } : {};
  const { violations } = await axe.run({ ...some, resultTypes: ["violations"] });
  return violations.map(({ id, nodes }) => ({ id, targets: nodes.map(({ target }) => target) }));
}
