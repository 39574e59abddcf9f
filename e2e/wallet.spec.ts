import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright/test";
import { expectAccessible } from "./support/accessible.ts";
import { approve, makePassphraseWallet, makeWallet, openCode } from "./support/browser-wallet.ts";
import { enter, expect, issueCode, shownCode, statusOf, test } from "./support/fixtures.ts";

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

test("declining tells the service nothing", async ({ page: wallet }) => {
  const { sid, qr } = await issueCode(wallet, "login");
  await openCode(wallet, qr);
  await makeWallet(wallet);
  const sent: string[] = [];
  wallet.on("request", (request) => {
    if (request.method() === "POST") sent.push(request.url());
  });
  await wallet.getByRole("button", { name: "Decline" }).click();
  await expect(wallet.getByRole("status")).not.toBeEmpty();
  expect(sent).toEqual([]);
  expect(await statusOf(wallet, sid)).toEqual({ status: "pending" });
});

test("a code that would answer to another host is refused, unless that host is trusted for that domain by hand", async ({
  page: wallet,
}) => {
  const answeredAt = (host: string, qr: string) =>
    qr.replace("webhook=http%3A%2F%2Flocalhost", `webhook=http%3A%2F%2F${host}`);
  await openCode(wallet, answeredAt("evil.example", (await issueCode(wallet)).qr));
  await makeWallet(wallet);
  await expect(wallet.getByRole("button", { name: "Approve" })).toHaveCount(0);

  // The same machine by another name: another host to a wallet.
  const { sid, qr } = await issueCode(wallet);
  const elsewhere = answeredAt("127.0.0.1", qr);
  await openCode(wallet, elsewhere);
  await wallet.getByRole("button", { name: "Check with the site" }).click();
  await expect(wallet.getByText(/answer would go to 127\.0\.0\.1/).first()).toBeVisible();
  await expect(wallet.getByRole("button", { name: "Approve" })).toHaveCount(0);
  await wallet.getByRole("button", { name: "Does the site use a login service?" }).click();
  await expectAccessible(wallet);
  await wallet.getByRole("button", { name: "Trust it" }).click();
  await expect(wallet.getByText("a login service that you trust")).toBeVisible();
  await approve(wallet);
  await expect.poll(() => statusOf(wallet, sid)).toMatchObject({ status: "authenticated" });
  await wallet.getByRole("button", { name: "Done" }).click();
  await openCode(wallet, elsewhere.replaceAll("localhost", "example.com"));
  await expect(
    wallet.getByText(/for example\.com, but the answer would go to 127\.0\.0\.1/).first(),
  ).toBeVisible();
});

test("the command line's wallet registers and signs in", async ({ request }) => {
  const folder = mkdtempSync(join(tmpdir(), "svc-wallet-"));
  const run = async (mode: "login" | "register") => {
    const { sid, qr } = await issueCode({ request }, mode);
    return { sid, code: await runWallet([mode, qr, "--seed-file", join(folder, "seed.json")]) };
  };
  try {
    expect(await run("login")).toMatchObject({ code: 1 });
    const first = await run("register");
    expect(first.code).toBe(0);
    const user = await enter({ request }, first.sid);
    const second = await run("login");
    expect(second.code).toBe(0);
    expect(await enter({ request }, second.sid)).toBe(user);
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
