import type { Page } from "playwright/test";
import { expectAccessible } from "./support/accessible.ts";
import { expect, readShownCode, readUserId, test } from "./support/fixtures.ts";
import { watchShifts } from "./support/page.ts";

const theme = (page: Page, name: string) => page.getByRole("group", { name: "Theme" }).getByLabel(name);
const background = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

test("keeps the chosen colour scheme across pages and visits, from the first paint", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/");
  const light = await background(page);
  await theme(page, "Dark").check();
  const dark = await background(page);
  expect(dark).not.toBe(light);
  for (const path of ["/login", "/docs", "/nothing-here"]) {
    // The server renders the theme, so the theme does not depend on a script.
    expect(await (await page.request.get(path)).text(), path).toMatch(/<html[^>]* data-theme="dark"/);
    await page.goto(path);
    expect(await background(page), path).toBe(dark);
    await expect(theme(page, "Dark")).toBeChecked();
    await expectAccessible(page, { rules: ["color-contrast"] });
  }
  await page.emulateMedia({ colorScheme: "dark" });
  await theme(page, "Light").check();
  await page.reload();
  expect(await background(page)).toBe(light);
  await theme(page, "System").check();
  expect(await background(page)).toBe(dark);
  await page.reload();
  expect(await background(page)).toBe(dark);
});

/** Returns a picture with metadata, like one from a camera. */
async function photograph(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate(() => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [640, 480];
    const context = canvas.getContext("2d");
    context?.fillRect(0, 0, 320, 480);
    return canvas.toDataURL("image/png").split(",")[1] ?? "";
  });
  return Buffer.from(base64, "base64");
}

test("shows the user's chosen name and picture on every page", async ({ page, wallet }) => {
  await page.goto("/");
  const header = page.getByRole("banner");
  await expect(header.getByRole("link", { name: "Sign in" })).toBeVisible();
  await wallet.signIn(page);
  const user = await readUserId(page);
  for (const path of ["/", "/docs", "/fast", "/dashboard", "/nothing-here"]) {
    await page.goto(path);
    await expect(header.getByRole("link", { name: `User ${user}` }), path).toBeVisible();
    await expect(header.getByRole("link", { name: "Sign in" }), path).toHaveCount(0);
  }

  await page.goto("/dashboard");
  await page.getByRole("button", { name: "Add your name" }).click();
  const dialog = page.getByRole("dialog", { name: "Your profile" });
  await dialog.getByLabel("Name").fill("Ada Lovelace");
  const file = { name: "photo.png", mimeType: "image/png", buffer: await photograph(page) };
  await dialog.getByLabel("Choose picture").setInputFiles(file);
  await expect(dialog.locator("img")).toHaveAttribute("src", /^data:image\/jpeg/);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Ada Lovelace");
  await page.goto("/docs");
  const link = header.getByRole("link", { name: /^Ada Lovelace/ });
  const width = () => link.locator("img").evaluate((image: HTMLImageElement) => image.naturalWidth);
  await expect.poll(width).toBe(256);

  await link.click();
  await page.getByRole("button", { name: "Edit profile" }).click();
  const unreadable = { name: "notes.png", mimeType: "image/png", buffer: Buffer.from("no picture") };
  await dialog.getByLabel("Change picture").setInputFiles(unreadable);
  await expect(dialog.getByRole("status")).toContainText("cannot read that picture");
  await dialog.getByRole("button", { name: "Remove picture" }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  await expect(header.locator("img")).toHaveCount(0);

  await header.getByRole("button", { name: "Sign out" }).click();
  await expect(header.getByRole("link", { name: "Sign in" })).toBeVisible();
});

/**
 * On a busy machine, the browser might paint a page that it has only partly parsed: an empty header is narrower, which
 * adds 0.005. If anything visible moves, it adds more.
 */
const STILL = 0.01;

test("does not shift the layout while a page loads", async ({ page, wallet }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const shifts = await watchShifts(page);
  const expectNoLayoutShift = async (path: string) => {
    await page.goto(path);
    if (/^\/(login|register|fast)/.test(path)) await readShownCode(page);
    else await page.waitForLoadState("networkidle");
    // The steps that the server performs appear after the code.
    if (path === "/login/hosted") await expect(page.getByText("Response 201")).toBeVisible();
    expect(await shifts(), path).toBeLessThan(STILL);
  };
  for (const path of ["/", "/login", "/register", "/fast", "/login/hosted", "/recover", "/wallet"]) {
    await expectNoLayoutShift(path);
  }
  await wallet.signIn(page);
  for (const path of ["/", "/nothing-here", "/docs", "/docs/api", "/dashboard", "/console/test"]) {
    await expectNoLayoutShift(path);
  }
});

test("explains in each card which features need JavaScript", async ({ newPage }) => {
  const page = await newPage({ javaScriptEnabled: false });
  for (const path of [
    "/",
    "/login",
    "/login/hosted",
    "/recover",
    "/wallet",
    "/conformance",
    "/cheat",
    "/docs/guides/api",
  ]) {
    await page.goto(path);
    const isCard = !/^\/(docs|$)/.test(path);
    await expect(page.locator("main noscript div"), path).toHaveCount(isCard ? 1 : 0);
    await expect(page.getByRole("main").locator("button:disabled:visible"), path).toHaveCount(0);
    await expect(page.getByRole("link", { name: "Open in wallet" })).toBeHidden();
  }
  await page.getByRole("banner").getByRole("link", { name: "Docs" }).click();
  await expect(page).toHaveURL(/\/docs/);
});

test("provides a preview card for a link to any page", async ({ page }) => {
  const icons = ["/favicon.ico", "/favicon.svg", "/apple-touch-icon.png"];
  for (const path of icons) expect((await page.request.get(path)).status(), path).toBe(200);
  await page.goto("/login");
  await readShownCode(page);
  const card = await page.locator('meta[property="og:image"]').getAttribute("content");
  const { pathname } = new URL(card ?? "");
  expect((await page.request.get(pathname)).headers()["content-type"]).toBe("image/png");
  await expect(page.locator('meta[name="twitter:card"]')).toHaveAttribute("content", "summary_large_image");
  await expect(page.getByRole("contentinfo").getByRole("link", { name: "Source" })).toBeVisible();
  await page.getByRole("contentinfo").getByRole("link", { name: "MIT licence" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Licence" })).toBeVisible();
});
