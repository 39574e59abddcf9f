import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "playwright/test";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** What axe checks. By default, it applies all rules to the whole page. `within` contains selectors. */
type Look = { rules?: string[]; within?: string[] };

/**
 * Expects axe to find no violations and the page not to scroll sideways, in all combinations of narrow and wide, light
 * and dark.
 * @param sample selectors for parts that represent the rest of a long page; after one check of the whole page, axe
 * checks only these parts
 */
export async function expectAccessibleInAllViews(page: Page, sample: string[] = []): Promise<void> {
  for (const [width, within] of [
    [360, []],
    [1440, sample],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    expect(await measureOverflow(page), `${page.url()} at ${width} px`).toBe(0);
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await expectAccessible(page, { within: [...within] });
    // In the other scheme, only the colours are different.
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    await expectAccessible(page, { rules: COLOUR_RULES, within: sample });
  }
}

export function measureOverflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Checks only the current view of the page. */
export async function expectAccessible(page: Page, look: Look = {}): Promise<void> {
  // axe ignores disabled buttons. These buttons are disabled only until the page is hydrated, so wait for that.
  await expect(
    page.locator("button:disabled:not([class*='svc-disabled'], [class*='disabled:'])"),
  ).toHaveCount(0);
  // Loading axe into a document takes as long as running it three times.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  expect(await page.evaluate(findViolations, look)).toEqual([]);
}

type Axe = {
  run(
    context: object,
    options: object,
  ): Promise<{ violations: { id: string; nodes: { target: unknown }[] }[] }>;
};

// Runs in the page. Omits elements that passed or could not be decided.
async function findViolations({ rules = [], within = [] }: Look) {
  const { axe } = window as unknown as { axe: Axe };
  const some = rules.length > 0 ? { runOnly: rules } : {};
  const context = within.length > 0 ? { include: within } : document;
  const { violations } = await axe.run(context, { ...some, resultTypes: ["violations"] });
  return violations.map(({ id, nodes }) => ({ id, targets: nodes.map(({ target }) => target) }));
}
