import { expect, shownCode, test } from "@svc/wallet/testing/playwright";
import type { Page } from "playwright/test";
import encodeQR from "qr";
import { APP_URL } from "./support/fixtures.ts";

/** `@svc/login/playwright` provides these wallets for testing other sites (docs/testing-your-site.md). */

const REGISTER = "/register";
const ACCOUNT = "/dashboard";

async function open(page: Page, body: string): Promise<void> {
  await page.route("**/their-page", (route) => route.fulfill({ contentType: "text/html", body }));
  await page.goto("/their-page");
}

/** Bound to the page's browser. */
async function issue(page: Page): Promise<string> {
  return (await (await page.request.get("/api/svc/qr?mode=register")).json()).qr;
}

const link = (code: string) => `<p><a href="${code.replaceAll("&", "&amp;")}">Open</a></p>`;

test("refuses an unknown wallet and a forged signature", async ({ page, wallet, newWallet }) => {
  await page.goto("/login");
  expect(await wallet.answer(page)).toMatchObject({ status: 404, code: "user_not_found" });
  await expect(page.getByRole("status")).toContainText("no account here yet");

  await page.goto(REGISTER);
  expect(await newWallet().forge(page)).toMatchObject({ status: 406, code: "invalid_signature" });
  await newWallet().approve(page);
  await page.waitForURL(`**${ACCOUNT}`);
});

test("declines without notifying the site, and throws an error with the site's message if the site refuses", async ({
  page,
  wallet,
}) => {
  await page.goto("/login");
  const declined = await shownCode(page);
  await wallet.decline(page);
  const session = new URL(declined).searchParams.get("session");
  const check = await page.request.get(`/api/svc/check?sid=${session}`);
  expect(await check.json()).toEqual({ status: "pending" });

  const code = await issue(page);
  await wallet.approve(code);
  await expect(wallet.approve(code)).rejects.toThrow(/408 challenge_expired .*The code has expired/);
  const { qr } = await (await page.request.get("/api/getqrcode")).json();
  const { status, message } = await wallet.forge(qr);
  expect(`${status} ${message}`).toMatch(/^401 could not verify/);
});

test("shows the account and the key that opened it", async ({ page, wallet }) => {
  await wallet.signIn(page);
  await page.goto("/dashboard");
  await page.getByText("Show the key’s fingerprint").click();
  await expect(page.getByText(wallet.fingerprint("localhost")).first()).toBeVisible();
});

test("reads a code from a picture of the page if no link contains one", async ({
  page,
  wallet,
  newWallet,
}) => {
  const code = await issue(page);
  await open(page, encodeQR(code, "svg", { border: 4, scale: 4 }));
  expect(await shownCode(page)).toBe(code);
  const read = new URL(code).searchParams;
  const query = new URLSearchParams({ s: read.get("session") ?? "", c: read.get("challenge") ?? "" });
  await open(page, link(`${read.get("webhook")}?${query}`));
  await wallet.approve(page);

  const [first, second] = [await issue(page), await issue(page)];
  await open(page, `${link(first)}<main>${link(second)}</main><div hidden>${link(await issue(page))}</div>`);
  await expect(wallet.approve(page)).rejects.toThrow(/shows 2 codes/);
  expect(await shownCode(page.getByRole("main"))).toBe(second);

  const impatientWallet = newWallet({ codeTimeoutMs: 200 });
  await open(page, "<h1>Welcome</h1>");
  await expect(impatientWallet.approve(page)).rejects.toThrow(
    `This page does not show a code:  ${APP_URL}/their-page. No visible link on it is one`,
  );
  await open(page, encodeQR("https://shop.example/menu", "svg", { border: 4, scale: 4 }));
  await expect(impatientWallet.approve(page)).rejects.toThrow(
    'the QR code on it says "https://shop.example/menu"',
  );
});

test("refuses every code that a wallet would refuse", async ({ page, wallet, newWallet }) => {
  const code = await issue(page);
  await open(page, link(code.replace("http%3A%2F%2Flocalhost", "https%3A%2F%2Fevil.example")));
  await expect(wallet.approve(page)).rejects.toThrow("the answer would go to evil.example");
  await open(page, link(code.replaceAll("localhost", "shop.example").replace("http%3A", "https%3A")));
  await expect(wallet.approve(page)).rejects.toThrow("is for shop.example");
  const clearText = code.replace("localhost", "192.0.2.1");
  await expect(wallet.approve(clearText)).rejects.toThrow("would travel to 192.0.2.1 without encryption");
  // Nothing listens at this port of this machine. The wallet trusts the host, so the test fails with the reason.
  const trusting = newWallet({ trustedHosts: ["127.0.0.1"] });
  const otherPortCode = code.replace(/localhost%3A\d+/, "127.0.0.1%3A9");
  await expect(trusting.approve(otherPortCode)).rejects.toThrow("Nothing answers at the webhook of the code");
});

test("signs in with a Bitcoin address through fast login", async ({ page, newWallet }) => {
  const wallet = newWallet({ addressType: "p2pkh" });
  await page.goto("/fast");
  await wallet.approve(page);
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByText(wallet.address).first()).toBeVisible();
});
