import { expect, test } from "vitest";
import { readAnyCode } from "./read-any-code.ts";

const SITE = new URL("https://login.example.com");
const NOW = 1_750_000_000;
const SID = "abcdefghijklmnopqrstuv";
const challenge = (domain = SITE.hostname, timestamp = NOW) =>
  `svc:login:${domain}:${timestamp}:${"a1B2".repeat(8)}`;

test.each([null, "approve", "add"])(
  "converts a live code to its svc:// form with the same intent: %s",
  (intent) => {
    const openedCode = readAnyCode({ s: SID, c: challenge(), ...(intent && { intent }) }, SITE, NOW + 29);
    expect(openedCode).toMatchObject({ kind: "live", purpose: intent ?? "login" });
    if (openedCode.kind !== "live") throw new Error(openedCode.kind);
    const uri = new URL(openedCode.walletUri);
    expect(uri.protocol).toBe("svc:");
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      webhook: "https://login.example.com/webhook/login",
      session: SID,
      challenge: challenge(),
      ts: String(NOW),
      ...(intent && { intent }),
    });
  },
);

test("shows a code older than 30 seconds as expired", () => {
  const openedCode = readAnyCode({ s: SID, c: challenge() }, SITE, NOW + 31);
  expect(openedCode).toEqual({ kind: "expired", action: "login" });
});

test.each([
  ["no session", { c: challenge() }],
  ["no challenge", { s: SID }],
  ["a repeated parameter", { s: [SID, SID], c: challenge() }],
  ["a session with invalid characters", { s: "javascript:alert(1)//", c: challenge() }],
  ["a malformed challenge", { s: SID, c: "svc:login" }],
  ["another site's challenge", { s: SID, c: challenge("evil.example") }],
])("never passes an invalid link to a wallet: a link with %s", (_, query) => {
  expect(readAnyCode(query, SITE, NOW)).toEqual({ kind: "incomplete" });
});

const fast = (time = NOW) => ({
  sid: `${"a".repeat(32)}_${NOW}`,
  c: `${"b".repeat(32)}_${time}`,
  t: time.toString(16),
});

test("passes a fast login code's URL to the wallet unchanged for two minutes", () => {
  const { sid, c, t } = fast();
  const url = `${SITE.origin}/api/fastauth?sid=${sid}&c=${c}&t=${t}`;
  expect(readAnyCode(fast(), SITE, NOW + 119)).toEqual({ kind: "fast", purpose: "login", url });
  expect(readAnyCode({ ...fast(), intent: "approve" }, SITE, NOW)).toEqual({
    kind: "fast",
    purpose: "approve",
    url: `${url}&intent=approve`,
  });
  expect(readAnyCode(fast(), SITE, NOW + 121)).toEqual({ kind: "expired", action: "login" });
});

test.each([
  ["no challenge", { ...fast(), c: undefined }],
  ["a different time", { ...fast(), t: "1" }],
  ["a session with invalid characters", { ...fast(), sid: "javascript:alert(1)//" }],
  ["a repeated parameter", { ...fast(), t: ["1", "1"] }],
])("never passes an invalid fast login code to a wallet: a code with %s", (_, query) => {
  expect(readAnyCode(query, SITE, NOW)).toEqual({ kind: "incomplete" });
});
