import type { Page } from "playwright/test";
import { expectAccessible, expectAccessibleInAllViews } from "./support/accessible.ts";
import { expect, readLoginStatus, readShownCode, test } from "./support/fixtures.ts";

const status = (page: Page) => page.getByRole("status");

test.describe("the login panel", () => {
  test("explains a rate limit, a server error and a lost connection, and recovers automatically", async ({
    page,
    context,
  }) => {
    for (const [answer, words, again] of [
      [{ status: 429, headers: { "Retry-After": "60" } }, "Too many attempts", "Try now"],
      [{ status: 503 }, "could not get a code", "Try again"],
    ] as const) {
      await page.route("**/api/svc/qr*", (route) => route.fulfill({ ...answer, json: {} }));
      await page.goto("/login");
      await expect(status(page)).toContainText(words);
      await expectAccessible(page);
      await page.unroute("**/api/svc/qr*");
      await page.getByRole("button", { name: again }).click();
      await readShownCode(page);
    }
    await context.setOffline(true);
    await expect(status(page)).toContainText("No connection");
    await context.setOffline(false);
    await expect(status(page)).toContainText("Waiting for your wallet");
  });

  test("falls back to polling without the event stream", async ({ page, wallet, register }) => {
    await register(wallet);
    await page.route("**/api/svc/events*", (route) => route.abort());
    await page.goto("/login");
    await wallet.approve(page);
    await expect(page).toHaveURL(/\/dashboard$/);
  });
});

test("shows a scannable code in dark mode, dark on white", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("/login");
  await readShownCode(page);
  const code = page.getByRole("img", { name: /QR code/ });
  await expect(code).toBeVisible();
  const colours = await code
    .locator("path")
    .evaluateAll((paths) => paths.map((path) => path.getAttribute("fill")));
  expect(colours).toContain("#ffffff");
  expect(colours).toContain("#000000");
  const reached: string[] = [];
  for (let presses = 0; presses < 15; presses++) {
    await page.keyboard.press("Tab");
    reached.push(await page.evaluate(() => document.activeElement?.textContent?.trim() ?? ""));
  }
  expect(reached).toEqual(expect.arrayContaining(["Open in wallet", "Copy link"]));
});

test("explains a code on the page that a phone's camera opens, in either flow", async ({ page }) => {
  const { sid, challenge } = await (await page.request.get("/api/svc/qr?mode=login")).json();
  await page.goto(`/webhook/login?${new URLSearchParams({ s: sid, c: challenge })}`);
  await expect(page.getByRole("link", { name: "Open in a wallet app" })).toHaveAttribute(
    "href",
    /^svc:\/\/auth\?/,
  );
  await expect(page.getByText("localhost").first()).toBeVisible();
  await expectAccessible(page);
  expect(await readLoginStatus(page, sid)).toEqual({ status: "pending" });

  await page.goto((await (await page.request.get("/api/getqrcode")).json()).qr);
  await expect(page.getByRole("heading", { name: "localhost" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Copy the code for a wallet" })).toBeVisible();
  await expectAccessible(page);

  await page.goto("/webhook/login?s=&c=nonsense");
  await expect(page.getByRole("main").getByRole("link", { name: /sign in/i })).toBeVisible();
  await expectAccessibleInAllViews(page);
});

test("shows signed-out visitors accessible pages that fit the viewport", async ({ page }) => {
  const plain = ["/login/added?sid=unknown", "/api/auth/signout", "/api/account/export"];
  for (const path of ["/login", "/register", "/wallet", ...plain, "/nothing-here"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    if (path === "/login" || path === "/register") await readShownCode(page);
    await expectAccessibleInAllViews(page);
  }
});

test("announces the status line once per state, not every second", async ({ page }) => {
  await page.clock.install();
  await page.goto("/login");
  await readShownCode(page);
  await expect(status(page)).toHaveCount(1);
  await status(page).evaluate((element) => {
    const changes = { count: 0 };
    new MutationObserver((records) => {
      changes.count += records.length;
    }).observe(element, { childList: true, characterData: true, subtree: true });
    Object.assign(window, { statusChanges: changes });
  });
  await page.clock.runFor(10_000);
  expect(
    await page.evaluate(() => Object.getOwnPropertyDescriptor(window, "statusChanges")?.value.count),
  ).toBe(0);
});
