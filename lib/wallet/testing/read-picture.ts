import type { Locator, Page } from "playwright/test";
import { decodeQR } from "qr/decode.js";

/** How long the decoder may try (ms). */
const TIME_LIMIT_MS = 1_000;

/** The text of the QR code on a page, or a part of it, as a camera sees it; null when there is none. */
export async function readPicture(page: Page, part: Locator | null): Promise<string | null> {
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

// Runs in the page: a browser reads PNG, and a bitmap that is made of bytes needs no permission of the page's CSP.
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
