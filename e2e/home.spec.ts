import type { BrowserContextOptions, Locator, Page } from "playwright/test";
import { expectAccessible, expectAccessibleInAllViews } from "./support/accessible.ts";
import { backdateApprovals } from "./support/approval.ts";
import { createWallet } from "./support/browser-wallet.ts";
import {
  DATABASE_URL,
  expect,
  openAndListen,
  readSession,
  readShownCode,
  readUserId,
  test,
} from "./support/fixtures.ts";
import { trialApproval as approval, trialWallet as phone } from "./support/page.ts";

const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
};

const receipt = (page: Page) => page.getByRole("region", { name: "You’re signed in" });
const primaries = (scope: Page | Locator) =>
  scope
    .locator(":is(a, button)")
    .filter({ visible: true })
    .evaluateAll((actions) => {
      const probe = document.body.appendChild(document.createElement("i"));
      probe.style.color = "var(--primary)";
      const { color } = getComputedStyle(probe);
      probe.remove();
      return actions
        .filter((action) => getComputedStyle(action).backgroundColor === color)
        .map((action) => action.textContent);
    });
const expectPrimary = (scope: Page | Locator, words: RegExp) =>
  expect.poll(() => primaries(scope)).toEqual([expect.stringMatching(words)]);

async function tryIt(page: Page): Promise<void> {
  await page.goto("/");
  await page.getByRole("button", { name: "Try it now" }).click();
  await expect(approval(page)).toBeEnabled();
}

test("shows an accessible live login that fits the viewport in each state", async ({ page }) => {
  await page.goto("/");
  await expectPrimary(page.getByRole("main"), /^Try it now$/);
  await expectAccessibleInAllViews(page);
  await tryIt(page);
  await expectAccessibleInAllViews(page);
  const registration = page.waitForRequest((request) => request.url().endsWith("/webhook/register"));
  await approval(page).click();
  await expect(receipt(page)).toBeVisible();
  const { challenge, signature } = (await registration).postDataJSON();
  for (const evidence of [challenge, signature.slice(0, 36), /\d ms/, `As user ${await readUserId(page)}`]) {
    await expect(receipt(page)).toContainText(evidence);
  }
  await expect(page.getByRole("banner").getByRole("link", { name: "Sign in" })).toHaveCount(0);
  await expectAccessibleInAllViews(page);
  await page.goto("/");
  await expectPrimary(page.getByRole("main"), /^Open your dashboard$/);
  await expect(page.getByRole("button", { name: "Try it now" })).toHaveCount(0);
});

test("undoes the login from the wallet on the home page", async ({ page }) => {
  await tryIt(page);
  await phone(page).getByRole("button", { name: "Decline" }).click();
  await expect(phone(page)).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Try it now" })).toBeFocused();

  await tryIt(page);
  await approval(page).click();
  await expect(receipt(page)).toBeVisible();
  await phone(page).getByRole("button", { name: "Undo: sign it out" }).click();
  await expect(page.getByRole("heading", { name: "Signed out again" })).toBeVisible();
  await expect(page.getByText("You undid the sign-in")).toBeVisible();
  await expect(page.getByText("That’s it. You’re signed in.")).toHaveCount(0);
  await expect(page.getByRole("banner").getByRole("link", { name: "Sign in" })).toBeVisible();
  expect(await readSession(page)).toEqual({});
});

test("signs in with a wallet created in a phone's browser after its camera opened the code", async ({
  page,
  newPage,
}) => {
  await tryIt(page);
  const phoneBrowser = await newPage(PHONE);
  const useWallet = phoneBrowser.getByRole("link", { name: "Use a wallet in this browser" });
  // If the code is a URL, the camera of a phone without a wallet app opens this URL.
  const scan = async () => {
    await expect(async () => {
      await phoneBrowser.goto((await readShownCode(page)).text);
      // Fails if the code expired while the page was loading. A person then scans the next one, too.
      await expect(useWallet).toBeVisible({ timeout: 5_000 });
    }).toPass();
  };
  await scan();
  await expect(phoneBrowser.getByText("You opened a login code with a camera.")).toBeVisible();
  await expectPrimary(phoneBrowser, /^Use a wallet in this browser$/);
  await expectAccessible(phoneBrowser);
  await useWallet.click();
  await createWallet(phoneBrowser);
  // By now, a person's first code has expired, so they scan the next one.
  await scan();
  await useWallet.click();
  const approve = phoneBrowser.getByRole("button", { name: "Approve" });
  await expect(approve).toBeEnabled();
  await approve.click();
  await expect(phoneBrowser.getByRole("button", { name: "Done" })).toBeVisible();
  // The page that waits for the wallet is on another screen.
  await expect(phoneBrowser.getByRole("link", { name: /^Back to/ })).toHaveCount(0);

  await expect(page.getByText("That’s it. You’re signed in.")).toBeVisible();
  await expect(phone(page)).toContainText("Another wallet approved this code.");
  await expect(approval(page)).toHaveCount(0);
  await expectPrimary(page.getByRole("main"), /^Open your dashboard$/);
  await expectAccessibleInAllViews(page);
  expect(await readUserId(page)).toEqual(expect.any(Number));
});

