import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Behaviour, type Receiver, startReceiver } from "../../tools/kit/receiver.ts";
import {
  BROWSER_RESPONSE_LIMIT_BYTES,
  describeAskingBrowser,
  findAskingBrowser,
  SILENT_SITE_RETRY_SECONDS,
  type SilentSites,
} from "./asking-browser.ts";
import { createChallengeText, expectedWalletError, formatSvcPayload, NOW } from "./payload.fixture.ts";
import { readPayload } from "./read-payload.ts";

const CHALLENGE = createChallengeText("login", "127.0.0.1");
const ASKED = {
  domain: "127.0.0.1",
  action: "login",
  intent: null as unknown,
  asked_at: new Date(NOW * 1000).toISOString(),
  expires_at: new Date((NOW + 30) * 1000).toISOString(),
  browser: { name: "Firefox on Linux" } as unknown,
  network: "same",
};
const FIREFOX = { name: "Firefox on Linux", askedAt: NOW, network: "same" };
const JSON_TYPE = { "content-type": "application/json" };

let site: Receiver;
let answer: Behaviour;
beforeAll(async () => {
  site = await startReceiver("127.0.0.1", 0, (...request) => answer(...request));
});
afterAll(() => site.close());
beforeEach(() => {
  site.received.length = 0;
  answer = respond(ASKED);
});

function respond(body: unknown, status = 200, type = "application/json"): Behaviour {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return (response) => response.writeHead(status, { "content-type": type }).end(text);
}

function code({ intent = "", path = "/webhook/login", session = "a/b" } = {}) {
  const text = formatSvcPayload({ webhook: site.url + path, challenge: CHALLENGE, session });
  return readPayload(intent ? `${text}&intent=${intent}` : text);
}

function memory() {
  const storedTimes = new Map<string, number>();
  const sites: SilentSites = {
    findSilentSince: async (webhook) => storedTimes.get(webhook),
    saveSilentSince: async (webhook, since) => void storedTimes.set(webhook, since),
  };
  return { kept: storedTimes, sites };
}

const ask = (payload = code(), sites: SilentSites | null = null, now = NOW) =>
  findAskingBrowser(payload, sites, { now: () => now });

describe("a wallet's question about the browser", () => {
  test("is a single GET request for JSON to the code's own webhook, without cookies or referrer", async () => {
    expect(await ask(code({ path: "/webhook/login?kept=1" }))).toEqual(FIREFOX);
    expect(site.received).toMatchObject([{ method: "GET", headers: { accept: "application/json" } }]);
    const [{ path, headers } = { path: "", headers: {} }] = site.received;
    const parameters = new URLSearchParams({ kept: "1", s: "a/b", c: CHALLENGE });
    expect(path).toBe(`/webhook/login?${parameters}`);
    for (const name of ["cookie", "authorization", "referer"]) expect(headers).not.toHaveProperty(name);
  });

  test.each<[string, string, unknown]>([
    ["replaced with a different one", "approve", "add"],
    ["replaced with an unknown one", "", "transfer"],
  ])("detects that a code's intent was changed in transit: %s", async (_what, intent, shownIntent) => {
    answer = respond({ ...ASKED, intent: shownIntent });
    await expect(ask(code({ intent }))).rejects.toEqual(expectedWalletError("code_changed"));
  });

  test("reports a code as expired after a 408", async () => {
    answer = respond({ error: { code: "challenge_expired", message: "x", details: {} } }, 408);
    const { kept, sites } = memory();
    await expect(ask(code(), sites)).rejects.toEqual(expectedWalletError("challenge_expired"));
    expect(kept.size).toBe(0);
  });

  const many = Array.from({ length: 40 }, (_, at) => `p${at}=`).join("&");
  test.each<[string, Parameters<typeof code>[0]]>([
    ["that is too long", { session: "x".repeat(3000) }],
    ["with too many parameters", { path: `/webhook/login?${many}` }],
    ...["s=x", "c=", "a=1&%73=x", "S=x"].map((query): [string, Parameters<typeof code>[0]] => [
      `with ${query} in its webhook`,
      { path: `/webhook/login?${query}` },
    ]),
  ])("is not sent for a code that could not be a login code: %s", async (_, parts) => {
    await expect(ask(code(parts))).rejects.toEqual(expectedWalletError("code_changed"));
    expect(site.received).toHaveLength(0);
  });
});

