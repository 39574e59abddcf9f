import { VirtualWallet } from "@svc/login/testing";
import { expect, type Page, test } from "playwright/test";

/** The payload of the code on the page, as a phone would scan it. */
async function payloadOn(page: Page): Promise<string> {
  const link = page.getByRole("link", { name: "Open in wallet" });
  await expect(link).toHaveAttribute("href", /^svc:/);
  return (await link.getAttribute("href")) ?? "";
}

test("a wallet registers, signs out, and signs in again", async ({ page }) => {
  const wallet = new VirtualWallet();
  await page.goto("/register");
  expect(await wallet.respond(await payloadOn(page))).toBe(200);
  await expect(page.getByText(/signed in as user/)).toBeVisible();

  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("/");
  await page.goto("/login?callbackUrl=/dashboard");
  expect(await wallet.respond(await payloadOn(page))).toBe(200);
  await expect(page.getByText(/signed in as user/)).toBeVisible();
});

test("the dashboard asks a stranger to sign in", async ({ page }) => {
  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/login\?callbackUrl=/);
});

test("a wallet without an account is told so, and nobody is signed in", async ({ page }) => {
  await page.goto("/login");
  expect(await new VirtualWallet().respond(await payloadOn(page))).toBe(404);
  await expect(page.getByRole("link", { name: "Create an account with this wallet" })).toBeVisible();
  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/login/);
});
