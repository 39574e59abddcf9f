import type { Page } from "playwright/test";

/**
 * Watches what moves on a page by itself, from its next navigation on.
 * @returns asks how far by now, as browsers score it (https://web.dev/articles/cls): 0 is nothing
 */
export async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean };
    const seen = { score: 0 };
    Object.assign(window, { shifts: seen });
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries() as Shift[]) if (!shift.hadRecentInput) seen.score += shift.value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  return () => page.evaluate(() => (window as unknown as { shifts: { score: number } }).shifts.score);
}
