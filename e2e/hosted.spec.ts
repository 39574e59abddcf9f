import type { Page } from "playwright/test";
import { expectAccessible, expectAccessibleInAllViews } from "./support/accessible.ts";
import { expect, readShownCode, readUserId, test } from "./support/fixtures.ts";
import { pollUntilUrl, trialApproval, trialWallet, watchShifts } from "./support/page.ts";

const toDashboard = (page: Page) => page.getByRole("link", { name: "Open your dashboard" });

test("signs in a new wallet through the hosted flow and recognises it the next time", async ({
  page,
  newPage,
  wallet,
}) => {
  await page.goto("/login/hosted");
  const { webhook, challenge } = await readShownCode(page);
  expect(webhook).toContain("/webhook/sessions/");
  expect(challenge).toMatch(/^svc:login:localhost:/);
  const behind = page.getByRole("region", { name: "Behind the scenes" });
  await expect(behind.getByText(/^\/sandbox\/v1\/sessions: 201 in \d+ ms$/)).toBeVisible();
  await expect(behind.getByText(/Authorization: Bearer svc_test_…/)).toBeVisible();
  await expectAccessible(page);
  await wallet.approve(page);
  // Without a callback URL, the visitor stays on the page and sees the last steps.
  await expect(toDashboard(page)).toBeVisible();
  for (const step of [/^Accepted at/, /^Signature verified: 204 in \d+ ms$/, /^Redeemed at/]) {
    await expect(behind.getByText(step)).toBeVisible();
  }
  await expectAccessibleInAllViews(page);
  const user = await readUserId(page);
  await expect(page.getByRole("banner")).toContainText(`User ${user}`);
  await toDashboard(page).click();
  await expect(page).toHaveURL(/\/dashboard$/);

  const other = await newPage();
  await other.clock.install();
  await other.goto("/login/hosted?callbackUrl=/console/test/keys");
  await wallet.approve(other);
  await pollUntilUrl(other, /^[^?]*\/console\/test\/keys$/);
  expect(await readUserId(other)).toBe(user);
});

test("does not shift the layout around the temporary wallet", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const shifts = await watchShifts(page);
  await page.goto("/login/hosted");
  await page.getByRole("button", { name: "Try it in this tab" }).click();
  const phone = trialWallet(page);
  await trialApproval(page).click();
  await expect(phone.getByText("This browser is signed in.")).toBeVisible();
  await expect(page.getByText(/^Redeemed at/)).toBeInViewport();
  await expect(toDashboard(page)).toBeInViewport();
  // The limit for a good score in Web Vitals.
  expect(await shifts()).toBeLessThan(0.1);
  await phone.getByRole("button", { name: "Undo: sign it out" }).click();
  await readShownCode(page);
  await expect(page.getByRole("banner").getByRole("link", { name: "Sign in" })).toBeVisible();
});
