import type { Page } from "playwright/test";
import { Authenticator } from "./authenticator.ts";
import { expect } from "./fixtures.ts";

export const PASSPHRASE = "correct horse battery";
export const PHRASE = `${"abandon ".repeat(11)}about`;

/** Makes a wallet on the page that shows the first visit, locked by a passphrase; returns its words. */
export async function makeWallet(page: Page): Promise<string> {
  const words = await writeWordsDown(page);
  await lockByPassphrase(page);
  return words;
}

/** A wallet on `/wallet`, opened by a biometric that the returned authenticator stands for. */
export async function makeBiometricWallet(page: Page): Promise<Authenticator> {
  const authenticator = await Authenticator.on(page);
  await page.goto("/wallet");
  await writeWordsDown(page);
  await page.getByRole("button", { name: /Use fingerprint/ }).click();
  await expect(page.getByRole("button", { name: "Scan a code" })).toBeVisible();
  return authenticator;
}

/** Restores `phrase` on the page that shows the first visit, locked by a passphrase. */
export async function restoreWallet(page: Page, phrase: string): Promise<void> {
  await page.getByRole("button", { name: "Restore from words" }).click();
  await page.getByLabel("Your words").fill(phrase);
  await page.getByRole("button", { name: "Restore", exact: true }).click();
  await lockByPassphrase(page);
}

/** Chooses a passphrase where the wallet asks how it is to be locked. */
export async function lockByPassphrase(page: Page): Promise<void> {
  const other = page.getByRole("button", { name: "Use a passphrase" });
  const field = page.getByLabel("New passphrase");
  await expect(other.or(field)).toBeVisible();
  if (await other.isVisible()) await other.click();
  await field.fill(PASSPHRASE);
  await page.getByLabel("The same again").fill(PASSPHRASE);
  await page.getByRole("button", { name: "Lock the wallet" }).click();
  await expect(page.getByRole("heading", { name: "Lock this wallet" })).toHaveCount(0);
}

/** Gives the wallet a code as text, as its link does. */
export async function openCode(page: Page, payload: string): Promise<void> {
  await page.goto(`/wallet#${encodeURIComponent(payload)}`);
}

/** Approves what the wallet asks, by passphrase where it wants one. */
export async function approve(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: "Approve" });
  await expect(button).toBeEnabled();
  const field = page.getByLabel("Passphrase of this wallet");
  if (await field.isVisible()) await field.fill(PASSPHRASE);
  await button.click();
}

async function writeWordsDown(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Show my words" }).click();
  const items = page.getByRole("list", { name: "Your words" }).getByRole("listitem");
  const words = await items.evaluateAll((all) => all.map((item) => item.lastElementChild?.textContent ?? ""));
  await page.getByRole("button", { name: "I wrote them down" }).click();
  return words.join(" ");
}
