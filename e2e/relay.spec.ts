import type { Page } from "playwright/test";
import { expectAccessibleInAllViews } from "./support/accessible.ts";
import { approve, openCode, openNewWallet } from "./support/browser-wallet.ts";
import { APP_URL, expect, issueCode, readShownCode, signIn, test } from "./support/fixtures.ts";

/**
 * In these tests, a code is relayed: the victim's wallet, the domain and the signature are all correct, but the browser
 * belongs to the attacker.
 */

const WINDOWS_CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

/** On a different network from the tests' other browsers. */
const ATTACKER = { userAgent: WINDOWS_CHROME, extraHTTPHeaders: { "X-Forwarded-For": "203.0.113.7" } };

/** Makes the attacker open the login page and show the page's code on a page of their own. */
async function relay(attacker: Page, victim: Page): Promise<void> {
  await attacker.goto("/login");
  const { text } = await readShownCode(attacker);
  await victim.goto("about:blank");
  await victim.setContent(
    `<h1>You have won</h1><a href="${APP_URL}/wallet#${encodeURIComponent(text)}">Open</a>`,
  );
  await victim.getByRole("link").click();
}

test("reports that a relayed code comes from another network, and lets the user undo the login", async ({
  page: wallet,
  newPage,
}) => {
  await openNewWallet(wallet);
  const ownCode = await issueCode(wallet);
  await openCode(wallet, ownCode.qr);
  await expect(wallet.getByText(/^A browser on Linux, /)).toBeVisible();
  await expect(wallet.getByText(/another network/)).toHaveCount(0);
  await approve(wallet);
  await expect(wallet.getByRole("button", { name: "Undo: sign it out" })).toBeVisible();
  await signIn(wallet, ownCode.sid);

  const attacker = await newPage(ATTACKER);
  await relay(attacker, wallet);
  await expect(wallet.getByText(/^Chrome on Windows, /)).toBeVisible();
  await expect(
    wallet.getByText(
      "The code was requested from another network. If you did not open this page yourself, decline.",
    ),
  ).toBeVisible();
  await expectAccessibleInAllViews(wallet);
  await approve(wallet);
  await expect(
    wallet.getByText("Approved. Chrome on Windows is being signed in. It is new to your account.").last(),
  ).toBeVisible();
  await expect(attacker).toHaveURL(/\/dashboard$/);

  // The undo button is still on the wallet's start page.
  await wallet.getByRole("button", { name: "Done" }).click();
  await expect(wallet.getByText("You approved localhost for Chrome on Windows.")).toBeVisible();
  await expectAccessibleInAllViews(wallet);
  await wallet.getByRole("button", { name: "Undo: sign it out" }).click();
  await expect(wallet.getByText("That browser is signed out.")).toBeVisible();
  await attacker.reload();
  await expect(attacker).not.toHaveURL(/\/dashboard/);

  // Another of the user's browsers also shows the login and can end it.
  await relay(attacker, wallet);
  await approve(wallet);
  await expect(attacker).toHaveURL(/\/dashboard$/);
  await wallet.goto("/dashboard");
  const notice = wallet.getByRole("region", { name: "One thing happened since you were last here" });
  await expect(notice.getByText(/Chrome on Windows/)).toBeVisible();
  await notice.getByRole("button", { name: "Not me: A new browser signed in" }).click();
  await expectAccessibleInAllViews(wallet);
  await wallet.getByRole("dialog").getByRole("button", { name: "Sign it out" }).click();
  await expect(notice).toHaveCount(0);
  await attacker.reload();
  await expect(attacker).not.toHaveURL(/\/dashboard/);
});
