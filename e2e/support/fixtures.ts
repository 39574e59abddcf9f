import { expect, shownCode as shownText, test as withWallets } from "@svc/wallet/testing/playwright";
import type { Wallet } from "@svc/wallet/testing/wallet";
import type { BrowserContext, BrowserContextOptions, Page } from "playwright/test";

export { expect, type Wallet } from "@svc/wallet/testing/playwright";

/** Started by the global setup. */
export const APP_URL = process.env.APP_UNDER_TEST ?? "";
export const DATABASE_URL = process.env.DATABASE_UNDER_TEST ?? "";
export const DOMAIN = "localhost";

type Fixtures = {
  newPage: (options?: BrowserContextOptions) => Promise<Page>;
  /** Without a browser. */
  register: (wallet: Wallet) => Promise<void>;
};

export const test = withWallets.extend<Fixtures>({
  newPage: async ({ browser }, use) => {
    const openedContexts: BrowserContext[] = [];
    await use(async (options) => {
      const context = await browser.newContext(options);
      openedContexts.push(context);
      return await context.newPage();
    });
    for (const context of openedContexts) await context.close();
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
  register: async ({}, use) => {
    await use(async (wallet) => {
      const { qr } = await (await fetch(`${APP_URL}/api/svc/qr?mode=register`)).json();
      await wallet.approve(qr);
    });
  },
});

export type ShownCode = { text: string; webhook: string; session: string; challenge: string };

export async function readShownCode(page: Page): Promise<ShownCode> {
  const text = await shownText(page);
  const parameters = new URL(text).searchParams;
  const read = (name: string) => parameters.get(name) ?? "";
  return { text, webhook: read("webhook"), session: read("session"), challenge: read("challenge") };
}

/** Waits for the event stream, because only the stream reports a refusal to the page. */
export async function openAndListen(page: Page, path: string): Promise<void> {
  const stream = page.waitForResponse((answer) => answer.url().includes("/api/svc/events"));
  await page.goto(path);
  await stream;
}

/** Only sends requests, because opening pages takes time. */
export type Requests = Pick<Page, "request">;

/** Bound to the browser, without opening the page that would show the code. */
export async function issueCode(
  { request }: Requests,
  mode: "login" | "register" = "register",
): Promise<{ sid: string; qr: string }> {
  return (await request.get(`/api/svc/qr?mode=${mode}`)).json();
}

export async function readLoginStatus({ request }: Requests, sid: string): Promise<unknown> {
  return (await request.get(`/api/svc/check?sid=${sid}`)).json();
}

/** Returns the user's id. */
export async function signIn(browser: Requests, sid: string): Promise<number> {
  const { csrfToken } = await (await browser.request.get("/api/auth/csrf")).json();
  const form = { csrfToken, sid, json: "true" };
  const answer = await browser.request.post("/api/auth/callback/svc", { form });
  expect(answer.status()).toBe(200);
  expect((await answer.json()).url).not.toContain("/login/added");
  return readUserId(browser);
}

/** As NextAuth returns it: empty if no user is signed in. */
export async function readSession({ request }: Requests): Promise<{ user?: { id: number } }> {
  return (await request.get("/api/auth/session")).json();
}

export async function readUserId(browser: Requests): Promise<number> {
  const { user } = await readSession(browser);
  if (!user) throw new Error("nobody is signed in");
  return user.id;
}