test("shows success before the page navigates, for a shorter time with reduced motion", async ({
  newPage,
  wallet,
  register,
}) => {
  await register(wallet);
  /** By the page's own clock. */
  const shownMs = async (reducedMotion: "reduce" | "no-preference") => {
    const page = await newPage({ reducedMotion });
    await page.clock.install();
    await openAndListen(page, "/login");
    await readShownCode(page);
    await page.evaluate(() =>
      navigation.addEventListener("navigate", () => sessionStorage.setItem("leftAt", `${Date.now()}`)),
    );
    await page.clock.pauseAt(Date.now() + 1_000);
    const seenAt = await page.evaluate(() => Date.now());
    await wallet.approve(page);
    await expect(page.getByRole("status")).toContainText("You’re signed in");
    await page.clock.runFor(5_000);
    await page.waitForURL(/\/dashboard$/);
    return Number(await page.evaluate(() => sessionStorage.getItem("leftAt"))) - seenAt;
  };
  expect(await shownMs("no-preference")).toBeGreaterThan(500);
  expect(await shownMs("reduce")).toBeLessThan(500);
});

test("leads visitors without a wallet to a page that offers one", async ({ page }) => {
  await page.goto("/login");
  await page.getByRole("link", { name: "No wallet yet? Get one" }).click();
  await expect(page.getByRole("heading", { name: "Get a wallet", level: 1 })).toBeVisible();
  await expectAccessibleInAllViews(page);
  await page.getByRole("link", { name: "Open the wallet" }).click();
  await expect(page).toHaveURL(/\/wallet$/);
});

/** No phone app implements the protocol yet, so a wallet in this browser always comes first. */
async function expectLiving(page: Page, scope: Page | Locator): Promise<void> {
  await expect(scope.getByRole("link", { name: "Open in wallet" })).toBeVisible();
  await expectPrimary(scope, /^(Try it in this tab|(Create a|Open the) wallet in this browser.*)$/);
  await scope.getByRole("link", { name: "Open in wallet" }).click();
  await expect(scope.getByText(/No wallet app opened/)).toBeVisible();
  await expectAccessible(page);
}

test("visibly acknowledges a click on every primary button", async ({ newPage, wallet }) => {
  const phone = await newPage(PHONE);
  // Each path needs a new page. Chromium might ask which app should open the link, and the page receives no clicks
  // until the question is answered.
  for (const path of ["/login", "/register", "/login/hosted", "/dashboard/add"]) {
    const page = await newPage();
    for (const shownPage of [phone, page]) {
      if (path.startsWith("/dashboard")) await wallet.signIn(shownPage);
      await shownPage.goto(path);
      await readShownCode(shownPage);
    }
    const onPhone = phone.getByRole("main");
    await expectPrimary(onPhone, /^(Try it in this tab|Create a wallet in this browser.*)$/);
    // The link keeps its previous name for one more release, because published browser tests look for that name.
    await expect(onPhone.getByRole("link", { name: "Try with the demo wallet" })).toBeVisible();
    await expect(onPhone.getByRole("link", { name: "No wallet yet? Get one" })).toBeVisible();
    // A phone cannot scan its own screen, so the code is hidden.
    await expect(onPhone.getByRole("img", { name: /QR code/ })).toBeHidden();
    await onPhone.getByRole("button", { name: "Show a code for another device" }).click();
    await expect(onPhone.getByRole("img", { name: /QR code/ })).toBeVisible();
    await expectLiving(page, page.getByRole("main"));
  }

  const page = await newPage();
  await wallet.signIn(page);
  await backdateApprovals(DATABASE_URL, await readUserId(page), 601);
  await page.goto("/dashboard/recovery");
  await page.getByRole("button", { name: "Create two codes" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Create recovery codes");
  await readShownCode(page);
  // A new wallet cannot give an approval.
  await expect(dialog.getByRole("link", { name: "Create a wallet" })).toHaveCount(0);
  await expectLiving(page, dialog);
});
