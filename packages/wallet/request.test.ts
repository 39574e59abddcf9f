import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FAST_URL, NOW } from "./payload.fixture.ts";
import { type Payload, readPayload } from "./read-payload.ts";
import {
  createRefusedRequest,
  expireRequest,
  getRenewablePayload,
  readRequest,
  renewRequest,
  toWalletRequest,
  type WalletRequest,
} from "./request.ts";
import type { SiteClock } from "./site-clock.ts";
import { WalletError } from "./wallet-error.ts";

const LATER = NOW + 31;
const NAMED = { status: "ok" as const, hosts: ["api.example.net"] };

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

function payload(parts: Partial<Parts> = {}, ts = NOW, nonce = "a"): Payload {
  const { webhook, session, action, domain, intent } = { ...PARTS, ...parts };
  const challenge = `svc:${action}:${domain}:${ts}:${nonce.repeat(32)}`;
  const query = new URLSearchParams({ webhook, session, challenge, ...(intent ? { intent } : {}) });
  return readPayload(`svc://auth?${query}`);
}

function fastPayload(token: string, ts: number, host = "example.com"): Payload {
  return readPayload(`https://${host}/api/fastauth?sid=s_1&c=${token}&t=${ts.toString(16)}`);
}

const at = (now: number): SiteClock => ({ now: () => now, errorOf: () => 0, settle: () => {} });

const relayed = payload({ webhook: "https://api.example.net/x" });
const trust = { domain: "example.com", host: "api.example.net" };
const first = payload();
const next = payload({}, LATER, "b");
const askingRequest = toWalletRequest(first, { now: NOW });
const endedRequest = expireRequest(askingRequest, at(LATER));
const answeredRequest = (status: number, of = first): WalletRequest => ({
  phase: "answered",
  payload: of,
  result: { ok: status === 200, status, code: "", message: "", advice: "" },
});

describe("a scanned code", () => {
  test("is shown as a question instead of being answered automatically", () => {
    expect(askingRequest).toEqual({ phase: "asking", payload: first });
  });

  test("is refused with the reason if it names a different host, unless that host is trusted", () => {
    const message = expect.stringContaining("api.example.net");
    const refusal = { phase: "refused", payload: relayed, message, trust };
    expect(toWalletRequest(relayed, { now: NOW })).toMatchObject(refusal);
    expect(toWalletRequest(relayed, { now: NOW, trustedHosts: ["api.example.net"] })).toMatchObject({
      phase: "asking",
    });
  });

  test("waits for the user to continue if it names a different host", () => {
    const waitingRequest = toWalletRequest(relayed, { now: NOW, delegation: null });
    expect(waitingRequest).toEqual({ phase: "elsewhere", payload: relayed });
    expect(expireRequest(waitingRequest, at(NOW + 29))).toBe(waitingRequest);
    expect(expireRequest(waitingRequest, at(NOW + 30))).toMatchObject({ phase: "refused", ranOut: true });
    expect(toWalletRequest(relayed, { now: NOW, delegation: NAMED })).toMatchObject({ phase: "asking" });
    // The site answered slowly.
    expect(toWalletRequest(relayed, { now: LATER, delegation: NAMED })).toMatchObject({ ranOut: true });
    const delegation = { status: "missing" as const, reason: "the answer has status 404 instead of 200" };
    const message = expect.stringContaining("status 404");
    expect(toWalletRequest(relayed, { now: NOW, delegation })).toMatchObject({
      phase: "refused",
      message,
      trust,
    });
  });

  test.each(["", "javascript:alert(1)", "https://example.com/f?sid=a_1&c=b_1&t=xyz"])(
    "is refused without showing its text if it is %j",
    (text) => expect(readRequest(text)).toMatchObject({ phase: "refused", payload: null }),
  );

  test.each([
    ["from a domain", first, 30],
    ["from a fast login", readPayload(FAST_URL), 120],
  ])("expires only when its lifetime has ended: %s", (_, code, lifetime) => {
    const question = toWalletRequest(code, { now: NOW });
    expect(expireRequest(question, at(NOW + lifetime - 1))).toBe(question);
    const expiredRequest = expireRequest(question, at(NOW + lifetime));
    expect(expiredRequest).toMatchObject({
      phase: "refused",
      message: expect.stringMatching(/has expired/),
      ranOut: true,
    });
    const lateRequest = toWalletRequest(code, { now: NOW + lifetime + 1 });
    expect(lateRequest).toMatchObject({ phase: "refused", ranOut: true });
    expect(lateRequest).not.toHaveProperty("trust");
    const sending: WalletRequest = { phase: "sending", payload: code };
    expect(expireRequest(sending, at(NOW + 999))).toBe(sending);
  });

  test("is refused with the wallet's own error message", () => {
    const lateError = new WalletError("challenge_expired", "Too old.");
    expect(createRefusedRequest(null, lateError)).toMatchObject({ message: "Too old." });
    expect(createRefusedRequest(null, new DOMException("quota"))).toMatchObject({
      message: /Reload this page/,
    });
  });
});

