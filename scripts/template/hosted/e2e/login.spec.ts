import { VirtualWallet } from "@svc/login/testing";
import { expect, type Page, test } from "playwright/test";

/** Against the hosted API that the environment names. It has to run, and to know the domain of this site. */

/** The payload of the code on the page, as a phone would scan it. */
async function payloadOn(page: Page): Promise<string> {
  const link = page.getByRole("link", { name: "Open in wallet" });
  await expect(link).toHaveAttribute("href", /^svc:/);
  return (await link.getAttribute("href")) ?? "";
}

test("a wallet signs in, signs out, and is the same user when it signs in again", async ({ page }) => {
  const wallet = new VirtualWallet();
  await page.goto("/login");
  expect(await wallet.respond(await payloadOn(page))).toBe(200);
  await expect(page.getByText(/signed in as user/)).toBeVisible({ timeout: 15_000 });
  const user = await page.getByText(/signed in as user/).textContent();

  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("/login");
  expect(await wallet.respond(await payloadOn(page))).toBe(200);
  await expect(page.getByText(user ?? "")).toBeVisible({ timeout: 15_000 });
});

test("another browser that knows the sid gets nothing", async ({ page, browser }) => {
  await page.goto("/login");
  const payload = await payloadOn(page);
  const sid = new URL(payload).searchParams.get("session") ?? "";
  // The owner's page stays out of the race.
  await page.route("**/api/svc/check*", (route) => route.abort());
  expect(await new VirtualWallet().respond(payload)).toBe(200);
  await expect
    .poll(async () => (await page.request.get(`/api/svc/check?sid=${sid}`)).json())
    .toMatchObject({ status: "authenticated" });

  const thief = await (await browser.newContext()).newPage();
  await thief.goto("/login");
  await payloadOn(thief);
  expect((await thief.request.get(`/api/svc/check?sid=${sid}`)).status()).toBe(404);
  const { csrfToken } = await (await thief.request.get("/api/auth/csrf")).json();
  const form = { csrfToken, sid, json: "true" };
  expect((await thief.request.post("/api/auth/callback/hosted", { form })).status()).toBe(401);
  await thief.goto("/dashboard");
  await expect(thief).toHaveURL(/\/login\?callbackUrl=/);

  await page.unroute("**/api/svc/check*");
  await expect(page.getByText(/signed in as user/)).toBeVisible({ timeout: 15_000 });
});

test("an event that nobody signed is refused", async ({ request }) => {
  const data = { event: "login", session_id: "x", data: {} };
  const response = await request.post("/api/svc/webhook", { data });
  expect(response.status()).toBe(401);
  expect(await response.json()).toEqual({ error: expect.any(String) });
});
