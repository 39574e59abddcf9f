import { expect, test } from "@svc/login/playwright";
import { fingerprintWords } from "@svc/login/protocol";

const REGISTER = "/register";
const ACCOUNT = "/dashboard";

test("registers a wallet, signs it out, and signs it in again", async ({ page, wallet }) => {
  await page.goto(REGISTER);
  await wallet.approve(page);
  await expect(page.getByText(/signed in as user/)).toBeVisible();

  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("/");
  await page.goto(`/login?callbackUrl=${ACCOUNT}`);
  await wallet.approve(page);
  await expect(page.getByText(/signed in as user/)).toBeVisible();
});

test("does not offer the development wallet", async ({ page }) => {
  await page.goto("/login");
  await expect(page.getByRole("link", { name: "Open in wallet" })).toBeVisible();
  await expect(page.getByText("trial wallet")).toHaveCount(0);
});

test("asks signed-out visitors of the dashboard to sign in", async ({ page }) => {
  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/login\?callbackUrl=/);
});

test("returns 404 to an unknown wallet and offers a registration", async ({ page, wallet }) => {
  await page.goto("/login");
  expect(await wallet.answer(page)).toMatchObject({ status: 404, code: "user_not_found" });
  await expect(page.getByRole("link", { name: "Create an account with this wallet" })).toBeVisible();
  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/login/);
});

test("shows a note only to its user, and keeps it across sign-ins", async ({ page, wallet, newWallet }) => {
  await page.goto("/register");
  await wallet.approve(page);
  await page.getByRole("textbox", { name: "Note" }).fill("remember the milk");
  await page.getByRole("button", { name: "Keep" }).click();
  await expect(page.getByText("remember the milk")).toBeVisible();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("/");
  await page.goto("/register");
  await newWallet().approve(page);
  await expect(page.getByText(/signed in as user/)).toBeVisible();
  await expect(page.getByText("remember the milk")).toHaveCount(0);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("/");
  await page.goto("/login?callbackUrl=/dashboard");
  await wallet.approve(page);
  await expect(page.getByText("remember the milk")).toBeVisible();
});

test("explains why a note cannot be stored and leaves the text in the field", async ({ page, wallet }) => {
  await page.goto("/register");
  await wallet.approve(page);
  await expect(page.getByText(/signed in as user/)).toBeVisible();
  const field = page.getByRole("textbox", { name: "Note" });
  for (const text of ["remember\u0000 the milk", "remember\u0007 the milk"]) {
    await page.goto("/dashboard");
    await field.fill(text);
    await page.getByRole("button", { name: "Keep" }).click();
    await expect(page.getByText("This note has characters that cannot be shown.")).toBeVisible();
    await expect(field).toHaveValue(text);
  }
  await field.fill("remember the milk");
  await page.getByRole("button", { name: "Keep" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "remember the milk" })).toBeVisible();
  await expect(field).toHaveValue("");
  await expect(page.getByText("cannot be shown")).toHaveCount(0);
});

test("shows texts, numbers and times in German to a browser that prefers German", async ({
  browser,
  newWallet,
}) => {
  const viewport = { width: 360, height: 740 };
  const page = await (await browser.newContext({ locale: "de-AT", viewport })).newPage();
  await page.goto("/register");
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await expect(page).toHaveTitle("Konto anlegen · Deine Seite");
  await newWallet().approve(page);
  await expect(page.getByText(/^Du bist als Nutzer \d+ angemeldet\.$/)).toBeVisible();
  const lastUse = page.getByText(/^Zuletzt benutzt/).locator("time");
  await expect(lastUse).toHaveText(/^(gerade eben|vor \d+ Minuten?)$/);
  await expect(lastUse).toHaveAttribute("title", /^\d\d\.\d\d\.\d{4}, \d\d:\d\d$/);
  // German words are longer, but nothing may be wider than the phone's screen.
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
});

