import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { newCustomer } from "#e2e/support/customer.ts";
import { BINDING_COOKIE, databaseUrl, otherUrl, url } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import { answerFastLogin } from "#tools/kit/fast-login.ts";
import { answerRegistration, readUserId } from "#tools/kit/login.ts";
import { setCounter } from "#tools/kit/sql.ts";

/** Per minute and client address (decision 25). */
const LIMIT = 60;

const callback = (client: Client, provider = "svc") => client.signIn(provider, "x".repeat(32));
const enter = (client: Client, headers: Record<string, string> = {}) =>
  client.fetch("/dashboard/enter?sid=x", { headers });
const askWith = (client: Client, key: string | null, base = "/v1") =>
  client.fetch(`${base}/domains`, { headers: key === null ? {} : { Authorization: `Bearer ${key}` } });
const unknownKey = () => `svc_live_${randomBytes(32).toString("base64url")}`;

/** Each has its own counter. */
const WAYS: [name: string, status: number, fail: (client: Client, index: number) => Promise<Response>][] = [
  ["unknown API keys", 401, (client) => askWith(client, unknownKey())],
  [
    "malformed API keys",
    401,
    (client, index) =>
      askWith(client, [null, "x", unknownKey()][index % 3] ?? null, index % 2 ? "/v1" : "/sandbox/v1"),
  ],
  ["sign-ins", 401, (client, index) => callback(client, ["svc", "fast", "hosted"][index % 3])],
  [
    "sign-ins that are not form posts",
    415,
    (client) => client.fetch("/api/auth/callback/svc", { method: "POST", body: "x" }),
  ],
  ["one-request sign-ins", 401, (client) => client.post("/api/svc/sign-in", { sid: "unknown" })],
  ["entrances", 303, (client) => enter(client)],
  [
    "sign-outs of browsers without a session",
    200,
    (client) => {
      const browser = new Client(url, client.address);
      browser.cookies.set(BINDING_COOKIE, randomBytes(32).toString("base64url"));
      return browser.signOut();
    },
  ],
];

async function statusesOf(
  count: number,
  send: (index: number) => Promise<Response>,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const response = await send(index);
      await response.body?.cancel();
      counts[response.status] = (counts[response.status] ?? 0) + 1;
    }),
  );
  return counts;
}

/** The counter must already exist. */
const countFailures = ({ address }: Client, count: number) =>
  setCounter(databaseUrl, `failed-%:${address}`, count);

/** One client for each process, both with the same address. */
function clientPair(): [Client, Client] {
  const first = new Client(url);
  return [first, new Client(otherUrl, first.address)];
}

describe("failed authentication", () => {
  test.each(WAYS)(
    "is limited to 60 attempts per minute across both processes: %s",
    async (_name, status, fail) => {
      const pair = clientPair();
      const failInTurn = (index: number) => fail(pair[index % 2] ?? pair[0], index);
      expect(await statusesOf(6, failInTurn)).toEqual({ [status]: 6 });
      await countFailures(pair[0], LIMIT - 10);
      expect(await statusesOf(16, failInTurn)).toEqual({ [status]: 10, 429: 6 });
      for (const client of pair) {
        const refusal = await fail(client, 0);
        expect(refusal.headers.get("ratelimit-limit")).toBe(String(LIMIT));
        expect(refusal.headers.get("ratelimit-remaining")).toBe("0");
        expect(refusal.headers.get("ratelimit-reset")).toBe(refusal.headers.get("retry-after"));
        await expectApiError(refusal, 429, "rate_limited");
      }
      expect((await fail(new Client(url), 0)).status).toBe(status);
    },
  );

  test("returns an HTML error page to browsers above the limit", async () => {
    const client = new Client(url);
    await enter(client);
    await countFailures(client, LIMIT);
    const refusal = await enter(client, { Accept: "text/html,application/xhtml+xml" });
    expect([refusal.status, refusal.headers.get("content-type")]).toEqual([429, "text/html; charset=utf-8"]);
    expect(await refusal.text()).toContain(`Try again in ${refusal.headers.get("retry-after")} second`);
  });
});

describe("a valid credential from an IP address with too many failed attempts", () => {
  test("is accepted if it is an API key", async () => {
    const { key } = await newCustomer(url, databaseUrl, { mode: "live" });
    const client = new Client(url);
    expect(await statusesOf(70, () => askWith(client, key))).toEqual({ 200: 70 });
    // The 70 successful requests were not counted as failures.
    expect((await askWith(client, unknownKey())).headers.get("ratelimit-remaining")).toBe("59");
    await countFailures(client, LIMIT);
    expect((await askWith(client, unknownKey())).status).toBe(429);
    expect(await statusesOf(10, () => askWith(client, key))).toEqual({ 200: 10 });
    expect((await askWith(client, key)).headers.get("ratelimit-limit")).toBe("300");
  });

  test("is accepted if it is an answered login", async () => {
    for (const signIn of [
      (browser: Client, sid: string) => browser.signIn("svc", sid),
      (browser: Client, sid: string) => browser.post("/api/svc/sign-in", { sid }),
    ]) {
      const { browser, sid } = await answerRegistration(url);
      await signIn(new Client(url, browser.address), "unknown");
      await countFailures(browser, LIMIT);
      const signedIn = await signIn(browser, sid);
      expect([signedIn.status, signedIn.headers.get("ratelimit-limit")]).toEqual([200, null]);
      expect(await readUserId(browser)).toEqual(expect.any(Number));
      expect((await signIn(browser, sid)).status).toBe(429);
    }
  });

  test("is accepted if it is an answered fast login", async () => {
    const { browser, sid } = await answerFastLogin(url);
    await enter(new Client(url, browser.address));
    await countFailures(browser, LIMIT);
    const entrance = await browser.fetch(`/dashboard/enter?sid=${sid}`);
    expect([entrance.status, entrance.headers.get("location")]).toEqual([303, "/dashboard"]);
    expect(await readUserId(browser)).toEqual(expect.any(Number));
    // A signed-in user's redirect does not count as a failure.
    expect((await enter(browser)).status).toBe(303);
  });
});
