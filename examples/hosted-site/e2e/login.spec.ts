import { expect, shownCode, test } from "@svc/login/playwright";

/**
 * Uses the hosted API that the environment names. It must be running, and this site's domain must be registered there.
 */

test("signs a wallet in and out, and recognises the user at the next sign-in", async ({ page, wallet }) => {
  await page.goto("/login");
  await wallet.approve(page);
  await expect(page.getByText(/signed in as user/)).toBeVisible({ timeout: 15_000 });
  const user = await page.getByText(/signed in as user/).textContent();

  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("/");
  await wallet.approve(page);
  await expect(page.getByText(user ?? "")).toBeVisible({ timeout: 15_000 });
});

test("gives each page a header, a main region and an icon", async ({ page, wallet }) => {
  const errors: string[] = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto("/login");
  await expect(page.getByRole("banner").getByRole("link", { name: "Sign in" })).toBeVisible();
  await expect(page.getByRole("main").getByRole("heading", { level: 1 })).toBeVisible();
  const icon = await page.locator("link[rel=icon]").getAttribute("href");
  expect((await page.request.get(icon ?? "/none")).headers()["content-type"]).toBe("image/svg+xml");
  await wallet.approve(page);
  await expect(page.getByRole("main").getByText(/signed in as user/)).toBeVisible({ timeout: 15_000 });
  await expect(page.getByRole("banner").getByRole("button", { name: "Sign out" })).toBeVisible();
  expect(errors).toEqual([]);
});

test("does not sign in another browser that knows only the sid", async ({ page, browser, wallet }) => {
  await page.goto("/login");
  const code = await shownCode(page);
  const sid = new URL(code).searchParams.get("session") ?? "";
  // The page must not redeem the login before the thief tries to.
  await page.route("**/api/svc/check*", (route) => route.abort());
  await wallet.approve(code);
  await expect
    .poll(async () => (await page.request.get(`/api/svc/check?sid=${sid}`)).json())
    .toMatchObject({ status: "authenticated" });

  const thief = (await browser.newContext()).request;
  await thief.get("/api/svc/qr");
  expect((await thief.get(`/api/svc/check?sid=${sid}`)).status()).toBe(404);
  const { csrfToken } = await (await thief.get("/api/auth/csrf")).json();
  const form = { csrfToken, sid, json: "true" };
  expect((await thief.post("/api/auth/callback/hosted", { form })).status()).toBe(401);
  expect(await (await thief.get("/api/auth/session")).json()).toEqual({});
  expect((await thief.get("/dashboard")).url()).toContain("/login?callbackUrl=");

  await page.unroute("**/api/svc/check*");
  await expect(page.getByText(/signed in as user/)).toBeVisible({ timeout: 15_000 });
});

test("refuses an unsigned event with 401", async ({ request }) => {
  const data = { event: "login", session_id: "x", data: {} };
  const response = await request.post("/api/svc/webhook", { data });
  expect(response.status()).toBe(401);
  expect(await response.json()).toEqual({ error: expect.any(String) });
});
