import { describe, expect, inject, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { Client } from "#scripts/kit/client.ts";
import { check, registered, requestQr } from "#scripts/kit/login.ts";
import { ageLogin, sql } from "#scripts/kit/sql.ts";
import { TestWallet } from "#scripts/kit/test-wallet.ts";

/**
 * What a wallet response comes to, beside what a run of the conformance kit asks (sections 1.1 to 1.5 and 3.2:
 * lib/conformance/app.integration.test.ts).
 */

const [url] = inject("appUrls");
const databaseUrl = inject("databaseUrl");

const send = (action: string, body: unknown) => new Client(url).post(`/webhook/${action}`, body);

describe.each(["login", "register"])("POST /webhook/%s", (action) => {
  const issue = () => requestQr(new Client(url), action);
  const otherAction = action === "login" ? "register" : "login";

  test("400: names the fields that are wrong", async () => {
    const response = await send(action, { timestamp: "now" });
    expect(response.status).toBe(400);
    const { error } = await response.json();
    expect(Object.keys(error.details.fields).toSorted()).toEqual([
      "challenge",
      "public_key",
      "signature",
      "timestamp",
    ]);
  });

  test.each([
    ["empty", ""],
    ["hostile", "svc:login:' OR 1=1 --:1:x"],
    ["60,000 characters long", "x".repeat(60_000)],
  ])("408: a challenge that is %s", async (_name, challenge) => {
    await expectApiError(await send(action, new TestWallet().response(challenge)), 408, "challenge_expired");
  });

  test("408: a challenge of the other action, which is not spent by it", async () => {
    const { challenge } = await requestQr(new Client(url), otherAction);
    const { wallet } = await registered(url);
    await expectApiError(await send(action, wallet.response(challenge)), 408, "challenge_expired");
    expect((await send(otherAction, wallet.response(challenge))).status).toBe(200);
  });

  test("408 before 406 and 404: an expired challenge, whoever signed what", async () => {
    const { sid, challenge } = await issue();
    await ageLogin(databaseUrl, sid, 30);
    for (const changes of [{}, { signature: "00" }, { timestamp: 0 }]) {
      const response = await send(action, new TestWallet().response(challenge, changes));
      await expectApiError(response, 408, "challenge_expired");
    }
    expect(await check(new Client(url), sid)).toEqual({ status: "pending" });
  });

  test.each<[string, string, RequestInit]>([
    ["a body too large", "", { method: "POST", body: "x".repeat(70_000) }],
    ["a method that is none of the path's", "", { method: "PUT" }],
    ["a query that cannot be decoded", "?s=%ff", { method: "POST" }],
  ])("any origin may read an answer that no handler gives: %s", async (_name, query, init) => {
    const response = await new Client(url).fetch(`/webhook/${action}${query}`, init);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
  });

  test.each([
    ["key", { public_key: "04".repeat(30_000) }],
    ["signature", { signature: "30".repeat(30_000) }],
  ])("406: a %s of 60,000 characters", async (_what, changes) => {
    const { challenge } = await issue();
    const response = await send(action, new TestWallet().response(challenge, changes));
    await expectApiError(response, 406, "invalid_signature");
  });
});

test("a login by an unknown key makes no user; registering in the same session afterwards does", async () => {
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

test("an accepted response leaves the wallet's own time as signed_at, and its device", async () => {
  const wallet = new TestWallet();
  const { sid, challenge } = await requestQr(new Client(url), "register");
  await send("register", wallet.response(challenge, { timestamp: 1_000_000_000 }));
  const rows = await sql(databaseUrl, "SELECT signed_at, device_info FROM login_session WHERE sid = $1", [
    sid,
  ]);
  const device_info = { platform: "ios", version: "1.2.3", device_id: "device-1" };
  expect(rows).toEqual([{ signed_at: "1000000000", device_info }]);
});
