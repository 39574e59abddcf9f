import type { Page } from "playwright/test";
import { expectAccessibleInAllViews } from "./support/accessible.ts";
import { backdateApprovals } from "./support/approval.ts";
import {
  DATABASE_URL,
  DOMAIN,
  expect,
  readShownCode,
  readUserId,
  test,
  type Wallet,
} from "./support/fixtures.ts";

/** Changes that outlive a browser session need one of the user's keys. */

/** The last approval is then ten minutes old. */
async function expirePageApprovals(page: Page): Promise<void> {
  await backdateApprovals(DATABASE_URL, await readUserId(page), 601);
}

const sessionToken = async (page: Page) =>
  (await page.context().cookies()).find(({ name }) => name.endsWith("next-auth.session-token"))?.value;

const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Approve this change" });

test("shows the code for a new sign-in method on the same page after an approval", async ({
  page,
  wallet,
  newWallet,
}) => {
  await wallet.signIn(page);
  await expirePageApprovals(page);
  const dialog = dialogOf(page);
  // A user who does not approve gets no code for adding a key and returns to the dashboard.
  await page.goto("/dashboard/add?kind=address");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto("/dashboard/add?kind=wallet");
  await expect(dialog).toBeVisible();
  await expect(dialog.getByText("Approve a change to your account at", { exact: true })).toBeVisible();
  await readShownCode(page);
  await expectAccessibleInAllViews(page);

  // The wallet that is being added does not belong to the user yet.
  const addedWallet = newWallet();
  expect(await addedWallet.answer(page)).toMatchObject({ status: 406 });
  await expect(dialog.getByText("That was not your key")).toBeVisible();
  const before = await sessionToken(page);
  await wallet.approve(page);
  await expect(dialog).toBeHidden();
  expect(await sessionToken(page)).not.toBe(before);

  await addedWallet.approve(page);
  await expect(page.getByRole("heading", { name: "Is this your wallet?" })).toBeVisible();
  await page.getByRole("button", { name: "Add it" }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(
    page.getByRole("button", { name: new RegExp(`^Rename .*${addedWallet.fingerprint(DOMAIN)}$`) }),
  ).toBeVisible();
});

test("creates an API key after an approval without losing the typed text", async ({ page, wallet }) => {
  await wallet.signIn(page);
  await expirePageApprovals(page);
  await page.goto("/console/live/keys");
  await page.getByLabel("Name").fill("Laptop");
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = dialogOf(page);
  await expect(dialog).toBeVisible();
  await readShownCode(page);

  // If the user cancels (here with the keyboard), nothing changes and the page says why.
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(page.getByText("Cancelled. Nothing was changed.")).toBeVisible();
  await expect(page.getByLabel("Name")).toHaveValue("Laptop");
  await expect(page.getByText("No key yet")).toBeVisible();

  await page.getByRole("button", { name: "Create key" }).click();
  await expect(dialog).toBeVisible();
  await wallet.approve(page);
  const keyText = page.locator("code", { hasText: /^svc_live_.{43}$/ });
  await expect(keyText).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("Laptop").first()).toBeVisible();
  const key = await keyText.innerText();

  await expirePageApprovals(page);
  await page.goto("/dashboard");
  await page.getByRole("button", { name: "Sign out everywhere" }).click();
  await page.getByLabel("Revoke your API key too").check();
  await expectAccessibleInAllViews(page);
  await page.getByRole("dialog").getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(dialog).toBeVisible();
  await wallet.approve(page);
  await expect(page).toHaveURL(/\/login$/);
  const response = await page.request.get("/v1/domains", { headers: { Authorization: `Bearer ${key}` } });
  expect(response.status()).toBe(401);
});

