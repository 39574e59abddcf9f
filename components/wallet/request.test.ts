import type { Payload } from "@svc/wallet/read-payload";
import type { SendResult } from "@svc/wallet/send-response";
import { WalletError } from "@svc/wallet/wallet-error";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  askAbout,
  expireRequest,
  readRequest,
  refuse,
  renewablePayload,
  renewRequest,
  type WalletRequest,
} from "./request.ts";

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

const LATER = NOW + 31;

type Parts = { webhook: string; session: string; action: string; domain: string; intent: string };
const PARTS: Parts = {
  webhook: "https://example.com/webhook/login",
  session: "s1",
  action: "login",
  domain: "example.com",
  intent: "",
};
const OTHER: Parts = {
  webhook: "https://evil.example/webhook/login",
  session: "s2",
  action: "register",
  domain: "evil.example",
  intent: "add",
};

function payload(parts: Partial<Parts>, ts: number, nonce: string): Payload {
  const { webhook, session, action, domain, intent } = { ...PARTS, ...parts };
  const read = readRequest(
    `svc://auth?${new URLSearchParams({
      webhook,
      session,
      challenge: `svc:${action}:${domain}:${ts}:${nonce.repeat(32)}`,
      ...(intent ? { intent } : {}),
    })}`,
  );
  if ("phase" in read) throw new Error(JSON.stringify(read));
  return read;
}

function fastPayload(sid: string, token: string, ts: number, host = "example.com"): Payload {
  const read = readRequest(`https://${host}/api/fastauth?sid=${sid}&c=${token}&t=${ts.toString(16)}`);
  if ("phase" in read) throw new Error(JSON.stringify(read));
  return read;
}

const first = payload({}, NOW, "a");
const next = payload({}, LATER, "b");
const asking = askAbout(first, { now: NOW });
const ended = expireRequest(asking, LATER);
const answered = (status: number, of = first): WalletRequest => ({
  phase: "answered",
  payload: of,
  result: { ok: status === 200, status, code: "", message: "", advice: "" } satisfies SendResult,
});

test.each<[string, WalletRequest]>([
  ["that waits", asking],
  ["whose code ran out unanswered", ended],
  ["whose answer came too late", answered(408)],
])("a question %s goes on with the next code of its login", (_, request) => {
  expect(renewRequest(request, next, { now: LATER })).toMatchObject({ phase: "asking", payload: next });
});

test("and so does one of fast login, where 400 says that it came too late", () => {
  const [old, renewed] = [fastPayload("s_1", "a_1", NOW), fastPayload("s_1", "b_1", NOW + 30)];
  expect(renewRequest(answered(400, old), renewed, { now: LATER })).toMatchObject({ payload: renewed });
  const strange = fastPayload("s_1", "b_1", NOW + 30, "evil.example");
  const request = answered(400, old);
  expect(renewRequest(request, strange, { now: LATER })).toBe(request);
});

test("what went wrong before is still told beside the next code", () => {
  const again: WalletRequest = { phase: "asking", payload: first, problem: "Not confirmed." };
  expect(renewRequest(again, next, { now: LATER })).toMatchObject({ problem: "Not confirmed." });
});

test.each<[string, WalletRequest]>([
  ["was accepted", answered(200)],
  ["was answered otherwise", answered(404)],
  ["is being signed", { phase: "confirming", payload: first }],
  ["is on its way", { phase: "sending", payload: first }],
  ["was declined", { phase: "declined" }],
  ["was refused for another reason", askAbout(payload({ webhook: OTHER.webhook }, NOW, "a"), { now: NOW })],
])("what %s is not asked again", (_, request) => {
  expect(renewablePayload(request)).toBeNull();
  expect(renewRequest(request, next, { now: LATER })).toBe(request);
});

test("a code that is older than its life, or the one that is there already, is no next one", () => {
  expect(renewRequest(ended, next, { now: LATER + 31 })).toBe(ended);
  expect(renewRequest(ended, first, { now: NOW })).toBe(ended);
});

test("no code of another login, site or purpose is ever put in its place", () => {
  const names = Object.keys(PARTS) as (keyof Parts)[];
  fc.assert(
    fc.property(
      fc.constantFrom(asking, ended, answered(408)),
      fc.subarray(names, { minLength: 1 }),
      (request, changed) => {
        const parts = Object.fromEntries(changed.map((name) => [name, OTHER[name]]));
        const trusting = { now: LATER, trustedHosts: ["evil.example", "example.com"] };
        expect(renewRequest(request, payload(parts, LATER, "b"), trusting)).toBe(request);
      },
    ),
  );
});

test("a question that waits for the site's word gets the next code, and so does one that was too late to get it", () => {
  const api = { webhook: "https://api.example.net/x" };
  const named = { status: "ok" as const, hosts: ["api.example.net"] };
  const following = payload(api, LATER, "b");
  const waiting = askAbout(payload(api, NOW, "a"), { now: NOW, delegation: null });
  expect(renewablePayload(waiting)).not.toBeNull();
  expect(renewRequest(waiting, following, { now: LATER, delegation: null })).toEqual({
    phase: "elsewhere",
    payload: following,
  });
  const late = askAbout(payload(api, NOW, "a"), { now: LATER, delegation: named });
  expect(late).toMatchObject({ phase: "refused", ranOut: true });
  expect(renewRequest(late, following, { now: LATER, delegation: named })).toEqual({
    phase: "asking",
    payload: following,
  });
});
