import { secp256k1 } from "@noble/curves/secp256k1.js";
import { describe, expect, inject, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { Client } from "#scripts/kit/client.ts";
import { check, registered, requestQr } from "#scripts/kit/login.ts";
import { ageLogin } from "#scripts/kit/sql.ts";
import { TestWallet } from "#scripts/kit/test-wallet.ts";

const [url] = inject("appUrls");
const databaseUrl = inject("databaseUrl");

const send = (action: string, body: unknown) => new Client(url).post(`/webhook/${action}`, body);

/** The order in which a wallet response is judged (docs/protocol.md#3-login); each test below holds one rule of it. */
describe.each(["login", "register"])("POST /webhook/%s", (action) => {
  const issue = () => requestQr(new Client(url), action);
  const otherAction = action === "login" ? "register" : "login";

  describe("400: the body has not the shape of a wallet response", () => {
    const wallet = new TestWallet();
    test.each([
      ["without public_key", { public_key: undefined }],
      ["without signature", { signature: undefined }],
      ["without challenge", { challenge: undefined }],
      ["without timestamp", { timestamp: undefined }],
      ["with a number as public_key", { public_key: 4 }],
      ["with null as signature", { signature: null }],
      ["with an array as challenge", { challenge: ["svc"] }],
      ["with an object as challenge", { challenge: { toString: "x" } }],
      ["with a string as timestamp", { timestamp: "1795263680" }],
      ["with a fraction as timestamp", { timestamp: 1.5 }],
      ["with a timestamp beyond all dates", { timestamp: 1e300 }],
      ["with a negative timestamp", { timestamp: -1 }],
      ["with a text as device_info", { device_info: "ios" }],
      ["with a number as a platform", { device_info: { platform: 1 } }],
      ["with an array as device_info", { device_info: [] }],
    ])("%s", async (_name, changes) => {
      const { challenge } = await issue();
      const response = await send(action, wallet.response(challenge, changes));
      await expectApiError(response, 400, "invalid_request");
    });

    test("names the fields that are wrong", async () => {
      const body = await (await send(action, { timestamp: "now" })).json();
      expect(Object.keys(body.error.details.fields).toSorted()).toEqual([
        "challenge",
        "public_key",
        "signature",
        "timestamp",
      ]);
    });
  });

  describe("408: the challenge is not one to be answered here and now", () => {
    const NONCE = "n".repeat(32);
    test.each([
      ["unknown", () => `svc:${action}:localhost:${Math.floor(Date.now() / 1000)}:${NONCE}`],
      ["of another domain", () => `svc:${action}:evil.example:${Math.floor(Date.now() / 1000)}:${NONCE}`],
      ["empty", () => ""],
      ["hostile", () => "svc:login:' OR 1=1 --:1:x"],
      ["60,000 characters long", () => "x".repeat(60_000)],
    ])("%s", async (_name, make) => {
      await expectApiError(await send(action, new TestWallet().response(make())), 408, "challenge_expired");
    });

    test.each([
      ["in upper case", (text: string) => text.toUpperCase()],
      ["with a space after it", (text: string) => `${text} `],
      ["cut short by its last character", (text: string) => text.slice(0, -1)],
      ["with a line break before it", (text: string) => `\n${text}`],
    ])("known, but %s: found by its exact text alone", async (_name, change) => {
      const { challenge } = await issue();
      const response = await send(action, new TestWallet().response(change(challenge)));
      await expectApiError(response, 408, "challenge_expired");
    });

    test("of the other action", async () => {
      const { challenge } = await requestQr(new Client(url), otherAction);
      const { wallet } = await registered(url);
      await expectApiError(await send(action, wallet.response(challenge)), 408, "challenge_expired");
      // And not spent by it.
      expect((await send(otherAction, wallet.response(challenge))).status).toBe(200);
    });

    test("used", async () => {
      const { wallet } = await registered(url);
      const { challenge } = await issue();
      expect((await send(action, wallet.response(challenge))).status).toBe(200);
      await expectApiError(await send(action, wallet.response(challenge)), 408, "challenge_expired");
    });

    test("of a session that another challenge has authenticated", async () => {
      const { wallet } = await registered(url);
      const browser = new Client(url);
      const first = await requestQr(browser, action);
      const second = await requestQr(browser, action, first.sid);
      expect((await send(action, wallet.response(first.challenge))).status).toBe(200);
      await expectApiError(await send(action, wallet.response(second.challenge)), 408, "challenge_expired");
    });

    test("30 seconds old, by the server's clock and whatever timestamp the wallet claims", async () => {
      const { wallet } = await registered(url);
      const { sid, challenge } = await issue();
      await ageLogin(databaseUrl, sid, 30);
      const response = await send(action, wallet.response(challenge, { timestamp: 0 }));
      await expectApiError(response, 408, "challenge_expired");
      expect(await check(new Client(url), sid)).toEqual({ status: "pending" });
    });

    test("and not when it is some seconds younger", async () => {
      const { wallet } = await registered(url);
      const { sid, challenge } = await issue();
      await ageLogin(databaseUrl, sid, 20);
      expect((await send(action, wallet.response(challenge, { timestamp: 0 }))).status).toBe(200);
    });

    test("before 406: an expired challenge with a bad signature", async () => {
      const { sid, challenge } = await issue();
      await ageLogin(databaseUrl, sid, 31);
      const response = await send(action, new TestWallet().response(challenge, { signature: "00" }));
      await expectApiError(response, 408, "challenge_expired");
    });

    test("before 404: an expired challenge with an unknown key", async () => {
      const { sid, challenge } = await issue();
      await ageLogin(databaseUrl, sid, 31);
      const response = await send(action, new TestWallet().response(challenge));
      await expectApiError(response, 408, "challenge_expired");
      expect(await check(new Client(url), sid)).toEqual({ status: "pending" });
    });
  });

  describe("406: the key or the signature is wrong", () => {
    const wallet = new TestWallet();
    const other = new TestWallet();
    const toRaw = (der: string) => secp256k1.Signature.fromHex(der, "der").toHex("compact");
    test.each<[string, (challenge: string) => Record<string, unknown>]>([
      ["a key that is no hex", () => ({ public_key: "04zz" })],
      ["an empty key", () => ({ public_key: "" })],
      ["a key that is no point", () => ({ public_key: `04${"11".repeat(64)}` })],
      ["a hybrid key", () => ({ public_key: `06${wallet.publicKey.slice(2)}` })],
      ["a key with 0x before it", () => ({ public_key: `0x${wallet.publicKey}` })],
      ["a key of another wallet", () => ({ public_key: other.publicKey })],
      ["an empty signature", () => ({ signature: "" })],
      ["a signature that is no hex", () => ({ signature: "not hex" })],
      ["a signature of another wallet", (text) => ({ signature: other.sign(text) })],
      ["a signature over another text", (text) => ({ signature: wallet.sign(`${text} `) })],
      ["a raw r||s signature", (text) => ({ signature: toRaw(wallet.sign(text)) })],
      ["a signature with a byte behind it", (text) => ({ signature: `${wallet.sign(text)}00` })],
      ["a BER long-form length", (text) => ({ signature: wallet.sign(text).replace(/^30/, "3081") })],
      ["a 60,000 character signature", () => ({ signature: "30".repeat(30_000) })],
    ])("%s; a failed try does not spend the challenge", async (_name, change) => {
      const { sid, challenge } = await issue();
      const response = await send(action, wallet.response(challenge, change(challenge)));
      await expectApiError(response, 406, "invalid_signature");
      expect(await check(new Client(url), sid)).toEqual({ status: "pending" });
      const { wallet: known } = await registered(url);
      expect((await send(action, known.response(challenge))).status).toBe(200);
    });
  });
});