describe("a site that does not answer the question", () => {
  const names = ["\u0000", "\u202e", "\u2028", "\u200b", "\ud800", "", "   ", "x".repeat(101)];
  const parts = [
    ...names.map((name) => ({ browser: { name } })),
    ...[
      { domain: "other.example" },
      { action: "register" },
      { network: "elsewhere" },
      { browser: "Firefox" },
    ],
    ...[{ intent: undefined }, { intent: "<b>" }, { intent: 1 }, { expires_at: null }],
    ...[{ asked_at: "yesterday" }, { asked_at: "2026-13-45T00:00:00Z" }],
  ];
  const notUtf8 = Buffer.from([0x22, 0xff, 0x22]);
  test.each<[string, Behaviour]>([
    ...[400, 204, 302].map((status): [string, Behaviour] => [`answers ${status}`, respond("", status)]),
    ["sends text that is not UTF-8", (response) => response.writeHead(200, JSON_TYPE).end(notUtf8)],
    ["sends more than 8 KB", respond(JSON.stringify(ASKED).padEnd(BROWSER_RESPONSE_LIMIT_BYTES + 1))],
    ...parts.map((part): [string, Behaviour] => [
      `says ${JSON.stringify(part).slice(0, 40)}`,
      respond({ ...ASKED, ...part }),
    ]),
  ])("is not asked again for a day after an unusable response: it %s", async (_what, answering) => {
    answer = answering;
    const { kept, sites } = memory();
    expect(await ask(code(), sites)).toBeNull();
    expect([...kept]).toEqual([[`${site.url}/webhook/login`, NOW]]);
    expect(await ask(code(), sites, NOW + SILENT_SITE_RETRY_SECONDS - 1)).toBeNull();
    expect(site.received).toHaveLength(1);
    answer = respond(ASKED);
    expect(await ask(code(), sites, NOW + SILENT_SITE_RETRY_SECONDS)).toEqual(FIREFOX);
  });

  test("is still asked at its other URLs", async () => {
    const { sites } = memory();
    answer = respond("", 404);
    await ask(code({ path: "/nowhere" }), sites);
    answer = respond(ASKED);
    expect(await ask(code(), sites)).toEqual(FIREFOX);
  });

  test("is asked again about the next code if the code's URL had extra parameters", async () => {
    const { kept, sites } = memory();
    answer = respond("", 400);
    expect(await ask(code({ path: "/webhook/login?x=1&x=2" }), sites)).toBeNull();
    expect(kept.size).toBe(0);
    answer = respond(ASKED);
    expect(await ask(code(), sites)).toEqual(FIREFOX);
  });

  test.each<[string, Behaviour]>([
    ["breaks the connection", (response) => response.destroy()],
    ["reports an error", respond("", 503)],
    ["refuses because of its rate limit", respond("", 429)],
  ])("is asked again about the next code after a temporary failure: it %s", async (_what, answering) => {
    answer = answering;
    const { kept, sites } = memory();
    expect(await ask(code(), sites)).toBeNull();
    expect(kept.size).toBe(0);
  });

  test("is asked again if the wallet cannot store anything", async () => {
    answer = respond("", 404);
    const broken = () => Promise.reject(new Error("no storage"));
    expect(await ask(code(), { findSilentSince: broken, saveSilentSince: broken })).toBeNull();
    expect(await findAskingBrowser(code(), null, { online: () => false })).toBeNull();
    expect(site.received).toHaveLength(1);
  });
});

test("formats the time since the browser's request in seconds, and never as a negative number", () => {
  const browser = { name: "Firefox", askedAt: NOW, network: "same" } as const;
  const descriptions = [-20, 0, 1.9, 2, 12.7].map((age) => describeAskingBrowser(browser, NOW + age));
  expect(descriptions.slice(0, 3)).toEqual(Array(3).fill("Firefox, just now"));
  expect(descriptions.slice(3)).toEqual(["Firefox, 2 seconds ago", "Firefox, 12 seconds ago"]);
});
