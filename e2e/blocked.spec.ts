import { expectAccessibleInAllViews } from "./support/accessible.ts";
import { APP_URL, expect, readShownCode, test } from "./support/fixtures.ts";
import { startNewerVersionProxy } from "./support/newer-version.ts";

/** The page says why users cannot sign in before they scan. */

test("explains that cookies are blocked instead of showing a code", async ({ page, context }) => {
  const requests: string[] = [];
  page.on("request", (request) => requests.push(new URL(request.url()).pathname));
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setDocumentCookieDisabled", { disabled: true });
  for (const path of ["/login", "/register", "/fast"]) {
    await page.goto(path);
    await expect(page.getByRole("status").first(), path).toContainText("Your browser blocks cookies");
  }
  expect(requests).not.toContain("/api/svc/qr");
  expect(requests).not.toContain("/api/getqrcode");
  await page.goto("/login");
  await expect(page.getByRole("status").first()).toContainText("blocks cookies");
  await expectAccessibleInAllViews(page);
  await session.send("Emulation.setDocumentCookieDisabled", { disabled: false });
  await page.getByRole("button", { name: "Start again" }).click();
  await readShownCode(page);
});

test("runs the conformance kit in a browser that blocks storage", async ({ page }) => {
  await page.addInitScript(() => {
    for (const name of ["sessionStorage", "localStorage", "indexedDB"]) {
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException("Access is denied for this document.", "SecurityError");
        },
      });
    }
  });
  await page.goto("/conformance");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await expect(page.getByRole("heading", { name: "A correct code to sign in" })).toBeVisible();
  await page.goto("/login");
  await readShownCode(page);
});

test("links to the site's own origin instead of showing a code on a different one", async ({ page }) => {
  const proxy = await startNewerVersionProxy();
  try {
    await page.goto(`${proxy.url}/login?callbackUrl=%2Fconsole`);
    await expect(page.getByRole("status").first()).toContainText(`The site’s own URL is ${APP_URL}`);
    await expect(page.getByRole("img", { name: /QR code/ })).toHaveCount(0);
    const link = page.getByRole("link", { name: "Open it there" });
    await expect(link).toHaveAttribute("href", `${APP_URL}/login?callbackUrl=%2Fconsole`);
  } finally {
    await proxy.close();
  }
});
