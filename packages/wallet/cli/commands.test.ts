import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import bitcoinMessage from "bitcoinjs-message";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type Receiver, startReceiver } from "../../../tools/kit/receiver.ts";
import { isValidSignature } from "../independent-crypto.fixture.ts";
import { expectedWalletError, PHRASE } from "../payload.fixture.ts";
import { seedFromPhrase } from "../seed.ts";
import { answerScannedCode, type CommandContext, createDomainKeyOutput } from "./commands.ts";
import { formatLoginCode } from "./run-wallet.fixture.ts";
import { openSiteRecordsFile } from "./site-records-file.ts";

const SEED = await seedFromPhrase(PHRASE);

let site: Receiver;
let folder = "";
let outputLines: string[] = [];
let reply: [status: number, type: string, body: string];
const posted = () => site.received.filter(({ method }) => method === "POST");
const responses = () => posted().map(({ body }) => JSON.parse(body.toString()));
const context = (changes: Partial<CommandContext> = {}): CommandContext => ({
  // Each command wipes the seed that it receives.
  opened: { seed: SEED.slice(), installation: "00" },
  account: 0,
  addressType: "p2wpkh",
  siteRecords: openSiteRecordsFile(join(folder, "seed.json"), []),
  say: (line) => outputLines.push(line),
  platform: "linux",
  version: "9",
  ...changes,
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "wallet "));
  site = await startReceiver("127.0.0.1", 0, (response, { method }) => {
    // This site does not describe the browser that requested a code.
    if (method === "GET") return response.writeHead(404).end();
    const [status, type, body] = reply;
    return response.writeHead(status, { "content-type": type }).end(body);
  });
});
afterAll(async () => {
  await site.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  [reply, outputLines] = [[200, "application/json", '{"status":"authenticated"}'], []];
  site.received.length = 0;
});

const code = (parts: Partial<Parameters<typeof formatLoginCode>[0]> = {}) =>
  formatLoginCode({ webhook: `${site.url}/webhook/login`, ...parts });

function fastCode(): string {
  const time = Math.floor(Date.now() / 1000);
  return `http://127.0.0.1:${site.port}/api/fastauth?sid=a_${time}&c=b_${time}&t=${time.toString(16)}`;
}

describe("a login code", () => {
  test("gets a signature that verifies with the domain's key", async () => {
    const shownKey = createDomainKeyOutput("127.0.0.1", context());
    const result = await answerScannedCode("login", code(), context());
    expect(result).toMatchObject({
      ok: true,
      status: 200,
      code: "authenticated",
      action: "login",
      ...shownKey,
    });
    const [body] = responses();
    expect(body).toMatchObject({
      public_key: shownKey.public_key,
      device_info: { platform: "linux", version: "9" },
      timestamp: expect.any(Number),
      intent: null,
    });
    expect(isValidSignature(shownKey.public_key, body.challenge, body.signature)).toBe(true);
    expect(outputLines.join("\n")).toMatch(
      /^Domain {3}127\.0\.0\.1\nAction {3}login\nWebhook {2}127\.0\.0\.1:\d+\nLeft {5}\d+ of 30 s\nKey {6}(\w+ ){3}\w+, (\w{4} ?){4}$/,
    );
  });

  test.each([
    ["approve", "approve a change to your account", /continues with the change/, null],
    [
      "add",
      "link this key to an existing account",
      /asks you to confirm/,
      /^Caution {2}The person who shows this code/,
    ],
  ])("is shown and answered with its intent: %s", async (intent, purpose, advice, caution) => {
    const result = await answerScannedCode("login", `${code()}&intent=${intent}`, context());
    expect(outputLines).toContain(`Action   ${purpose}`);
    expect(outputLines.find((line) => line.startsWith("Caution")) ?? null).toEqual(
      caution && expect.stringMatching(caution),
    );
    expect(result.advice).toMatch(advice);
    expect(responses()).toMatchObject([{ intent }]);
  });

  test("is refused for a registration if its intent is to add a key", async () => {
    for (const action of ["login", "register"]) {
      await expect(
        answerScannedCode("register", `${code({ action })}&intent=add`, context()),
      ).rejects.toThrow(/does not create an account: it asks you to link this key to an existing account/);
    }
  });

  test("can be answered through a trusted hosted API", async () => {
    const siteRecords = openSiteRecordsFile(join(folder, "seed.json"), ["127.0.0.1"]);
    const result = await answerScannedCode("login", code({ domain: "shop.test" }), context({ siteRecords }));
    expect(result).toMatchObject({ ok: true, ...createDomainKeyOutput("shop.test", context()) });
    expect(outputLines.join()).not.toContain("Named");
  });
});

