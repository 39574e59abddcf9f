import type { Page } from "playwright/test";
import { expectAccessible, expectAccessibleInAllViews, measureOverflow } from "./support/accessible.ts";
import { newCustomer } from "./support/customer.ts";
import { APP_URL, DATABASE_URL, expect, test } from "./support/fixtures.ts";

const topOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => element.getBoundingClientRect().top);

test.describe("the API reference", () => {
  test("opens at the linked operation without a sign-in", async ({ page }) => {
    await page.goto("/docs/api#rotateSecret");
    await expect(page.locator("#rotateSecret")).toBeInViewport();
    const list = page.getByRole("navigation", { name: "Reference" });
    await expect(list.locator("[aria-current]")).toHaveText("Rotate secret");
    await list.getByRole("link", { name: "Create session" }).click();
    await expect(page).toHaveURL(/#createSession$/);
    await expect(list.locator("[aria-current]")).toHaveText("Create session");
    await page.locator("#createSession summary").first().click();
    await expectAccessibleInAllViews(page, ["header", "nav", "#createSession"]);
  });

  test("fills the reader's key into its examples and sends a request", async ({ page }) => {
    const { key } = await newCustomer(APP_URL, DATABASE_URL);
    await page.goto("/docs/api");
    const section = page.locator("#authentication");
    await expect(section.getByText("export SVC_API_KEY=svc_test_…")).toBeVisible();
    await section.getByLabel("API key").fill(key);
    await expect(section.getByText(`export SVC_API_KEY=${key}`)).toBeVisible();
    await section.getByText("Try it").click();
    await section.getByRole("button", { name: "Send with the test key" }).click();
    await expect(section.getByText('"next_cursor": null').last()).toBeVisible();
    await expect(section.getByText("200", { exact: true })).toBeVisible();
    const operation = page.locator("#verifySignature");
    await operation.getByText("Try it").click();
    await operation.getByRole("button", { name: "Send with the test key" }).click();
    await expect(operation.getByText(/X-Request-Id.*"valid": true/s)).toBeVisible();
    await expectAccessible(page, { within: ["#verifySignature"] });
    await page.setViewportSize({ width: 360, height: 800 });
    expect(await measureOverflow(page)).toBe(0);
  });

  test("shows every example in the chosen language and remembers the choice", async ({ page }) => {
    await page.goto("/docs/api#getDomain");
    const choice = page.locator("#getDomain").getByRole("combobox");
    await expect(choice).toHaveValue("curl");
    await page.waitForLoadState("networkidle");
    const before = await topOf(page, "#getDomain select");
    await choice.selectOption("python");
    await expect(page.locator("#getDomain pre").first()).toContainText("urlopen(request)");
    await expect(page.locator("#createSession pre").first()).toContainText("urlopen(request)");
    expect(Math.abs((await topOf(page, "#getDomain select")) - before)).toBeLessThan(2);

    const html = await (await page.request.get("/docs/api")).text();
    expect(html).toContain("urlopen(request)");
    expect(html).not.toContain("await fetch(");
    await page.goto("/docs/api");
    await expect(page.locator("#getDomain").getByRole("combobox")).toHaveValue("python");
    await page.context().addCookies([{ name: "svc-docs-language", value: "<script>", url: page.url() }]);
    await page.reload();
    await expect(page.locator("#getDomain").getByRole("combobox")).toHaveValue("curl");
  });

  test("hides its list of operations behind a button on a phone", async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 780 });
    await page.goto("/docs/api");
    const list = page.getByRole("navigation", { name: "Reference" });
    await expect(list).toBeHidden();
    await page.getByRole("button", { name: /^Contents/ }).click();
    await expect(list).toBeVisible();
    await expectAccessible(page, { within: ["header", "nav"] });
    // Once the page's script is running, the links close the list.
    await expect(async () => {
      if (await list.isVisible())
        await list.getByRole("link", { name: "Verify signature" }).click({ timeout: 1_000 });
      await expect(list).toBeHidden({ timeout: 1_000 });
    }).toPass();
    await expect(page.locator("#verifySignature")).toBeInViewport();
    await expect(page.getByRole("button", { name: "Contents: Verify signature" })).toBeVisible();
  });
});

