import type { Page } from "playwright/test";
import { shownCode as shownText, test as withWallets } from "#lib/site/testing/playwright.ts";
import type { Wallet } from "#lib/site/testing/wallet.ts";

export { expect, type Wallet } from "#lib/site/testing/playwright.ts";

/** The application under test, started by the global setup. */
export const APP_URL = process.env.APP_UNDER_TEST ?? "";
/** The domain of its challenges. */
export const DOMAIN = "localhost";

type Fixtures = {
  /** Registers a wallet's key without a browser. */
  register: (wallet: Wallet) => Promise<void>;
};

export const test = withWallets.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
  register: async ({}, use) => {
    await use(async (wallet) => {
      const { qr } = await (await fetch(`${APP_URL}/api/svc/qr?mode=register`)).json();
      await wallet.approve(qr);
    });
  },
});

/** A code, and what it holds. */
export type ShownCode = { text: string; webhook: string; session: string; challenge: string };

/** The code that the page shows now. */
export async function shownCode(page: Page): Promise<ShownCode> {
  const text = await shownText(page);
  const parameters = new URL(text).searchParams;
  const read = (name: string) => parameters.get(name) ?? "";
  return { text, webhook: read("webhook"), session: read("session"), challenge: read("challenge") };
}

/** Who is signed in in a page's browser. */
export async function userOn(page: Page): Promise<number> {
  return (await (await page.request.get("/api/auth/session")).json()).user.id;
}
