import { expect, type Page } from "playwright/test";
import { type Requests, readShownCode, readUserId, type Wallet } from "./fixtures.ts";

/** Not taken from the application, because a wrong value there would not be noticed. */
const POLL_INTERVAL_MS = 5_000;

/**
 * The test must install the clock before it opens the page (`page.clock.install()`). Between polls, the clock runs at
 * its usual speed.
 */
export async function advanceToNextPoll(page: Page): Promise<void> {
  await page.clock.fastForward(POLL_INTERVAL_MS);
}

/** Polls repeatedly, in case the server needs a moment. */
export async function pollUntilUrl(page: Page, url: RegExp): Promise<void> {
  await expect(async () => {
    await advanceToNextPoll(page);
    await expect(page).toHaveURL(url, { timeout: 1_000 });
  }).toPass();
}

/** The test can advance the page's clock. Returns the QR URL. */
export async function openFastPage(page: Page): Promise<string> {
  await page.clock.install();
  await page.goto("/fast");
  return (await readShownCode(page)).text;
}

/** Opens the route that signs the browser in, without the panel. */
export async function openDashboardFast(page: Page, wallet: Wallet): Promise<void> {
  const { qr, sid } = await (await page.request.get("/api/getqrcode")).json();
  await wallet.approve(qr);
  await page.goto(`/dashboard?sid=${sid}`);
}

/** Without opening a page. Returns the user's id. */
export async function signInFast(browser: Requests, wallet: Wallet): Promise<number> {
  const { qr, sid } = await (await browser.request.get("/api/getqrcode")).json();
  await wallet.approve(qr);
  await browser.request.get(`/dashboard?sid=${sid}`);
  return readUserId(browser);
}

export const trialWallet = (page: Page) => page.getByRole("region", { name: "Temporary wallet" });
export const trialApproval = (page: Page) => trialWallet(page).getByRole("button", { name: "Approve" });

export async function openDemoWallet(page: Page): Promise<Page> {
  const [wallet] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("link", { name: /Create a wallet in this browser/ }).click(),
  ]);
  return wallet;
}

/**
 * Begins with the page's next navigation.
 * @returns a function that returns the score of unexpected layout shifts so far (https://web.dev/articles/cls), which
 * is 0 without a shift
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
      // The observer reports a frame's shifts after the frame.
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      return (window as unknown as { shifts: { score: number } }).shifts.score;
    });
}

/**
 * Delays the scripts of the page that is loaded next, as a slow network would.
 * @returns a function that lets the scripts load
 */
export async function holdScripts(page: Page): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  await page.route("**/*.js", async (route) => {
    await gate.promise;
    await route.continue();
  });
  return gate.resolve;
}
