import type { Page } from "playwright/test";

/**
 * Keeps the scripts of the page's next load from running, as a slow network does.
 * @returns a function that lets them run
 */
export async function holdScripts(page: Page): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route("**/*.js", async (route) => {
    await held.promise;
    await route.continue();
  });
  return held.resolve;
}
