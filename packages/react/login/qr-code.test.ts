import { decodeQR } from "qr/decode.js";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { QrFrame } from "./qr-code.tsx";

const QUIET_ZONE_MODULES = 4;
const PIXELS_PER_MODULE = 4;
const SID = "6VfK_AE3DDEeI4JRstlP0g";
const NONCE = "aB3xY7kQ9mZ2wL5tR8vC1nJ4pH6sD0fG";

function payload(nonce: string, { origin = "http://localhost:3000", domain = "localhost" } = {}): string {
  const [session, ts] = [SID, "1767225600"];
  const challenge = `svc:login:${domain}:${ts}:${nonce}`;
  return `svc://auth?${new URLSearchParams({ webhook: `${origin}/webhook/login`, session, challenge, ts })}`;
}

function draw(qr: string) {
  const svg = renderToStaticMarkup(createElement(QrFrame, { qr, label: "QR code" }));
  const side = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1]);
  const path = /fill="#000000" d="([^"]+)"/.exec(svg)?.[1] ?? "";
  const isDark = new Set<number>();
  for (const [, x, y, width] of path.matchAll(/M(\d+)[ ,](\d+) ?h(\d+)v1H\d+z/g)) {
    for (let column = Number(x); column < Number(x) + Number(width); column += 1)
      isDark.add(Number(y) * side + column);
  }
  return { side, isDark };
}

function read({ side, isDark }: ReturnType<typeof draw>): string {
  const width = side * PIXELS_PER_MODULE;
  const data = new Uint8Array(3 * width * width).map((_, at) => {
    const pixel = Math.floor(at / 3);
    const [row, column] = [Math.floor(pixel / width), pixel % width].map((place) =>
      Math.floor(place / PIXELS_PER_MODULE),
    ) as [number, number];
    return isDark.has(row * side + column) ? 0 : 255;
  });
  return decodeQR({ width, height: width, data }, { format: "RGB" });
}

test.each([
  ["a login", payload(NONCE)],
  ["a nonce that begins and ends with digits", payload(`${"0123456789".repeat(2)}ab${"9876543210"}`)],
  ["a text with only digits", "01234567890123456789"],
  ["a text without digits", "https://shop.example/menu"],
])("draws a QR code that decodes to the same text: %s", (_, text) => {
  expect(read(draw(text))).toBe(text);
});

test.each([
  { origin: "http://localhost:3000", domain: "localhost" },
  { origin: "https://example.com", domain: "example.com" },
])("draws a login code for $origin with 49 modules per side", (site) => {
  expect(draw(payload(NONCE, site)).side - 2 * QUIET_ZONE_MODULES).toBe(49);
});
