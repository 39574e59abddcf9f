import { expect, type Page } from "playwright/test";

/** Time between two polls. Not the application's own constant, which would agree with whatever it is. */
const POLL_INTERVAL_MS = 5_000;

/**
 * Moves a page's clock on to its next poll. The clock has to be the test's before the page is opened
 * (`page.clock.install()`); it goes on at its own pace all the while.
 */
export async function nextPoll(page: Page): Promise<void> {
  await page.clock.fastForward(POLL_INTERVAL_MS);
}

/** Polls until the page is at `url`: where what it waits for takes a moment on the server. */
export async function polledTo(page: Page, url: RegExp): Promise<void> {
  await expect(async () => {
    await nextPoll(page);
    await expect(page).toHaveURL(url, { timeout: 1_000 });
  }).toPass({ timeout: 20_000 });
}
