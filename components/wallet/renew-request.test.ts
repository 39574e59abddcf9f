import fc from "fast-check";
import { expect, test } from "vitest";
import type { Payload } from "#lib/wallet/read-payload.ts";
import type { SendResult } from "#lib/wallet/send-response.ts";
import { renewablePayload, renewRequest } from "./renew-request.ts";
import { askAbout, expireRequest, readRequest, type WalletRequest } from "./request.ts";

const NOW = 1_700_000_000;
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
