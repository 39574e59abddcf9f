import type { Page } from "playwright/test";
import { expectAccessible, expectPresentable } from "./support/accessible.ts";
import { expect, test } from "./support/fixtures.ts";

/** Distance of an element from the top of the window. */
const topOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => element.getBoundingClientRect().top);

test.describe("the reference", () => {
  test("is accessible and fits, narrow and wide, light and dark", async ({ page }) => {
    await page.goto("/docs/api");
    await page.locator("#createSession summary").first().click();
    await expectPresentable(page, ["header", "nav", "#createSession"]);
  });

  test("opens without signing in at the operation that a link names, says where the reader is, and is searched by keyboard: by name, field or error", async ({
    page,
  }) => {
    await page.goto("/docs/api#rotateSecret");
    await expect(page.locator("#rotateSecret")).toBeInViewport();
    const list = page.getByRole("navigation", { name: "Reference" });
    await expect(list.locator("[aria-current]")).toHaveText("Rotate secret");
    await list.getByRole("link", { name: "Create session" }).click();
    await expect(page).toHaveURL(/#createSession$/);
    await expect(list.locator("[aria-current]")).toHaveText("Create session");

    const field = list.getByRole("searchbox");
    // The page listens once its script runs.
    await expect(async () => {
      await page.keyboard.press("/");
      await expect(field).toBeFocused({ timeout: 500 });
    }).toPass();
    await page.keyboard.type("quota_exceeded");
    await expect(list.getByRole("status")).toHaveText("1 place");
    await expect(list.getByRole("link")).toHaveText(["Create domainquota_exceeded"]);
    await page.keyboard.press("ArrowDown");
    await expect(list.getByRole("link")).toBeFocused();
    await page.keyboard.press("ArrowUp");
    await field.fill("rotate");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/#rotateSecret$/);
    await field.fill("no such thing");
    await expect(list.getByText("Nothing here has that.")).toBeVisible();
  });

  test("shows the chosen language in every example, moves nothing, and remembers it", async ({ page }) => {
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

  test("has its list behind a button on a phone", async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 780 });
    await page.goto("/docs/api");
    const list = page.getByRole("navigation", { name: "Reference" });
    await expect(list).toBeHidden();
    await page.getByRole("button", { name: /^Contents/ }).click();
    await expect(list).toBeVisible();
    await expectAccessible(page, { within: ["header", "nav"] });
    await expect(async () => {
      await list.getByRole("link", { name: "Verify signature" }).click();
      await expect(list).toBeHidden({ timeout: 500 });
    }).toPass();
    await expect(page.locator("#verifySignature")).toBeInViewport();
    await expect(page.getByRole("button", { name: "Contents: Verify signature" })).toBeVisible();
  });
});

test.describe("the guides", () => {
  test("are read in the application, accessible, narrow and wide, light and dark", async ({ page }) => {
    await page.goto("/docs");
    await page.getByRole("article").getByRole("link", { name: "Delegation", exact: true }).click();
    await expect(page).toHaveURL(/\/docs\/guides\/delegation$/);
    await expect(page.getByRole("heading", { level: 1, name: "Letting the hosted API" })).toBeVisible();
    await expectPresentable(page);
  });

  test("link to each other's sections, and need no script", async ({ browser }) => {
    const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
    await page.goto("/docs/guides/fast-auth");
    await page.getByRole("link", { name: "every login" }).click();
    await expect(page).toHaveURL(/\/docs\/guides\/protocol#4-the-browser-is-bound$/);
    await expect(page.getByRole("heading", { name: "4. The browser is bound" })).toBeInViewport();
    await page.goto("/docs/decisions");
    await page
      .getByRole("link", { name: /A login belongs to the browser/ })
      .first()
      .click();
    await expect(page).toHaveURL(/\/docs\/decisions\/0004-the-bound-browser$/);
    await page.context().close();
  });

  test("are those of the folder, and no other file of the machine", async ({ request }) => {
    for (const path of [
      "guides/none",
      "guides/..%2FREADME",
      "guides/decisions%2F0004-the-bound-browser.md",
    ]) {
      expect((await request.get(`/docs/${path}`)).status(), path).toBe(404);
    }
    expect((await request.get("/docs/decisions/..%2F..%2FREADME")).status()).toBe(404);
  });
});
