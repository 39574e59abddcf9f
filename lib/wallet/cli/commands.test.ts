import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Receiver, startReceiver } from "../../../scripts/kit/receiver.ts";
import { seedFromPhrase } from "../seed.ts";
import { answerCode, showKey, type WalletContext } from "./commands.ts";
import { placesBeside } from "./places-file.ts";

const NONCE = "0123456789abcdefghijABCDEFGHIJxy";
const SEED = await seedFromPhrase(`${"abandon ".repeat(11)}about`);

let server: Receiver;
let folder = "";
let status = 200;
let said: string[] = [];
/** The bodies that were posted. */
const received = () =>
  server.received.filter(({ body }) => body.length > 0).map(({ body }) => JSON.parse(body.toString()));
const context = (): WalletContext => ({
  // Each command wipes the seed that it is given.
  opened: { seed: SEED.slice(), installation: "00" },
  account: 0,
  trustedHosts: [],
  places: placesBeside(join(folder, "seed.json")),
  say: (line) => said.push(line),
  platform: "linux",
  version: "9",
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "wallet "));
  server = await startReceiver("127.0.0.1", 0, (response, { method }) => {
    // Does not tell who is asking.
    if (method === "GET") return response.writeHead(404).end();
    const error = { code: "user_not_found", message: "No account has this key.", details: {} };
    response.writeHead(status, { "content-type": "application/json" });
    return response.end(JSON.stringify(status === 200 ? { status: "authenticated" } : { error }));
  });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  [status, said] = [200, []];
  server.received.length = 0;
});

function payload({ action = "login", domain = "127.0.0.1", age = 0, host = "127.0.0.1" } = {}): string {
  const ts = Math.floor(Date.now() / 1000) - age;
  const challenge = `svc:${action}:${domain}:${ts}:${NONCE}`;
  const webhook = `http://${host}:${server.port}/webhook/${action}`;
  return `svc://auth?${new URLSearchParams({ webhook, session: "s", challenge, ts: String(ts) })}`;
}

test("a login says what it signs, posts a signature that verifies with the domain's key, and succeeds", async () => {
  const answer = await answerCode("login", payload(), context());
  const shown = await showKey("127.0.0.1", context());
  expect(answer).toMatchObject({ ok: true, status: 200, code: "authenticated", action: "login", ...shown });
  const [body = {}] = received();
  const { public_key, signature, challenge } = body;
  expect(public_key).toBe(shown.public_key);
  expect(
    secp256k1.verify(
      hexToBytes(String(signature)),
      utf8ToBytes(String(challenge)),
      hexToBytes(shown.public_key),
      {
        format: "der",
      },
    ),
  ).toBe(true);
  expect(body.device_info).toMatchObject({ platform: "linux", version: "9" });
  expect(Number.isInteger(body.timestamp)).toBe(true);
  expect(said.join("\n")).toMatch(
    /Domain {3}127\.0\.0\.1\nAction {3}login\nWebhook {2}127\.0\.0\.1:\d+\nLeft {5}\d+ of 30 s/,
  );
});

test.each([
  ["approve", "approve a change to your account", /goes on with the change/],
  ["add", "link this key to an existing account", /asks you to confirm/],
])(
  "a code with intent=%s is told to be one, before and after, and in the answer",
  async (intent, wish, advice) => {
    const answer = await answerCode("login", `${payload()}&intent=${intent}`, context());
    expect(said).toContain(`Action   ${wish}`);
    expect(answer.advice).toMatch(advice);
    expect(received()).toMatchObject([{ intent }]);
  },
);

test.each(["", "&intent=steal"])(
  "a code with '%s' behind it is shown as a login, and the answer says so",
  async (more) => {
    await answerCode("login", payload() + more, context());
    expect(said).toContain("Action   login");
    expect(received()).toMatchObject([{ intent: null }]);
  },
);

test("a code that links a key comes with a caution, and is none to register with", async () => {
  await answerCode("login", `${payload()}&intent=add`, context());
  expect(said.join("\n")).toMatch(
    /Caution {2}Whoever shows this code gets your key as a way in to their account/,
  );
  for (const code of [payload(), payload({ action: "register" })]) {
    await expect(answerCode("register", `${code}&intent=add`, context())).rejects.toThrow(
      /creates no account: it asks to link this key to an existing account/,
    );
  }
  said = [];
  await answerCode("login", payload(), context());
  expect(said.join("\n")).not.toContain("Caution");
});

test("a refusal carries the service's message and what to do", async () => {
  status = 404;
  expect(await answerCode("login", payload(), context())).toMatchObject({
    ok: false,
    status: 404,
    code: "user_not_found",
    message: "No account has this key.",
    advice: expect.stringContaining("register page"),
  });
});

test("another account has another key at the same domain", async () => {
  await answerCode("register", payload({ action: "register" }), context());
  await answerCode("register", payload({ action: "register" }), { ...context(), account: 1 });
  expect(new Set(received().map(({ public_key }) => public_key)).size).toBe(2);
});

test.each([
  ["of another host", { domain: "example.com" }, "webhook_host"],
  ["of another action", { action: "register" }, "wrong_action"],
  ["that has run out", { age: 40 }, "challenge_expired"],
])("a payload %s is refused, and nothing is said or sent", async (_, parts, code) => {
  await expect(answerCode("login", payload(parts), context())).rejects.toMatchObject({ code });
  expect(received()).toEqual([]);
  expect(said).toEqual([]);
});

test("a hosted API that is trusted may take the answer for another domain", async () => {
  const trusting = { ...context(), trustedHosts: ["127.0.0.1"] };
  expect(await answerCode("login", payload({ domain: "shop.test" }), trusting)).toMatchObject({
    ok: true,
  });
  expect(received()[0]?.public_key).toBe((await showKey("shop.test", context())).public_key);
});

test("a fast login code is no code for login or register", async () => {
  const fast = "https://example.com/api/fastauth?sid=a_1&c=b_1&t=5f";
  await expect(answerCode("login", fast, context())).rejects.toMatchObject({ code: "wrong_action" });
});
