import { expect, type Page } from "playwright/test";
import { type Requests, readShownCode, readUserId, type Wallet } from "./fixtures.ts";

/** Steps on pages that several specs share. */

/** The time between two polls. Not the application's own constant, because a wrong value there would go unnoticed. */
const POLL_INTERVAL_MS = 5_000;

/**
 * Moves a page's clock on to its next poll. The test has to install the clock before it opens the page
 * (`page.clock.install()`); between polls that clock runs at its usual pace.
 */
export async function advanceToNextPoll(page: Page): Promise<void> {
  await page.clock.fastForward(POLL_INTERVAL_MS);
}

/** Polls until the page is at `url`, in case the server needs a moment. */
export async function pollUntilUrl(page: Page, url: RegExp): Promise<void> {
  await expect(async () => {
    await advanceToNextPoll(page);
    await expect(page).toHaveURL(url, { timeout: 1_000 });
  }).toPass();
}

/** Opens fast login's page with a clock that the test can advance; returns the QR URL. */
export async function openFastPage(page: Page): Promise<string> {
  await page.clock.install();
  await page.goto("/fast");
  return (await readShownCode(page)).text;
}

/** Has an address answer a login of a browser, and opens the dashboard's own route without the panel. */
export async function openDashboardFast(page: Page, wallet: Wallet): Promise<void> {
  const { qr, sid } = await (await page.request.get("/api/getqrcode")).json();
  await wallet.approve(qr);
  await page.goto(`/dashboard?sid=${sid}`);
}

/** Signs a browser in with an address, without a page; returns the user's id. */
export async function signInFast(browser: Requests, wallet: Wallet): Promise<number> {
  const { qr, sid } = await (await browser.request.get("/api/getqrcode")).json();
  await wallet.approve(qr);
  await browser.request.get(`/dashboard?sid=${sid}`);
  return readUserId(browser);
}

/** Returns the temporary wallet on a page, and its approve button. */
export const trialWallet = (page: Page) => page.getByRole("region", { name: "Temporary wallet" });
export const trialApproval = (page: Page) => trialWallet(page).getByRole("button", { name: "Approve" });

/** Opens the code of a page in the demo wallet, in another tab. */
export async function openDemoWallet(page: Page): Promise<Page> {
  const [wallet] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("link", { name: /Make a wallet in this browser/ }).click(),
  ]);
  return wallet;
}

/**
 * Measures unexpected layout shifts of a page, from its next navigation on.
 * @returns a function that returns the score so far (https://web.dev/articles/cls); 0 without a shift
 */
export async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean };
    const shifts = { score: 0 };
    Object.assign(window, { shifts: shifts });
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries() as Shift[])
        if (!shift.hadRecentInput) shifts.score += shift.value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  return () =>
    page.evaluate(async () => {
      // The observer gets the shifts of a frame after it.
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      return (window as unknown as { shifts: { score: number } }).shifts.score;
    });
}

/**
 * Delays the scripts of the page's next load, as a slow network does.
 * @returns a function that lets them run
 */
export async function holdScripts(page: Page): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  await page.route("**/*.js", async (route) => {
    await gate.promise;
    await route.continue();
  });
  return gate.resolve;
}