test("finds the guide for an error message using only the keyboard", async ({ page }) => {
  await page.goto("/docs/guides/api");
  const dialog = page.getByRole("dialog", { name: "Search the documentation" });
  // Once the page's script is running, the page handles keys. If the dialog were already open, the keys would be typed
  // into it or close it.
  const open = (keys: string) =>
    expect(async () => {
      if (!(await dialog.isVisible())) await page.keyboard.press(keys);
      await expect(dialog.getByRole("searchbox")).toBeFocused({ timeout: 1_000 });
    }).toPass();
  await open("/");
  await page.keyboard.type("quota_exceeded");
  await expect(dialog.getByRole("status")).toHaveText(/^\d+ results$/);
  await expect(dialog.getByRole("link", { name: /Create domain · API reference/ })).toBeVisible();
  await expectAccessibleInAllViews(page);
  await page.keyboard.press("ArrowDown");
  await expect(dialog.getByRole("link").first()).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(dialog.getByRole("searchbox")).toBeFocused();
  await dialog.getByRole("searchbox").fill("rotate secret");
  await expect(dialog.getByRole("link").first()).toContainText("Rotate secret");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/docs\/api#rotateSecret$/);

  await open("Control+k");
  await dialog.getByRole("searchbox").fill("xyzzy plugh");
  await expect(dialog.getByText("No page contains all of these words.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
});

test("switches a guide's code between languages with the arrow keys", async ({ page }) => {
  await page.goto("/docs/guides/hosted-quickstart");
  const tab = (name: string) => page.getByRole("tab", { name }).first();
  await expect(async () => {
    await tab("Node").click();
    await page.keyboard.press("ArrowRight");
    await expect(tab("Python")).toBeFocused({ timeout: 1_000 });
  }).toPass();
  await expect(tab("Python")).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("tabpanel", { name: "Python" }).first()).toContainText("python3 server.py");
  // The other tabs on the page switch too.
  await expect(page.getByRole("tabpanel", { name: "Python" })).toHaveCount(2);
});

test("ranks the guide on the subject first for every common search term", async ({ page }) => {
  for (const [word, guide] of [
    ["webhook", "Receiving events"],
    ["lost phone", "Recovery"],
    ["logout", "Protecting pages and data"],
    ["pricing", "Licence"],
    ["retry", "Receiving events"],
  ] as const) {
    await page.goto(`/docs/search?${new URLSearchParams({ q: word })}`);
    await expect(page.getByRole("article").getByRole("listitem").first(), word).toContainText(guide);
  }
});

test.describe("the guides", () => {
  test("begin with three groups of readers and link from page to page", async ({ page }) => {
    await page.goto("/docs");
    await expectAccessibleInAllViews(page);
    const article = page.getByRole("article");
    const door = article.getByRole("region", { name: "Build a wallet" });
    await door.getByRole("link", { name: "Wallets", exact: true }).click();
    await expect(page).toHaveURL(/\/docs\/guides\/wallet$/);
    const between = page.getByRole("navigation", { name: "Previous and next" });
    await between.getByRole("link", { name: "Next Conformance" }).click();
    await expect(page).toHaveURL(/\/docs\/guides\/conformance$/);
    await between.getByRole("link", { name: "Previous Wallets" }).click();
    await expect(page).toHaveURL(/\/docs\/guides\/wallet$/);
    await expectAccessibleInAllViews(page);

    await page.goto("/docs/guides/api");
    const drawn = await page
      .getByRole("img", { name: /^The browser opens your login page/ })
      .evaluate((image: HTMLImageElement) => image.naturalWidth);
    expect(drawn).toBeGreaterThan(300);
    // A table on this page has an empty cell in its corner.
    await expectAccessible(page);
    await expect(page.getByRole("article").getByRole("link", { name: "API reference" })).toHaveAttribute(
      "href",
      `${APP_URL}/docs/api`,
    );
    await expect(page.getByText(`export SVC_API_URL=${APP_URL}/sandbox/v1`)).toBeVisible();
  });

  test("work without JavaScript", async ({ newPage }) => {
    const page = await newPage({ javaScriptEnabled: false });
    await page.goto("/docs/guides/fast-auth");
    await page.getByRole("link", { name: "every login" }).click();
    await expect(page).toHaveURL(/\/docs\/guides\/protocol#4-the-browser-is-bound$/);
    await expect(page.getByRole("heading", { name: "4. The browser is bound" })).toBeInViewport();
    await page.goto("/docs/decisions");
    const decision = page.getByRole("link", { name: /A login belongs to the browser/ }).first();
    await decision.click();
    await expect(page).toHaveURL(/\/docs\/decisions\/0004-the-bound-browser$/);

    await page.getByRole("link", { name: "Search the docs" }).first().click();
    const field = page.getByRole("searchbox");
    await field.fill("<b>domain_not_registered");
    await page.getByRole("button", { name: "Search" }).click();
    await expect(field).toHaveValue("<b>domain_not_registered");
    await field.fill("domain_not_registered");
    await page.getByRole("button", { name: "Search" }).click();
    const found = page.getByRole("article").getByRole("link", { name: /Create session · API reference/ });
    await found.click();
    await expect(page).toHaveURL(/\/docs\/api#createSession$/);
  });

  test("include every file in docs and no others", async ({ request }) => {
    for (const path of [
      "guides/none",
      "guides/..%2FREADME",
      "guides/decisions%2F0004-the-bound-browser.md",
    ]) {
      expect((await request.get(`/docs/${path}`)).status(), path).toBe(404);
    }
    expect((await request.get("/docs/decisions/..%2F..%2FREADME")).status()).toBe(404);
  });

  test("redirect a removed page to the section that replaced it", async ({ request }) => {
    for (const [path, target] of [
      ["cluster", "/docs/guides/operations#a-cluster"],
      ["growth", "/docs/guides/performance#plan-for-growth"],
    ]) {
      const response = await request.get(`/docs/guides/${path}`, { maxRedirects: 0 });
      expect([response.status(), response.headers().location]).toEqual([308, target]);
    }
  });
});