test.each<[string, WalletRequest]>([
  ["that is still open", askingRequest],
  ["whose code has expired", endedRequest],
  ["whose answer was too late", answeredRequest(408)],
])("continues a question %s with the next code of its login", (_, request) => {
  expect(renewRequest(request, next, { now: LATER })).toMatchObject({ phase: "asking", payload: next });
});

test("treats a fast login code as expired if its site answers 400", () => {
  const request = answeredRequest(400, fastPayload("a_1", NOW));
  const renewed = fastPayload("b_1", NOW + 30);
  expect(renewRequest(request, renewed, { now: LATER })).toMatchObject({ payload: renewed });
  expect(renewRequest(request, fastPayload("b_1", NOW + 30, "evil.example"), { now: LATER })).toBe(request);
});

test("shows the previous code's error next to the next code", () => {
  const again: WalletRequest = { phase: "asking", payload: first, problem: "Not confirmed." };
  expect(renewRequest(again, next, { now: LATER })).toMatchObject({ problem: "Not confirmed." });
});

test.each<[string, WalletRequest]>([
  ["was accepted", answeredRequest(200)],
  ["was answered in another way", answeredRequest(404)],
  ["is being signed", { phase: "confirming", payload: first }],
  ["is being sent", { phase: "sending", payload: first }],
  ["was declined", { phase: "declined" }],
  ["was refused for another reason", toWalletRequest(relayed, { now: NOW })],
])("does not ask again about a request that %s", (_, request) => {
  expect(getRenewablePayload(request)).toBeNull();
  expect(renewRequest(request, next, { now: LATER })).toBe(request);
});

test("does not replace a request with an expired code or the same code", () => {
  expect(renewRequest(endedRequest, next, { now: LATER + 31 })).toBe(endedRequest);
  expect(renewRequest(endedRequest, first, { now: NOW })).toBe(endedRequest);
});

test("never replaces a request with a code for a different login, site or purpose", () => {
  const names = Object.keys(PARTS) as (keyof Parts)[];
  fc.assert(
    fc.property(
      fc.constantFrom(askingRequest, endedRequest, answeredRequest(408)),
      fc.subarray(names, { minLength: 1 }),
      (request, changed) => {
        const parts = Object.fromEntries(changed.map((name) => [name, OTHER[name]]));
        const trusting = { now: LATER, trustedHosts: ["evil.example", "example.com"] };
        expect(renewRequest(request, payload(parts, LATER, "b"), trusting)).toBe(request);
      },
    ),
  );
});

test("switches to the next code while a request waits for the domain's delegation file", () => {
  const following = payload({ webhook: relayed.webhook }, LATER, "b");
  const waitingRequest = toWalletRequest(relayed, { now: NOW, delegation: null });
  const lateRequest = toWalletRequest(relayed, { now: LATER, delegation: NAMED });
  expect(lateRequest).toMatchObject({ phase: "refused", ranOut: true });
  const renewed = renewRequest(waitingRequest, following, { now: LATER, delegation: null });
  expect(renewed).toEqual({ phase: "elsewhere", payload: following });
  const settled = renewRequest(lateRequest, following, { now: LATER, delegation: NAMED });
  expect(settled).toEqual({ phase: "asking", payload: following });
});