test("reports that the session was ended elsewhere, and links to the login", async ({
  page,
  browser,
  wallet,
}) => {
  await page.goto("/register");
  await wallet.approve(page);
  await page.getByRole("textbox", { name: "Note" }).fill("remember the milk");
  const codes = await page.context().newPage();
  await codes.goto("/dashboard/recovery");
  const other = await (await browser.newContext()).newPage();
  await other.goto("/login");
  await wallet.approve(other);
  await other.getByRole("button", { name: "Sign out there" }).click();
  await expect(other.getByText("No other browser is signed in.")).toBeVisible();

  await codes.getByRole("button", { name: "Create two codes" }).click();
  await expect(codes.getByText("Your sign-in has ended.")).toBeVisible();
  await expect(codes.getByRole("link", { name: "Sign in again" })).toHaveAttribute(
    "href",
    "/login?callbackUrl=%2Fdashboard%2Frecovery",
  );
  await page.getByRole("button", { name: "Keep" }).click();
  await expect(page).toHaveURL(/\/login\?callbackUrl=/);
});

test("signs out another browser", async ({ page, browser, wallet }) => {
  await page.goto("/register");
  await wallet.approve(page);
  await expect(page.getByText("this browser")).toBeVisible();
  const other = await (await browser.newContext()).newPage();
  await other.goto("/login");
  await wallet.approve(other);
  await expect(other.getByText(/signed in as user/)).toBeVisible();
  await other.getByRole("button", { name: "Sign out there" }).click();
  await expect(other.getByText("No other browser is signed in.")).toBeVisible();
  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/login/);
});

test("shows a sign-in method with its fingerprint words, and renames it", async ({ page, wallet }) => {
  await page.goto("/register");
  await wallet.approve(page);
  const methods = page.getByRole("region", { name: "Sign-in methods" });
  const words = fingerprintWords(wallet.fingerprint(new URL(page.url()).hostname)) ?? [];
  expect(words).toHaveLength(4);
  await expect(methods.getByText(words.join(" "))).toBeVisible();
  await methods.getByRole("button", { name: "Rename" }).click();
  await methods.getByRole("textbox", { name: "Name" }).fill("The phone");
  await methods.getByRole("button", { name: "Save" }).click();
  await expect(methods.getByText("The phone")).toBeVisible();
  await expect(methods.getByRole("button", { name: "Remove" })).toHaveCount(0);
});

test("shows a visitor without a wallet how to get one", async ({ page }) => {
  await page.goto("/login");
  await page.getByRole("link", { name: "No wallet yet?" }).click();
  await expect(page.getByRole("heading", { name: "Get a wallet" })).toBeVisible();
});

test("restores access with a recovery code and a new wallet, and signs out the old browser", async ({
  page,
  browser,
  wallet,
  newWallet,
}) => {
  await page.goto("/register");
  await wallet.approve(page);
  const user = await page.getByText(/signed in as user/).textContent();
  await expect(page.getByText("1 sign-in method, no codes.")).toBeVisible();
  await page.getByRole("link", { name: "Create recovery codes" }).click();
  await page.getByRole("button", { name: "Create two codes" }).click();
  await expect(page.locator("ol code")).toHaveCount(2);
  const codes = await page.locator("ol code").allTextContents();
  await page.getByRole("button", { name: "I’ve saved them" }).click();
  for (const [place, code] of codes.entries()) await page.getByLabel(`Code ${place + 1}`).fill(code);
  await page.getByRole("button", { name: "Activate them" }).click();
  await expect(page.getByText("Your two codes are now active.")).toBeVisible();

  const other = await (await browser.newContext()).newPage();
  await other.goto("/login");
  await other.getByRole("link", { name: "Recover your account" }).click();
  await other.getByRole("textbox", { name: "Recovery code" }).fill(codes[0] ?? "");
  await other.getByRole("button", { name: "Continue" }).click();
  const found = newWallet();
  await found.approve(other);
  await expect(other.getByText(found.fingerprint(new URL(other.url()).hostname))).toBeVisible();
  await other.getByRole("button", { name: "It is mine" }).click();
  await expect(other.getByText(user ?? "none")).toBeVisible();
  await expect(other.getByText("The code that you used no longer works. Create new codes.")).toBeVisible();
  await other.getByRole("button", { name: "Remove the old sign-in methods" }).click();
  await expect(other.getByText("1 sign-in method, 1 code.")).toBeVisible();

  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/login/);
});