test("shows changes in all of the user's browsers until they are dismissed there", async ({
  page,
  newPage,
  wallet,
}) => {
  await wallet.signIn(page);
  const other = await newPage();
  await wallet.signIn(other);
  await page.request.post("/api/console/live/keys", { data: { name: "Laptop" } });
  await other.goto("/dashboard");
  const notice = other.getByRole("region", { name: "One thing happened since you were last here" });
  await expect(notice.getByText("API key created")).toBeVisible();
  await expect(notice.getByText(/Laptop \(svc_live_/)).toBeVisible();
  await expectAccessibleInAllViews(other);
  await notice.getByRole("button", { name: "OK: API key created" }).click();
  await expect(notice).toBeHidden();
  await page.goto("/dashboard");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  // The change was made in this browser's session, but not by one of the browser's pages, as if someone had used a copy
  // of the session token.
  await expect(page.getByText("API key created: Laptop").first()).toBeVisible();
});

/** Also advances the clock until the page needs a new code. */
async function signOutElsewhere(page: Page, otherPage: Page, wallet: Wallet): Promise<void> {
  await wallet.signIn(otherPage);
  expect((await otherPage.request.delete("/api/account/sessions")).status()).toBe(204);
  await page.clock.runFor(31_000);
}

test("reports that the sign-in has ended, and stops requesting codes", async ({ page, newPage, wallet }) => {
  await wallet.signIn(page);
  const otherPage = await newPage();
  await page.clock.install();
  await page.goto("/dashboard/add?kind=wallet");
  await readShownCode(page);
  const [list, keys] = [await page.context().newPage(), await page.context().newPage()];
  // Otherwise, this page would check its session when it gets the focus, and would notice that the user is signed out.
  await keys.route("**/api/auth/session", (route) => route.abort());
  await keys.goto("/console/test/keys");
  await list.goto("/console/test/sessions");
  await expect(list.getByText("No session yet")).toBeVisible();
  await signOutElsewhere(page, otherPage, wallet);
  const endedOn = (shown: Page) => shown.getByRole("status").filter({ hasText: "Your sign-in has ended" });
  const ended = endedOn(page);
  const again = page.getByRole("link", { name: "Sign in again" });
  await expect(ended).toBeVisible();
  await expectAccessibleInAllViews(page);
  // The message is also shown in a list, and after a form was submitted.
  await expect(endedOn(list)).toBeVisible();
  await expectAccessibleInAllViews(list);
  await keys.getByLabel("Name").fill("Laptop");
  await keys.getByRole("button", { name: "Create key" }).click();
  await expect(keys.getByRole("alert").filter({ hasText: "Your sign-in has ended." })).toBeVisible();
  await expect(keys.getByRole("link", { name: "Sign in again" })).toHaveAttribute(
    "href",
    "/login?callbackUrl=%2Fconsole%2Ftest%2Fkeys",
  );
  await expect(keys.getByLabel("Name")).toHaveValue("Laptop");
  const response: string[] = [];
  page.on("request", (request) => response.push(new URL(request.url()).pathname));
  await page.clock.runFor(60_000);
  expect(response.filter((path) => path.startsWith("/api/svc/"))).toEqual([]);
  await again.click();
  await expect(page).toHaveURL(/\/login\?/);
  await wallet.approve(page);
  await expect(page).toHaveURL(/\/dashboard\/add\?kind=wallet$/);

  // Check both the dialog that asks for an approval and the change itself.
  await expirePageApprovals(page);
  await page.goto("/dashboard/recovery");
  const make = page.getByRole("button", { name: "Create two codes" });
  await make.click();
  await readShownCode(page);
  await signOutElsewhere(page, otherPage, wallet);
  const dialog = dialogOf(page);
  await expect(dialog.getByText("Your sign-in has ended")).toBeVisible();
  await expect(dialog.getByRole("link", { name: "Sign in again" })).toHaveAttribute(
    "href",
    "/login?callbackUrl=%2Fdashboard%2Frecovery",
  );
  await expectAccessibleInAllViews(page);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await make.click();
  await expect(ended).toBeVisible();
  await expect(again).toHaveAttribute("href", "/login?callbackUrl=%2Fdashboard%2Frecovery");
  await expectAccessibleInAllViews(page);
});