describe("on a device with a wrong clock", () => {
  const real = Date.now;
  const setClock = (seconds: number) =>
    vi.spyOn(Date, "now").mockImplementation(() => real() + seconds * 1000);
  /** By the site's clock. */
  const codeAged = (age = 0) => code({ age: Math.round((Date.now() - real()) / 1000) + age });

  test.each([-300, 35])("answers a code if it is valid according to the site's clock: %i s", async (off) => {
    setClock(off);
    const before = Math.floor(real() / 1000);
    expect(await answerScannedCode("login", codeAged(10), context())).toMatchObject({ ok: true });
    expect(outputLines).toContainEqual(expect.stringMatching(/^Left {5}(?:19|20|21) of 30 s$/));
    const [{ timestamp }] = responses();
    expect(timestamp - before).toBeLessThan(10);
  });

  test.each([-300, 300])("refuses a code that is a minute old: %i s", async (off) => {
    setClock(off);
    await expect(answerScannedCode("login", codeAged(60), context())).rejects.toEqual(
      expectedWalletError("challenge_expired"),
    );
    expect(posted()).toEqual([]);
  });

  test.each([-300, 300])("answers a fast login code: %i s", async (off) => {
    reply = [200, "text/plain", "successfully authenticated"];
    const url = fastCode();
    setClock(off);
    expect(await answerScannedCode("fast", url, context())).toMatchObject({ ok: true });
  });

  test("refuses every code without asking its site if the clock is an hour off", async () => {
    setClock(3600);
    const answering = answerScannedCode("login", codeAged(), context());
    await expect(answering).rejects.toThrow("this device's clock is about 60 minutes ahead, so set it.");
    expect(site.received).toEqual([]);
  });
});

// packages/wallet/bitcoin-address.test.ts tests what each type of address signs.
test("answers a fast login code with a form whose signature verifies", async () => {
  reply = [200, "text/plain", "successfully authenticated"];
  const [url, address, address_type] = [
    fastCode(),
    "37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf",
    "p2sh-p2wpkh",
  ] as const;
  const result = await answerScannedCode("fast", url, context({ addressType: address_type }));
  expect(result).toMatchObject({ ok: true, status: 200, address, address_type, webhook: url });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  expect(posted()).toMatchObject([{ path: url.slice(url.indexOf("/api/")), headers }]);
  const fields = new URLSearchParams(posted()[0]?.body.toString());
  const { msg = "", sig = "", addr = "", pubk } = Object.fromEntries(fields);
  expect([msg, addr, pubk]).toEqual([url, address, result.public_key]);
  expect(bitcoinMessage.verify(msg, addr, sig)).toBe(true);
  expect(outputLines.join("\n")).toMatch(
    /^Host {5}127\.0\.0\.1:\d+\nAction {3}sign in with an address\nAddress {2}\w+\nLeft {5}\d+ of 120 s$/,
  );
});

// packages/wallet/check-payload.test.ts tests what every wallet refuses.
test.each<[string, () => string, "login" | "fast", string]>([
  ["for fast login instead of login", () => fastCode(), "login", "wrong_action"],
  ["for login instead of fast login", () => code(), "fast", "wrong_action"],
])("refuses a code %s", async (_, make, verb, reason) => {
  await expect(answerScannedCode(verb, make(), context())).rejects.toEqual(expectedWalletError(reason));
  expect([site.received, outputLines]).toEqual([[], []]);
});
