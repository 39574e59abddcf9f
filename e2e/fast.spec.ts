import { expectAccessible, expectAccessibleInAllViews } from "./support/accessible.ts";
import { approve, createWallet } from "./support/browser-wallet.ts";
import { expect, readSession, readShownCode, test } from "./support/fixtures.ts";
import {
  advanceToNextPoll,
  openDashboardFast,
  openDemoWallet,
  openFastPage,
  signInFast,
} from "./support/page.ts";

// packages/wallet/bitcoin-address.test.ts tests what a wallet signs for each type of address.
test("signs in with the address that was chosen in the demo wallet", async ({ page }) => {
  await openFastPage(page);
  const wallet = await openDemoWallet(page);
  await createWallet(wallet);
  const choice = wallet.getByRole("radio", { name: "Nested SegWit (older format)" });
  await choice.check();
  const address = /(bc1|[13])[A-Za-z0-9]{25,}/;
  const label = wallet.locator("label", { has: choice });
  await expect(label).toContainText(address);
  const shownAddress = address.exec((await label.textContent()) ?? "")?.[0] ?? "";
  await expectAccessible(wallet);
  await approve(wallet);
  await expect(wallet.getByText(/it is being signed in/).first()).toBeVisible();
  await advanceToNextPoll(page);
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByText(shownAddress).first()).toBeVisible();
  // A browser that is already signed in does not get a code.
  await page.goto("/fast");
  await expect(page).toHaveURL(/\/dashboard$/);
});

test("adds a Bitcoin address after a confirmation, and renames and removes it", async ({
  page,
  newPage,
  newWallet,
}) => {
  const [first, second] = [newWallet(), newWallet({ addressType: "p2pkh" })];
  const user = await signInFast(page, first);
  await page.goto("/dashboard");
  const list = page.getByRole("region", { name: "Sign-in methods" });
  await expect(list.getByRole("button", { name: /^Remove/ })).toHaveCount(0);

  await page.clock.install();
  await page.getByRole("link", { name: "Add an address" }).click();
  await expect(page).toHaveURL(/\/dashboard\/add\?kind=address$/);
  await second.approve(page);
  await advanceToNextPoll(page);
  await expect(page.getByRole("heading", { name: "Is this your address?" })).toBeVisible();
  await expect(page.getByText(second.address)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Add it" }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  const rename = list.getByRole("button", { name: new RegExp(`^Rename .*${second.address}$`) });
  await expect(rename).toBeVisible();
  await expectAccessible(page);

  const otherPage = await newPage();
  await openDashboardFast(otherPage, second);
  await otherPage.getByRole("button", { name: "Continue" }).click();
  await expect(otherPage).toHaveURL(/\/dashboard$/);
  await expect(otherPage.getByRole("heading", { name: `User ${user}` })).toBeVisible();

  await rename.click();
  await list.getByRole("textbox", { name: "Name" }).fill("Old ledger");
  await list.getByRole("button", { name: "Save" }).click();
  await expect(list.getByText("Old ledger")).toBeVisible();

  await list.getByRole("button", { name: "Remove Old ledger" }).click();
  await list.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
  await expect(list.getByText(second.address)).toHaveCount(0);
  await expect(list.getByRole("button", { name: /^Remove/ })).toHaveCount(0);
  expect(await readSession(otherPage)).toEqual({});

  await page.goto("/dashboard/add?kind=address");
  const stranger = newWallet();
  await stranger.approve(page);
  await advanceToNextPoll(page);
  await page.getByRole("link", { name: "Not mine" }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByText(stranger.address)).toHaveCount(0);

  await signInFast(otherPage, stranger);
  await page.goto("/dashboard/add?kind=address");
  await stranger.approve(page);
  await advanceToNextPoll(page);
  await expect(page.getByRole("heading", { name: "This address belongs to another account" })).toBeVisible();
});

test("shows the owner of a Bitcoin address accessible account pages that fit the viewport", async ({
  page,
  wallet,
}) => {
  await page.goto("/fast?problem=not-signed-in");
  await expect(page.getByText(/That sign-in was started in another browser/)).toBeVisible();
  await page.goto("/fast?problem=unregistered");
  await readShownCode(page);
  await expect(page.getByRole("img", { name: /^QR code: sign in to localhost/ })).toBeVisible();
  await expectAccessibleInAllViews(page);
  await signInFast(page, wallet);
  for (const path of [
    "/dashboard",
    "/dashboard/add?kind=address",
    "/dashboard/add?kind=wallet",
    "/dashboard/add/confirm",
  ]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    for (const summary of await page.locator("main summary").all()) await summary.click();
    await expectAccessibleInAllViews(page);
  }
});
