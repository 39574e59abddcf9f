import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright/test";
import { expectAccessible, expectPresentable } from "./support/accessible.ts";
import { approve, makeWallet } from "./support/browser-wallet.ts";
import { enterFast, openDashboardFast, openFast, POLLED, signInFast } from "./support/fast-page.ts";
import { expect, shownCode, test } from "./support/fixtures.ts";
import { nextPoll } from "./support/next-poll.ts";

test.describe("fast login", () => {
  // Of each type: app/api/fastauth/fastauth.integration.test.ts.
  test("an address signs in, and again as the same user, and sees no code while it is", async ({
    page,
    browser,
    wallet,
  }) => {
    const user = await signInFast(page, wallet);
    await expect(page.getByText(wallet.address).first()).toBeVisible();
    const other = await browser.newContext();
    expect(await enterFast(other, wallet)).toBe(user);
    await other.close();
    await page.goto("/fast");
    await expect(page).toHaveURL(/\/dashboard$/);
  });

  test("the code is renewed every 30 seconds, and the one before still signs in", async ({
    page,
    wallet,
  }) => {
    const before = await openFast(page);
    await page.clock.runFor(31_000);
    await expect.poll(async () => (await shownCode(page)).text).not.toBe(before);
    await wallet.approve(before);
    await nextPoll(page);
    await expect(page).toHaveURL(/\/dashboard$/, POLLED);
  });

  test("an answer that comes while the code is renewed is not lost", async ({ page, wallet }) => {
    await openFast(page);
    // The poll says nothing, so that the renewal is the first to hear of it.
    await page.route("**/api/checkfast?**", async (route) => {
      if (asked) return route.continue();
      await route.fulfill({ json: { sid: "x", status: 0 } });
    });
    let asked = false;
    await page.route("**/api/getqrcode?**", async (route) => {
      asked = true;
      await route.continue();
    });
    await wallet.approve(page);
    await page.clock.runFor(31_000);
    await expect(page).toHaveURL(/\/dashboard$/, POLLED);
  });

  test("/dashboard?sid= signs in the bound browser without script, and takes the sid away", async ({
    browser,
    wallet,
  }) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await openDashboardFast(page, wallet);
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(page.getByText(wallet.address).first()).toBeVisible();
    await context.close();
  });

  test("/dashboard?sid= of another browser signs nobody in, and says so calmly", async ({
    page,
    browser,
  }) => {
    const { sid } = await (await page.request.get("/api/getqrcode")).json();
    const thief = await browser.newContext();
    const stolen = await thief.newPage();
    await stolen.goto(`/dashboard?sid=${sid}`);
    await expect(stolen).toHaveURL(/\/fast\?problem=not-signed-in$/);
    await expect(stolen.getByText(/That login was not for this browser/)).toBeVisible();
    await thief.close();
  });

  test("a camera that opens the code lands on a page, and signs nobody in", async ({ page, browser }) => {
    const { qr } = await (await page.request.get("/api/getqrcode")).json();
    const phone = await browser.newContext();
    const opened = await phone.newPage();
    await opened.goto(qr);
    await expect(opened.getByRole("heading", { name: "localhost" })).toBeVisible();
    await expect(opened.getByRole("button", { name: "Copy the code for a wallet" })).toBeVisible();
    await expectAccessible(opened);
    await phone.close();
  });

  // What each type signs: lib/wallet/bitcoin-address.test.ts.
  test("the demo wallet signs in with the address that was chosen", async ({ page }) => {
    await openFast(page);
    const [wallet] = await Promise.all([
      page.waitForEvent("popup"),
      page.getByRole("link", { name: /Try with the demo wallet/ }).click(),
    ]);
    await makeWallet(wallet);
    const choice = wallet.getByRole("radio", { name: "SegWit, older form" });
    await choice.check();
    const address = /(bc1|[13])[A-Za-z0-9]{25,}/;
    const label = wallet.locator("label", { has: choice });
    await expect(label).toContainText(address);
    const shown = address.exec((await label.textContent()) ?? "")?.[0] ?? "";
    await expectAccessible(wallet);
    await approve(wallet);
    await expect(wallet.getByText(/it is being signed in/).first()).toBeVisible();
    await nextPoll(page);
    await expect(page).toHaveURL(/\/dashboard$/, POLLED);
    await expect(page.getByText(shown).first()).toBeVisible();
  });

  test("the command line's wallet signs in with each type of address", async ({ page }) => {
    const folder = mkdtempSync(join(tmpdir(), "svc-wallet-"));
    const fast = (url: string, ...args: string[]) =>
      runWallet(["fast", url, ...args, "--seed-file", join(folder, "seed.json")]);
    const addresses = new Set<string>();
    try {
      for (const type of ["p2wpkh", "p2sh-p2wpkh", "p2pkh"]) {
        const { qr, sid } = await (await page.request.get("/api/getqrcode")).json();
        const { code, output } = await fast(qr, "--address-type", type);
        expect(output).toContain("localhost");
        expect(code).toBe(0);
        const dashboard = await (await page.request.get(`/dashboard?sid=${sid}`)).text();
        addresses.add(/>((?:bc1|[13])[A-Za-z0-9]{25,})</.exec(dashboard)?.[1] ?? "");
        await page.context().clearCookies();
        if (addresses.size < 3) continue;
        // The same code again: the service's own words, and the exit status that says no.
        const again = await fast(qr);
        expect(again.code).toBe(1);
        expect(again.output).toContain("no challenge found");
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    expect([...addresses].map((address) => address.slice(0, 1))).toEqual(["b", "3", "1"]);
  });
});

/** Adds what answered. */
async function confirmAddition(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Add it" }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
}

test.describe("ways to sign in", () => {
  test("an address is added to a wallet's account after a look at it, named, and removed", async ({
    page,
    browser,
    newWallet,
  }) => {
    const [first, second] = [newWallet(), newWallet({ addressType: "p2pkh" })];
    const user = await enterFast(page, first);
    await page.goto("/dashboard");
    const list = page.getByRole("region", { name: "Ways to sign in" });
    await expect(list.getByRole("button", { name: /^Remove/ })).toHaveCount(0);

    await page.clock.install();
    await page.getByRole("link", { name: "Add an address" }).click();
    await expect(page).toHaveURL(/\/dashboard\/add\?kind=address$/);
    await second.approve(page);
    await nextPoll(page);
    await expect(page.getByRole("heading", { name: "Is this your address?" })).toBeVisible(POLLED);
    await expect(page.getByText(second.address)).toBeVisible();
    await expectAccessible(page);
    await confirmAddition(page);
    const rename = list.getByRole("button", { name: new RegExp(`^Rename .*${second.address}$`) });
    await expect(rename).toBeVisible();
    await expectAccessible(page);

    const other = await browser.newContext();
    const elsewhere = await other.newPage();
    await openDashboardFast(elsewhere, second);
    await elsewhere.getByRole("button", { name: "Continue" }).click();
    await expect(elsewhere).toHaveURL(/\/dashboard$/);
    await expect(elsewhere.getByRole("heading", { name: `User ${user}` })).toBeVisible();

    await rename.click();
    await list.getByRole("textbox", { name: "Name" }).fill("Old ledger");
    await list.getByRole("button", { name: "Save" }).click();
    await expect(list.getByText("Old ledger")).toBeVisible();

    await list.getByRole("button", { name: "Remove Old ledger" }).click();
    await list.getByRole("button", { name: "Yes, remove" }).click();
    await expect(list.getByText(second.address)).toHaveCount(0);
    await expect(list.getByRole("button", { name: /^Remove/ })).toHaveCount(0);
    expect(await (await other.request.get("/api/auth/session")).json()).toEqual({});
    await other.close();
  });

  test("a wallet's key is added to an address's account, without an account of its own", async ({
    page,
    browser,
    wallet,
    newWallet,
  }) => {
    const user = await enterFast(page, newWallet());
    await page.clock.install();
    await page.goto("/dashboard");
    await page.getByRole("link", { name: "Add another wallet" }).click();
    await wallet.approve(page);
    await nextPoll(page);
    await expect(page.getByRole("heading", { name: "Is this your wallet?" })).toBeVisible(POLLED);
    await confirmAddition(page);
    const other = await browser.newContext();
    const tab = await other.newPage();
    await tab.goto(await wallet.signIn(tab));
    await tab.getByRole("button", { name: "Continue" }).click();
    await expect(tab).toHaveURL(/\/dashboard$/);
    expect((await (await tab.request.get("/api/auth/session")).json()).user.id).toBe(user);
    await other.close();
  });

  test("what answered the code is not added when it is not the user's, nor when another account has it", async ({
    page,
    browser,
    newWallet,
  }) => {
    const taken = newWallet();
    const other = await browser.newContext();
    await enterFast(other, taken);
    await other.close();

    await enterFast(page, newWallet());
    await page.clock.install();
    await page.goto("/dashboard/add?kind=address");
    const stranger = newWallet();
    await stranger.approve(page);
    await nextPoll(page);
    await page.getByRole("link", { name: "Not mine" }).click();
    await expect(page).toHaveURL(/\/dashboard$/, POLLED);
    await expect(page.getByText(stranger.address)).toHaveCount(0);

    await page.goto("/dashboard/add?kind=address");
    await taken.approve(page);
    await nextPoll(page);
    await expect(page.getByRole("heading", { name: "This belongs to another account" })).toBeVisible(POLLED);
  });
});

test("what an address's holder sees is accessible and fits, narrow and wide, light and dark", async ({
  page,
  wallet,
}) => {
  await page.goto("/fast?problem=unregistered");
  await shownCode(page);
  await expect(page.getByRole("img", { name: /^QR code: sign in to localhost/ })).toBeVisible();
  await expectPresentable(page);
  await enterFast(page, wallet);
  for (const path of [
    "/dashboard",
    "/dashboard/add?kind=address",
    "/dashboard/add?kind=wallet",
    "/dashboard/add/confirm",
  ]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectPresentable(page);
  }
});

type Run = { code: number; output: string };

/** `wallet` as a person runs it, with the Node that runs the tests. */
function runWallet(args: string[]): Promise<Run> {
  const script = join(import.meta.dirname, "..", "scripts", "wallet.ts");
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr });
    });
  });
}
