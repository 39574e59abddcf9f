import { AxeBuilder } from "@axe-core/playwright";
import { test as base, expect, type Page } from "playwright/test";
import { type DeliveryBody, TestWallet } from "./test-wallet.ts";

/** The application under test, started by the global setup. */
export const APP_URL = process.env.APP_UNDER_TEST ?? "";

export { expect };

type Fixtures = {
  /** A wallet with a key that nobody has seen. */
  wallet: TestWallet;
  /** Registers a wallet's key without a browser. */
  register: (wallet: TestWallet) => Promise<void>;
};

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
  wallet: async ({}, use) => {
    await use(new TestWallet());
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above
  register: async ({}, use) => {
    await use(async (wallet) => {
      const { challenge } = await (await fetch(`${APP_URL}/api/svc/qr?mode=register`)).json();
      expect(await post("/webhook/register", wallet.delivery(challenge))).toBe(200);
    });
  },
});

/** What the code on a page holds, read from its same-device link. */
export type ShownCode = { webhook: string; session: string; challenge: string };

/** The code that the page shows now. */
export async function shownCode(page: Page): Promise<ShownCode> {
  const link = page.getByRole("link", { name: "Open in wallet" });
  await expect(link).toHaveAttribute("href", /^svc:\/\/auth\?/);
  const parameters = new URL((await link.getAttribute("href")) ?? "").searchParams;
  const read = (name: string) => parameters.get(name) ?? "";
  return { webhook: read("webhook"), session: read("session"), challenge: read("challenge") };
}

/** Answers the code on the page as a wallet does; returns the service's status. */
export async function answer(
  page: Page,
  wallet: TestWallet,
  changes: Partial<Record<keyof DeliveryBody, unknown>> = {},
): Promise<number> {
  const { webhook, challenge } = await shownCode(page);
  return post(new URL(webhook).pathname, wallet.delivery(challenge, changes));
}

/** Posts a wallet response; returns the status. */
export async function post(path: string, body: unknown): Promise<number> {
  const response = await fetch(new URL(path, APP_URL), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return response.status;
}

/** Signs a page in with a wallet that has an account. */
export async function signIn(page: Page, wallet: TestWallet): Promise<void> {
  await page.goto("/login");
  expect(await answer(page, wallet)).toBe(200);
  await expect(page).toHaveURL(/\/dashboard$/);
}

/**
 * Signs a browser in without opening a page, as a new user or the wallet's: for what comes after a login.
 * @returns where the sign-in sends the browser
 */
export async function enter(page: Page, wallet: TestWallet): Promise<string> {
  const { sid, challenge } = await (await page.request.get("/api/svc/qr?mode=register")).json();
  expect(await post("/webhook/register", wallet.delivery(challenge))).toBe(200);
  const { csrfToken } = await (await page.request.get("/api/auth/csrf")).json();
  const response = await page.request.post("/api/auth/callback/svc", {
    form: { csrfToken, sid, json: "true" },
  });
  expect(response.status()).toBe(200);
  return (await response.json()).url;
}

/** The rules of axe that look at colours. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** Nothing that axe finds in the page as it stands, and nothing to scroll sideways: narrow and wide, light and dark. */
export async function expectPresentable(page: Page): Promise<void> {
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await overflow(page), `${page.url()} at ${width} px`).toBe(0);
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await expectAccessible(page);
    // In the other scheme nothing is different but the colours.
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    await expectAccessible(page, COLOUR_RULES);
  }
}

/** Pixels by which the page is wider than its window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Nothing that axe finds by all of its rules, or by these, in the page as it stands. */
export async function expectAccessible(page: Page, rules?: string[]): Promise<void> {
  // In one step instead of one a frame, which takes half the time: no page of ours holds a frame.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  expect(violations.map(({ id, nodes }) => ({ id, targets: nodes.map(({ target }) => target) }))).toEqual([]);
}
