import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright/test";
import { expectAccessible } from "./support/accessible.ts";
import { approve, makePassphraseWallet, makeWallet, openCode } from "./support/browser-wallet.ts";
import { expect, shownCode, test } from "./support/fixtures.ts";

/** Opens the wallet on the code of `page`, as its link does; approves. */
async function approveInDemoWallet(page: Page): Promise<Page> {
  await shownCode(page);
  const [wallet] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("link", { name: /Try with the demo wallet/ }).click(),
  ]);
  const words = wallet.getByRole("button", { name: "Show my words" });
  const question = wallet.getByRole("button", { name: "Approve" });
  await expect(words.or(question)).toBeVisible();
  if (await words.isVisible()) await makePassphraseWallet(wallet);
  await expect(wallet.getByText("localhost").first()).toBeVisible();
  await expectAccessible(wallet);
  await approve(wallet);
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
  await makeWallet(wallet);
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

test("a code that would answer to another host is refused, unless that host is trusted for that domain by hand", async ({
  page,
  context,
}) => {
  await page.goto("/register");
  const { session, challenge, webhook } = await shownCode(page);
  const code = (host: string) =>
    `svc://auth?${new URLSearchParams({ webhook: webhook.replace("localhost", host), session, challenge, ts: challenge.split(":")[3] ?? "" })}`;
  const wallet = await context.newPage();
  await openCode(wallet, code("evil.example"));
  await makeWallet(wallet);
  await expect(wallet.getByRole("button", { name: "Approve" })).toHaveCount(0);

  // The same machine by another name: another host to a wallet.
  await page.reload();
  const renewed = await shownCode(page);
  const elsewhere = `svc://auth?${new URLSearchParams({ ...renewed, webhook: renewed.webhook.replace("localhost", "127.0.0.1") })}`;
  await openCode(wallet, elsewhere);
  await wallet.getByRole("button", { name: "Check with the site" }).click();
  await expect(wallet.getByText(/answer would go to 127\.0\.0\.1/).first()).toBeVisible();
  await expect(wallet.getByRole("button", { name: "Approve" })).toHaveCount(0);
  await wallet.getByRole("button", { name: "Does the site use a login service?" }).click();
  await expectAccessible(wallet);
  await wallet.getByRole("button", { name: "Trust it" }).click();
  await expect(wallet.getByText("a login service that you trust")).toBeVisible();
  await approve(wallet);
  await expect(page).toHaveURL(/\/dashboard$/);
  await wallet.getByRole("button", { name: "Done" }).click();
  await openCode(wallet, elsewhere.replaceAll("localhost", "example.com"));
  await expect(
    wallet.getByText(/for example\.com, but the answer would go to 127\.0\.0\.1/).first(),
  ).toBeVisible();
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
