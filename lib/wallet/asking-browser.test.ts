import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  describeAsking,
  findAskingBrowser,
  QUESTION_LIMIT_BYTES,
  SILENCE_SECONDS,
  type SilentSites,
} from "./asking-browser.ts";
import { challengeText, NOW, svcForm } from "./payload.fixture.ts";
import { type ChallengePayload, readPayload } from "./read-payload.ts";

const CHALLENGE = challengeText("login", "127.0.0.1");
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

type Answering = (response: ServerResponse) => void;

let server: Server;
let origin = "";
let asked: IncomingMessage[] = [];
let answer: Answering;

beforeEach(async () => {
  asked = [];
  answer = say(ASKED);
  server = createServer((request, response) => {
    asked.push(request);
    answer(response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  // A TCP server's address is always this shape.
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function say(body: unknown, status = 200, type = "application/json") {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return (response: ServerResponse) => response.writeHead(status, { "content-type": type }).end(text);
}

function code({ intent = "", path = "/webhook/login", session = "a/b" } = {}): ChallengePayload {
  const text = svcForm({ webhook: origin + path, challenge: CHALLENGE, session });
  const payload = readPayload(intent ? `${text}&intent=${intent}` : text);
  if (payload.kind !== "challenge") throw new Error(payload.kind);
  return payload;
}

function memory() {
  const kept = new Map<string, number>();
  const sites: SilentSites = {
    findSilence: async (webhook) => kept.get(webhook),
    keepSilence: async (webhook, since) => void kept.set(webhook, since),
  };
  return { kept, sites };
}

const ask = (payload = code(), sites: SilentSites | null = null, now = NOW) =>
  findAskingBrowser(payload, sites, { now: () => now });

describe("a wallet asks who is asking", () => {
  test("at the code's own webhook, by one GET for JSON, without cookies or referrer", async () => {
    expect(await ask(code({ path: "/webhook/login?kept=1" }))).toEqual(FIREFOX);
    expect(asked).toHaveLength(1);
    const [{ method, url = "", headers } = {} as IncomingMessage] = asked;
    expect(method).toBe("GET");
    expect(new URL(url, origin).pathname).toBe("/webhook/login");
    expect([...new URL(url, origin).searchParams]).toEqual([
      ["kept", "1"],
      ["s", "a/b"],
      ["c", CHALLENGE],
    ]);
    expect(headers.accept).toBe("application/json");
    for (const name of ["cookie", "authorization", "referer"]) expect(headers).not.toHaveProperty(name);
  });

  test.each(["approve", "add"])("also for a code with the intent %s", async (intent) => {
    answer = say({ ...ASKED, intent });
    expect(await ask(code({ intent }))).toEqual(FIREFOX);
  });

  test.each<[string, string, unknown]>([
    ["dropped", "", "approve"],
    ["made up", "add", null],
    ["changed", "approve", "add"],
    ["one that this wallet does not know", "", "transfer"],
  ])("and refuses a code whose intent was %s on its way", async (_what, intent, own) => {
    answer = say({ ...ASKED, intent: own });
    await expect(ask(code({ intent }))).rejects.toMatchObject({ code: "code_changed" });
  });

  test("and hears by a 408 that the code is over", async () => {
    answer = say({ error: { code: "challenge_expired", message: "x", details: {} } }, 408);
    const { kept, sites } = memory();
    await expect(ask(code(), sites)).rejects.toMatchObject({ code: "challenge_expired" });
    expect(kept.size).toBe(0);
  });

  test.each<[string, Parameters<typeof code>[0]]>([
    ["long", { session: "x".repeat(3000) }],
    [
      "full of parameters",
      { path: `/webhook/login?${Array.from({ length: 40 }, (_, at) => `p${at}=`).join("&")}` },
    ],
  ])(
    "and refuses a code too %s for the question to be read, as one that hides who is asking",
    async (_what, parts) => {
      await expect(ask(code(parts))).rejects.toMatchObject({ code: "code_changed" });
      expect(asked).toHaveLength(0);
    },
  );
});

describe("a site that does not tell", () => {
  const dead = ["\u0000", "\u202e", "\u2028", "\u200b", "\ud800", "", "   ", "x".repeat(101)];
  test.each<[string, Answering]>([
    ...[404, 405, 400, 401, 204, 302].map(
      (status) => [`answers ${status}`, say("", status)] as [string, Answering],
    ),
    ["shows a page", say("<!doctype html>", 200, "text/html")],
    ["sends no JSON", say("{")],
    ["sends null", say("null")],
    [
      "sends text that is not UTF-8",
      (response) =>
        response.writeHead(200, { "content-type": "application/json" }).end(Buffer.from([0x22, 0xff, 0x22])),
    ],
    ["sends more than 8 KB", say(JSON.stringify(ASKED).padEnd(QUESTION_LIMIT_BYTES + 1))],
    ...dead.map(
      (name) =>
        [`names the browser ${JSON.stringify(name).slice(0, 12)}`, say({ ...ASKED, browser: { name } })] as [
          string,
          Answering,
        ],
    ),
    ...[
      { domain: "other.example" },
      { action: "register" },
      { intent: undefined },
      { intent: "<b>" },
      { intent: 1 },
      { asked_at: "yesterday" },
      { asked_at: "2026-13-45T00:00:00Z" },
      { expires_at: null },
      { browser: "Firefox" },
      { network: "elsewhere" },
    ].map((part) => [`says ${JSON.stringify(part)}`, say({ ...ASKED, ...part })] as [string, Answering]),
  ])("that %s is left alone for a day, and its codes are asked about as before", async (_what, answering) => {
    answer = answering;
    const { kept, sites } = memory();
    expect(await ask(code(), sites)).toBeNull();
    expect([...kept]).toEqual([[`${origin}/webhook/login`, NOW]]);
    expect(await ask(code(), sites, NOW + SILENCE_SECONDS - 1)).toBeNull();
    expect(asked).toHaveLength(1);
    answer = say(ASKED);
    expect(await ask(code(), sites, NOW + SILENCE_SECONDS)).toEqual(FIREFOX);
  });

  test("at one address is asked at another: no code can make a wallet leave out the real one", async () => {
    const { sites } = memory();
    answer = say("", 404);
    await ask(code({ path: "/nowhere" }), sites);
    answer = say(ASKED);
    expect(await ask(code(), sites)).toEqual(FIREFOX);
  });

  test.each<[string, Answering]>([
    ["breaks the connection", (response) => response.destroy()],
    ["has trouble of its own", say("", 503)],
    ["counts too many questions", say("", 429)],
  ])("because it %s is asked again for the next code", async (_what, answering) => {
    answer = answering;
    const { kept, sites } = memory();
    expect(await ask(code(), sites)).toBeNull();
    expect(kept.size).toBe(0);
  });

  test("in two seconds is not waited for", async () => {
    answer = (response) => void response.writeHead(200, { "content-type": "application/json" }).write("{");
    const started = Date.now();
    expect(await ask()).toBeNull();
    expect(Date.now() - started).toBeLessThan(4000);
  });

  test("is asked again where the wallet can keep nothing, and a device without a network asks nobody", async () => {
    answer = say("", 404);
    const broken: SilentSites = {
      findSilence: () => Promise.reject(new Error("no storage")),
      keepSilence: () => Promise.reject(new Error("no storage")),
    };
    expect(await ask(code(), broken)).toBeNull();
    expect(await findAskingBrowser(code(), null, { online: () => false })).toBeNull();
    expect(asked).toHaveLength(1);
  });
});

test("how long ago a browser asked is said in seconds, and never in the future", () => {
  const browser = { name: "Firefox on Linux", askedAt: NOW, network: "same" } as const;
  expect([-20, 0, 1.9, 2, 12.7].map((age) => describeAsking(browser, NOW + age).slice(18))).toEqual([
    "just now",
    "just now",
    "just now",
    "2 seconds ago",
    "12 seconds ago",
  ]);
});
