import type { Page } from "playwright/test";
import { type Requests, shownCode, userOn, type Wallet } from "./fixtures.ts";

/** Fast login's page learns of an answer by its poll of 5 seconds alone: longer than a page is waited for otherwise. */
export const POLLED = { timeout: 20_000 };

/** Opens fast login's page with a clock that the test can move on; returns the QR URL. */
export async function openFast(page: Page): Promise<string> {
  await page.clock.install();
  await page.goto("/fast");
  return (await shownCode(page)).text;
}

/** Answers a login of a browser with an address, and opens the dashboard's own route, without the panel. */
export async function openDashboardFast(page: Page, wallet: Wallet): Promise<void> {
  const { qr, sid } = await (await page.request.get("/api/getqrcode")).json();
  await wallet.approve(qr);
  await page.goto(`/dashboard?sid=${sid}`);
}

/** Signs a browser in with an address and no page; returns the user's id. */
export async function enterFast(browser: Requests, wallet: Wallet): Promise<number> {
  const { qr, sid } = await (await browser.request.get("/api/getqrcode")).json();
  await wallet.approve(qr);
  await browser.request.get(`/dashboard?sid=${sid}`);
  return userOn(browser);
}
