import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright/test";
import { expect, expectAccessible, shownCode, test } from "./support/fixtures.ts";

/** Opens the demo wallet on the code of `page`, as its link does; approves. */
async function approveInDemoWallet(page: Page): Promise<Page> {
  await shownCode(page);
  const [wallet] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("link", { name: /Try with the demo wallet/ }).click(),
  ]);
  const words = wallet.getByRole("button", { name: "Show my words" });
  const approve = wallet.getByRole("button", { name: "Approve" });
  await expect(words.or(approve)).toBeVisible();
  if (await words.isVisible()) {
    await words.click();
    await wallet.getByRole("button", { name: "I wrote them down" }).click();
  }
  await expect(wallet.getByText("localhost").first()).toBeVisible();
  await expectAccessible(wallet);
  await approve.click();
  return wallet;
}

test("the demo wallet registers, and signs in again as the same user", async ({ page }) => {
  await page.goto("/register");
  const wallet = await approveInDemoWallet(page);
  await expect(page).toHaveURL(/\/dashboard$/);
  await wallet.close();
  const user = (await (await page.request.get("/api/auth/session")).json()).user.id;
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(page).not.toHaveURL(/\/dashboard/);

  await page.goto("/login");
  await approveInDemoWallet(page);
  await expect(page).toHaveURL(/\/dashboard$/);
  expect((await (await page.request.get("/api/auth/session")).json()).user.id).toBe(user);
});

test("declining tells the service nothing", async ({ page, context }) => {
  await page.goto("/login");
  const { session } = await shownCode(page);
  const link = page.getByRole("link", { name: /Try with the demo wallet/ });
  const [wallet] = await Promise.all([context.waitForEvent("page"), link.click()]);
  await wallet.getByRole("button", { name: "Show my words" }).click();
  await wallet.getByRole("button", { name: "I wrote them down" }).click();
  const sent: string[] = [];
  wallet.on("request", (request) => {
    if (request.method() === "POST") sent.push(request.url());
  });
  await wallet.getByRole("button", { name: "Decline" }).click();
  await expect(wallet.getByRole("status")).not.toBeEmpty();
  expect(sent).toEqual([]);
  expect(await (await page.request.get(`/api/svc/check?sid=${session}`)).json()).toEqual({
    status: "pending",
  });
});

test("a code that would answer to another host is refused by the wallet", async ({ page }) => {
  await page.goto("/login");
  const { session, challenge } = await shownCode(page);
  const payload = `svc://auth?${new URLSearchParams({ webhook: "https://evil.example/webhook/login", session, challenge, ts: challenge.split(":")[3] ?? "" })}`;
  await page.goto(`/wallet#${encodeURIComponent(payload)}`);
  await page.getByRole("button", { name: "Show my words" }).click();
  await page.getByRole("button", { name: "I wrote them down" }).click();
  await expect(page.getByText(/evil\.example/).first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Approve" })).toHaveCount(0);
});

test("the command line's wallet registers and signs in", async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), "svc-wallet-"));
  const run = async (verb: string) => {
    const link = page.getByRole("link", { name: "Open in wallet" });
    const payload = (await link.getAttribute("href")) ?? "";
    return runWallet([verb, payload, "--seed-file", join(folder, "seed.json")]);
  };
  try {
    await page.goto("/login");
    await shownCode(page);
    expect(await run("login")).toBe(1);
    await page.goto("/register");
    await shownCode(page);
    expect(await run("register")).toBe(0);
    await expect(page).toHaveURL(/\/dashboard$/);
    await page.goto("/login");
    await shownCode(page);
    expect(await run("login")).toBe(0);
    await expect(page).toHaveURL(/\/dashboard$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** The exit code of the command line's wallet. */
function runWallet(args: string[]): Promise<number> {
  const script = join(import.meta.dirname, "..", "scripts", "wallet.ts");
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], (error) => resolve(error ? Number(error.code) : 0));
  });
}
