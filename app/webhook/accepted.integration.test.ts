import { secp256k1 } from "@noble/curves/secp256k1.js";
import { describe, expect, inject, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { Client } from "#scripts/kit/client.ts";
import { check, Qr, registered, requestQr } from "#scripts/kit/login.ts";
import { ageLogin, sql } from "#scripts/kit/sql.ts";
import { TestWallet } from "#scripts/kit/test-wallet.ts";

const [url] = inject("appUrls");
const databaseUrl = inject("databaseUrl");

const send = (action: string, body: unknown) => new Client(url).post(`/webhook/${action}`, body);

describe("POST /webhook/login with an unknown key", () => {
  test("answers 404 and leaves the challenge to a wallet that has an account", async () => {
    const { challenge } = await requestQr(new Client(url));
    await expectApiError(await send("login", new TestWallet().response(challenge)), 404, "user_not_found");
    const { wallet } = await registered(url);
    expect((await send("login", wallet.response(challenge))).status).toBe(200);
  });

  test("makes no user; registering in the same session afterwards does", async () => {
    const wallet = new TestWallet();
    const browser = new Client(url);
    const { sid, challenge } = await requestQr(browser);
    await send("login", wallet.response(challenge));
    const users = "SELECT user_id FROM credential WHERE value = $1";
    expect(await sql(databaseUrl, users, [wallet.publicKey])).toEqual([]);
    const second = await requestQr(browser, "register", sid);
    expect((await send("register", wallet.response(second.challenge))).status).toBe(200);
    expect(await sql(databaseUrl, users, [wallet.publicKey])).toHaveLength(1);
    expect(await check(browser, sid)).toMatchObject({ status: "authenticated" });
  });
});

describe("a wallet response that is accepted", () => {
  async function userOf(wallet: TestWallet, action: string, changes = {}) {
    const browser = new Client(url);
    const { sid, challenge } = await requestQr(browser, action);
    const response = await send(action, wallet.response(challenge, changes));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: "authenticated" });
    return check(browser, sid);
  }

  test("registers, logs in again and registers again as one and the same user", async () => {
    const wallet = new TestWallet();
    const user = await userOf(wallet, "register");
    expect(await userOf(wallet, "login")).toEqual(user);
    expect(await userOf(wallet, "register")).toEqual(user);
  });

  test("is the same user by the compressed form of the key and in upper case", async () => {
    const wallet = new TestWallet();
    const user = await userOf(wallet, "register");
    const compressed = secp256k1.Point.fromHex(wallet.publicKey).toHex(true);
    expect(await userOf(wallet, "login", { public_key: compressed })).toEqual(user);
    expect(await userOf(wallet, "register", { public_key: compressed.toUpperCase() })).toEqual(user);
    expect(await userOf(wallet, "login", { public_key: wallet.publicKey.toUpperCase() })).toEqual(user);
  });

  test("may be signed with high-S, and in upper-case hex", async () => {
    const wallet = new TestWallet();
    await userOf(wallet, "register");
    const { challenge } = await requestQr(new Client(url));
    const { r, s } = secp256k1.Signature.fromHex(wallet.sign(challenge), "der");
    const order = secp256k1.Point.CURVE().n;
    const high = new secp256k1.Signature(r, s > order / 2n ? s : order - s).toHex("der");
    const response = await send("login", wallet.response(challenge, { signature: high.toUpperCase() }));
    expect(response.status).toBe(200);
  });

  test("may leave device_info out, and carry fields that nobody knows", async () => {
    await userOf(new TestWallet(), "register", { device_info: undefined, extra: { deep: [1] } });
  });

  test("keeps the wallet's own time as signed_at, and its device", async () => {
    const wallet = new TestWallet();
    const { sid, challenge } = await requestQr(new Client(url), "register");
    await send("register", wallet.response(challenge, { timestamp: 1_000_000_000 }));
    const rows = await sql(databaseUrl, "SELECT signed_at, device_info FROM login_session WHERE sid = $1", [
      sid,
    ]);
    expect(rows).toEqual([
      {
        signed_at: "1000000000",
        device_info: { platform: "ios", version: "1.2.3", device_id: "device-1" },
      },
    ]);
  });

  test("may answer the code before the present one until its own 30 seconds are over", async () => {
    const browser = new Client(url);
    const { sid, challenge } = await requestQr(browser, "register");
    await ageLogin(databaseUrl, sid, 20);
    await requestQr(browser, "register", sid);
    const wallet = new TestWallet();
    expect((await send("register", wallet.response(challenge))).status).toBe(200);
  });

  test("is found by a reader of the QR payload alone", async () => {
    const { qr } = Qr.parse(await (await new Client(url).fetch("/api/svc/qr?mode=register")).json());
    const payload = new URL(qr).searchParams;
    const response = await fetch(payload.get("webhook") ?? "", {
      method: "POST",
      headers: { "Content-Type": "application/json; charset=utf-8" },
      body: JSON.stringify(new TestWallet().response(payload.get("challenge") ?? "")),
    });
    expect(response.status).toBe(200);
  });
});
