import { setTimeout as sleep } from "node:timers/promises";
import type { Locator, Page } from "playwright/test";
import { decodeQR } from "qr/decode.js";
import { readPayload } from "../read-payload.ts";

export type Screen = Page | Locator;

/** Shorter than a test's time limit, so that the test reports the reason. */
const CODE_TIMEOUT_MS = 20_000;
const LOOK_INTERVAL_MS = 50;
/**
 * By this time, most pages have shown a link. Reading a picture takes a hundred times as long as reading a link, so
 * pictures are read less and less often.
 */
const FIRST_PICTURE_MS = 1_000;
const TIME_LIMIT_MS = 1_000;

/**
 * Reads the link that opens a wallet on the same device, otherwise the QR code in a screenshot.
 * @throws {Error} if the page does not show a code in time, or shows several
 */
export async function waitForCode(screen: Screen, timeoutMs = CODE_TIMEOUT_MS): Promise<string> {
  const page = getPage(screen);
  const part = "page" in screen ? screen : null;
  const startedAt = Date.now();
  let picture: string | null = null;
  let pictureAt = Math.min(FIRST_PICTURE_MS, timeoutMs);
  for (;;) {
    const [code, ...others] = await linkedCodes(screen);
    if (others.length > 0) throw new Error(severalCodes(page, 1 + others.length));
    if (code !== undefined) return code;
    const waited = Date.now() - startedAt;
    if (waited >= pictureAt) {
      picture = await readPicture(page, part).catch(ifOpen(page, null));
      pictureAt = Math.min(2 * waited, timeoutMs);
    }
    if (picture !== null && isCode(picture)) return picture;
    if (waited >= timeoutMs) throw new Error(noCode(page, picture));
    await sleep(LOOK_INTERVAL_MS);
  }
}

export function getPage(screen: Screen): Page {
  return "page" in screen ? screen.page() : screen;
}

/** Without duplicates. */
async function linkedCodes(screen: Screen): Promise<string[]> {
  const links = screen.locator("a[href]");
  const addresses = await links.evaluateAll(visibleAddresses).catch(ifOpen(getPage(screen), []));
  return [...new Set(addresses.filter(isCode))];
}

// Runs in the page. Reads the attribute instead of the property, because a fast-login code is signed exactly as it is
// written.
function visibleAddresses(links: Element[]): string[] {
  const visible = links.filter((link) => link.checkVisibility({ visibilityProperty: true }));
  return visible.map((link) => link.getAttribute("href") ?? "");
}

function isCode(text: string): boolean {
  try {
    readPayload(text);
    return true;
  } catch {
    return false;
  }
}

/** The caller tries again if the page was navigating. Throws if the page was closed. */
function ifOpen<T>(page: Page, fallback: T): (error: unknown) => T {
  return (error) => {
    if (page.isClosed()) throw error;
    return fallback;
  };
}

function noCode(page: Page, picture: string | null): string {
  const pictureText =
    picture === null ? "and no QR code can be seen" : `and the QR code on it says "${picture}"`;
  return `This page does not show a code:  ${page.url()}. No visible link on it is one (svc://auth?…, or the webhook's address with its parameters), ${pictureText}.`;
}

function severalCodes(page: Page, count: number): string {
  return `This page shows ${count} codes: ${page.url()}. Name the part of it that is meant: wallet.approve(page.getByRole("dialog")).`;
}

/** As a camera would. Null if there is no QR code. */
async function readPicture(page: Page, part: Locator | null): Promise<string | null> {
  const picture = await (part ? part.screenshot() : page.screenshot({ fullPage: true }));
  const { width, height, dots } = await page.evaluate(toDots, picture.toString("base64"));
  const data = Uint8Array.from({ length: 3 * dots.length }, (_, at) =>
    dots[Math.floor(at / 3)] === "#" ? 0 : 255,
  );
  try {
    return decodeQR({ width, height, data }, { format: "RGB", timeLimit: TIME_LIMIT_MS });
  } catch {
    return null;
  }
}

// Runs in the page, because browsers can decode PNG. A bitmap that is created from bytes needs no permission from the
// page's CSP.
async function toDots(base64: string): Promise<{ width: number; height: number; dots: string }> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes]));
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext("2d");
  if (context === null) throw new Error("no canvas");
  context.drawImage(bitmap, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  let dots = "";
  for (let at = 0; at < data.length; at += 4) {
    dots += (data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0) < 384 ? "#" : " ";
  }
  return { width, height, dots };
}
