import { describe, expect, test } from "vitest";
import { WalletError } from "#lib/wallet/wallet-error.ts";
import { askAbout, expireRequest, readRequest, refuse, type WalletRequest } from "./request.ts";

const NOW = 1_700_000_000;
const code = (webhook: string, domain = "example.com", ts = NOW) =>
  `svc://auth?${new URLSearchParams({
    webhook,
    session: "s",
    challenge: `svc:login:${domain}:${ts}:${"a".repeat(32)}`,
    ts: String(ts),
  })}`;
const openRequest = (text: string, now: number, trustedHosts: string[]): WalletRequest => {
  const read = readRequest(text);
  return "phase" in read ? read : askAbout(read, { now, trustedHosts });
};
const good = code("https://example.com/webhook/login");

describe("a scanned code", () => {
  test("becomes a question, and nothing more", () => {
    expect(openRequest(good, NOW, [])).toMatchObject({ phase: "asking", payload: { form: "svc" } });
  });

  test("of another host is refused with the reason, unless that host is trusted", () => {
    const relayed = code("https://api.example.net/x");
    expect(openRequest(relayed, NOW, [])).toMatchObject({
      phase: "refused",
      payload: { challenge: { domain: "example.com" } },
      message: expect.stringContaining("api.example.net"),
      trust: { domain: "example.com", host: "api.example.net" },
    });
    expect(openRequest(relayed, NOW, ["api.example.net"])).toMatchObject({ phase: "asking" });
  });

  test("of another host waits for the person, where the wallet can ask the site and has not", () => {
    const read = readRequest(code("https://api.example.net/x"));
    if ("phase" in read) throw new Error("not read");
    const waiting = askAbout(read, { now: NOW, delegation: null });
    expect(waiting).toEqual({ phase: "elsewhere", payload: read });
    expect(expireRequest(waiting, NOW + 29)).toBe(waiting);
    expect(expireRequest(waiting, NOW + 30)).toMatchObject({ phase: "refused", ranOut: true });
    const named = { status: "ok" as const, hosts: ["api.example.net"] };
    expect(askAbout(read, { now: NOW, delegation: named })).toMatchObject({ phase: "asking" });
    // The site took its time.
    expect(askAbout(read, { now: NOW + 31, delegation: named })).toMatchObject({ ranOut: true });
    const none = { status: "missing" as const, reason: "the answer has status 404 instead of 200" };
    expect(askAbout(read, { now: NOW, delegation: none })).toMatchObject({
      phase: "refused",
      message: expect.stringContaining("status 404"),
      trust: { domain: "example.com", host: "api.example.net" },
    });
  });

  test.each(["", "javascript:alert(1)", "https://example.com/f?sid=a_1&c=b_1&t=xyz"])(
    "that is %j is refused and shows nothing of it",
    (text) => expect(openRequest(text, NOW, [])).toMatchObject({ phase: "refused", payload: null }),
  );

  test("runs out while nobody answers, and only then", () => {
    const asking = openRequest(good, NOW, []);
    expect(expireRequest(asking, NOW + 29)).toBe(asking);
    expect(expireRequest(asking, NOW + 30)).toMatchObject({ phase: "refused", message: /run out/ });
    const late = openRequest(good, NOW + 60, []);
    expect(late).toMatchObject({ phase: "refused", ranOut: true });
    expect(late).not.toHaveProperty("trust");
    const sending = asking.phase === "asking" ? ({ ...asking, phase: "sending" } as const) : asking;
    expect(expireRequest(sending, NOW + 99)).toBe(sending);
  });

  test("is refused in the wallet's words, and a browser's failure in plain ones", () => {
    expect(refuse(null, new WalletError("challenge_expired", "Too old."))).toMatchObject({
      message: "Too old.",
    });
    expect(refuse(null, new DOMException("quota"))).toMatchObject({ message: /Reload this page/ });
  });
});

describe("a fast code", () => {
  const fast = `https://example.com/api/fastauth?sid=a_1&c=b_1&t=${NOW.toString(16)}`;

  test("becomes a question about its own host, for two minutes", () => {
    const request = openRequest(fast, NOW, []);
    expect(request).toMatchObject({ phase: "asking", payload: { kind: "fast", url: fast } });
    expect(expireRequest(request, NOW + 119)).toBe(request);
    expect(expireRequest(request, NOW + 120)).toMatchObject({ phase: "refused" });
    expect(openRequest(fast, NOW + 121, [])).toMatchObject({ phase: "refused" });
  });

  test("that would travel in clear text is refused", () => {
    expect(openRequest(fast.replace("https", "http"), NOW, [])).toMatchObject({ phase: "refused" });
  });
});
