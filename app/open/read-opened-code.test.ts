import { expect, test } from "vitest";
import { readOpenedCode } from "./read-opened-code.ts";

const SITE = { origin: "https://login.example.com", domain: "login.example.com" };
const NOW = 1_750_000_000;
const SID = "abcdefghijklmnopqrstuv";
const challenge = (domain = SITE.domain, timestamp = NOW) =>
  `svc:login:${domain}:${timestamp}:${"a1B2".repeat(8)}`;

test("a live code becomes the svc form of itself, posting to this site's own webhook", () => {
  const opened = readOpenedCode({ s: SID, c: challenge() }, SITE, NOW + 29);
  if (opened.kind !== "live") throw new Error(opened.kind);
  const uri = new URL(opened.walletUri);
  expect(uri.protocol).toBe("svc:");
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    webhook: "https://login.example.com/webhook/login",
    session: SID,
    challenge: challenge(),
    ts: String(NOW),
  });
});

test("a code older than 30 seconds is told to be expired, with its action", () => {
  expect(readOpenedCode({ s: SID, c: challenge() }, SITE, NOW + 31)).toEqual({
    kind: "expired",
    action: "login",
  });
});

test.each([
  ["no session", { c: challenge() }],
  ["no challenge", { s: SID }],
  ["a repeated parameter", { s: [SID, SID], c: challenge() }],
  ["a session of other characters", { s: "javascript:alert(1)//", c: challenge() }],
  ["a challenge that is none", { s: SID, c: "svc:login" }],
  ["another site's challenge", { s: SID, c: challenge("evil.example") }],
])("a link with %s is never offered to a wallet", (_, query) => {
  expect(readOpenedCode(query, SITE, NOW)).toEqual({ kind: "incomplete" });
});
