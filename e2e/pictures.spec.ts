import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright/test";
import { createTestDatabase } from "#tools/kit/database.ts";
import { startApp } from "#tools/kit/start-app.ts";
import { openCode, openNewWallet } from "./support/browser-wallet.ts";
import { expect, issueCode, test } from "./support/fixtures.ts";
import { trialApproval } from "./support/page.ts";

/** For README.md and the guides, light and dark: `PICTURES=1 npx playwright test --config e2e pictures.spec.ts`. */

test.skip(!process.env.PICTURES, "PICTURES=1 takes the screenshots of the documentation");

const ROOT = join(import.meta.dirname, "..");
/** For high-density screens. The pictures still need only a third of a PNG's size. */
const SCALE = 2;
const QUALITY = 0.8;
const MOST_BYTES = 100_000;

/** In both schemes: `home.webp` and `home-dark.webp`. */
async function takePictures(
  page: Page,
  browser: Browser,
  path: string,
  part: Page | Locator = page,
): Promise<void> {
  for (const [colorScheme, ending] of [
    ["light", ".webp"],
    ["dark", "-dark.webp"],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const bytes = await toWebp(browser, await part.screenshot());
    expect(bytes.length).toBeLessThan(MOST_BYTES);
    writeFileSync(join(ROOT, `${path}${ending}`), bytes);
  }
}

/** On a page that has no content security policy. */
async function toWebp(browser: Browser, png: Buffer): Promise<Buffer> {
  const encoder = await browser.newPage();
  const encoded = await encoder.evaluate(encodeWebp, { base64: png.toString("base64"), quality: QUALITY });
  await encoder.close();
  return Buffer.from(encoded, "base64");
}

// This function runs on that page.
async function encodeWebp({ base64, quality }: { base64: string; quality: number }): Promise<string> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes]));
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
  const webp = new Uint8Array(
    await (await canvas.convertToBlob({ type: "image/webp", quality })).arrayBuffer(),
  );
  return btoa(Array.from(webp, (byte) => String.fromCharCode(byte)).join(""));
}

const screen = (width: number, height: number, deviceScaleFactor = SCALE) => ({
  viewport: { width, height },
  deviceScaleFactor,
});

test("takes screenshots of the home page after a login", async ({ newPage, browser }) => {
  const page = await newPage(screen(1280, 900, 1.25));
  await page.goto("/");
  await page.getByRole("button", { name: "Try it now" }).click();
  await trialApproval(page).click();
  await expect(page.getByRole("region", { name: "You’re signed in" })).toBeVisible();
  await takePictures(page, browser, "docs/images/home");
});

test("takes screenshots of the question that the wallet asks", async ({ newPage, browser, request }) => {
  const page = await newPage(screen(390, 780));
  await openNewWallet(page);
  await openCode(page, (await issueCode({ request })).qr);
  await expect(page.getByRole("button", { name: "Approve" })).toBeEnabled();
  await takePictures(page, browser, "public/guide-wallet");
});

test("takes screenshots of the console's test login after its event has been delivered", async ({
  newPage,
  browser,
  wallet,
}) => {
  const page = await newPage(screen(1100, 820));
  await wallet.signIn(page);
  await page.goto("/console/test");
  await page.getByRole("link", { name: "Start a test login" }).click();
  await trialApproval(page).click();
  await expect(page.getByText("Your event is delivered")).toBeVisible();
  await takePictures(page, browser, "public/guide-test-login");
});

test("takes screenshots of new recovery codes", async ({ newPage, browser, wallet }) => {
  const page = await newPage(screen(820, 720));
  await wallet.signIn(page);
  await page.goto("/dashboard/recovery");
  await page.getByRole("button", { name: "Create two codes" }).click();
  await expect(page.getByRole("heading", { name: "Keep these two codes" })).toBeVisible();
  await takePictures(page, browser, "public/guide-recovery");
});

test("takes screenshots of the login panel of a site without a demo wallet", async ({ newPage, browser }) => {
  await using started = new AsyncDisposableStack();
  const database = await createTestDatabase();
  started.defer(database.close);
  const app = await startApp({ DATABASE_URL: database.url, LOG_LEVEL: "warn" });
  started.defer(() => app.stop());
  const page = await newPage(screen(720, 900));
  await page.goto(`${app.url}/login`);
  const panel = page.getByRole("region", { name: "localhost" });
  await expect(panel.getByRole("img", { name: /^QR code/ })).toBeVisible();
  await takePictures(page, browser, "public/guide-panel", panel);
});
