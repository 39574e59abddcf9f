import type { Page } from "playwright/test";
import { expect, readShownCode, test } from "./support/fixtures.ts";

const signOut = (page: Page) => page.getByRole("button", { name: "Sign out", exact: true }).first();

/** Makes pages report that they are hidden until `show` is called, because a headless browser shows every tab. */
async function openHidden(page: Page, path: string): Promise<void> {
  await page.addInitScript(() => {
    let state: DocumentVisibilityState = "hidden";
    Object.defineProperty(document, "visibilityState", { get: () => state });
    Object.defineProperty(document, "hidden", { get: () => state === "hidden" });
    document.addEventListener("test-show", ({ detail }: CustomEventInit) => {
      state = detail;
      document.dispatchEvent(new Event("visibilitychange"));
    });
  });
  await page.goto(path);
}

const turn = (page: Page, state: DocumentVisibilityState) =>
  page.evaluate((detail) => document.dispatchEvent(new CustomEvent("test-show", { detail })), state);

test("removes the account from all tabs, visible or hidden, when the user signs out in one", async ({
  page,
  wallet,
  context,
}) => {
  await wallet.signIn(page);
  const others = [await context.newPage(), await context.newPage()] as const;
  await others[0].goto("/console");
  await openHidden(others[1], "/dashboard");
  await page.goto("/dashboard");
  await signOut(page).click();
  await expect(others[0]).toHaveURL(/\/login\?callbackUrl=/);
  await expect(others[1]).toHaveURL(/\/login\?callbackUrl=/);
});

test("checks the session again when a page becomes visible", async ({ page, wallet }) => {
  await wallet.signIn(page);
  await openHidden(page, "/dashboard");
  await expect(signOut(page)).toBeVisible();
  // Without a message to this tab, as in another browser.
  const { csrfToken } = await (await page.request.get("/api/auth/csrf")).json();
  await page.request.post("/api/auth/signout", { form: { csrfToken, json: "true" } });
  await expect(async () => {
    await turn(page, "hidden");
    await turn(page, "visible");
    await expect(page).toHaveURL(/\/login\?callbackUrl=/, { timeout: 1_000 });
  }).toPass();
});

test("opens an event stream only while a login page is visible", async ({ page }) => {
  const open = new Set<string>();
  const isStream = (url: string) => url.includes("/api/svc/events");
  page.on("request", (request) => isStream(request.url()) && open.add(request.url()));
  page.on("requestfailed", (request) => open.delete(request.url()));
  page.on("requestfinished", (request) => open.delete(request.url()));
  const nextPoll = page.waitForRequest("**/api/svc/check*");
  await openHidden(page, "/login");
  await readShownCode(page);
  // The answer still arrives on the hidden page.
  await nextPoll;
  expect(open.size).toBe(0);
  await turn(page, "visible");
  await expect.poll(() => open.size).toBe(1);
  await turn(page, "hidden");
  await expect.poll(() => open.size).toBe(0);
  await turn(page, "visible");
  await expect.poll(() => open.size).toBe(1);
});

test("switches to polling after a site has refused three event streams in a row", async ({ page }) => {
  let streams = 0;
  await page.route("**/api/svc/events*", (route) => {
    streams++;
    return route.fulfill({ status: 404, json: {} });
  });
  await page.clock.install();
  await page.goto("/login");
  const { session } = await readShownCode(page);
  for (const count of [1, 2, 3]) {
    await expect.poll(() => streams).toBe(count);
    await page.clock.runFor(16_000);
  }
  const poll = page.waitForRequest(`**/api/svc/check?sid=${session}`);
  await page.clock.runFor(16_000);
  await poll;
  expect(streams).toBe(3);
});
