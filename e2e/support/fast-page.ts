import type { Page } from "playwright/test";
import type { FastWallet } from "./fast-wallet.ts";
import { APP_URL, expect } from "./fixtures.ts";
import { nextPoll } from "./next-poll.ts";

/** Flow C's page learns of an answer by its poll of 5 seconds alone: longer than a page is waited for otherwise. */
export const POLLED = { timeout: 20_000 };

/** Opens flow C's page with a clock that the test can move on; returns the QR URL. */
export async function openFast(page: Page): Promise<string> {
  await page.clock.install();
  await page.goto("/fast");
  return shownFastUrl(page);
}

/** The QR URL that the page shows now, read from its same-device link. */
export async function shownFastUrl(page: Page): Promise<string> {
  const link = page.getByRole("link", { name: "Open in wallet" });
  await expect(link).toHaveAttribute("href", /\/api\/fastauth\?sid=/);
  return (await link.getAttribute("href")) ?? "";
}

/** Answers the code on the page as a wallet does, by a form; returns the service's status. */
export async function answerFast(page: Page, wallet: FastWallet): Promise<number> {
  const url = await shownFastUrl(page);
  expect(new URL(url).origin).toBe(APP_URL);
  const response = await fetch(url, { method: "POST", body: new URLSearchParams(wallet.fields(url)) });
  return response.status;
}

/** Signs a page in with an address, on the panel. */
export async function signInFast(page: Page, wallet: FastWallet): Promise<number> {
  await openFast(page);
  expect(await answerFast(page, wallet)).toBe(200);
  await nextPoll(page);
  await expect(page).toHaveURL(/\/dashboard$/, POLLED);
  return (await (await page.request.get("/api/auth/session")).json()).user.id;
}

/** Answers a login of a browser with an address, and opens the dashboard's own route, without the panel. */
export async function openDashboardFast(page: Page, wallet: FastWallet): Promise<void> {
  const { qr, sid } = await (await page.request.get("/api/getqrcode")).json();
  const response = await fetch(qr, { method: "POST", body: new URLSearchParams(wallet.fields(qr)) });
  expect(response.status).toBe(200);
  await page.goto(`/dashboard?sid=${sid}`);
}

/** Signs a browser in with an address and no panel; returns the user's id. */
export async function enterFast(page: Page, wallet: FastWallet): Promise<number> {
  await openDashboardFast(page, wallet);
  await expect(page).toHaveURL(/\/dashboard$/);
  return (await (await page.request.get("/api/auth/session")).json()).user.id;
}
