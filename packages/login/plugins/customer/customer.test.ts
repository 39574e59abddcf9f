import { createHmac, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type Behaviour, startReceiver } from "../../../../tools/kit/receiver.ts";
import { refusal } from "../../protocol/errors.ts";
import { VirtualWallet } from "../../testing/virtual-wallet.ts";
import { createCustomer } from "./customer.ts";
import { type HostedStore, memoryStore } from "./store/hosted-store.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const PUBLIC_KEY = new VirtualWallet().sign("a challenge").public_key;

const created = (id: string) => ({
  id,
  challenge: "svc:login:shop.example:1:n",
  qr_data: `svc://auth?session=${id}`,
  expires_at: "2026-01-01T00:00:30.000Z",
  status: "pending",
});
const answerJson = (response: ServerResponse, status: number, body: unknown) =>
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
const createSession = (response: ServerResponse, { url = "" }: IncomingMessage) =>
  url.endsWith("/refresh")
    ? answerJson(response, 200, created(url.split("/")[3] ?? ""))
    : answerJson(response, 201, created(randomUUID()));

async function world(answer: Behaviour = createSession, store: HostedStore = memoryStore()) {
  const server = await startReceiver("127.0.0.1", 0, answer);
  onTestFinished(() => server.close());
  const onFailure = vi.fn();
  const onUndone = vi.fn();
  const customer = createCustomer({
    apiUrl: new URL(`${server.url}/v1`),
    apiKey: "svc_live_key",
    webhookSecrets: [SECRET],
    origin: new URL("https://shop.example"),
    store,
    onUndone,
    onFailure,
  });
  const call = (cookie?: string, query: Record<string, string> = {}) => ({
    request: new Request("https://shop.example/", { headers: cookie ? { cookie } : {} }),
    query,
    requestId: "r",
  });
  const issue = async (cookie?: string, sid?: string) => {
    const response = await customer.qr(call(cookie, sid ? { sid } : {}));
    const set = response.headers.get("set-cookie") ?? "";
    const { sid: issuedSid }: { sid: string } = await response.json();
    return { sid: issuedSid, set, cookie: set.split(";")[0] ?? "" };
  };
  const status = async (sid: string, cookie?: string) => (await customer.check(call(cookie, { sid }))).json();
  const redeem = (sid: string, cookie?: string) =>
    customer.redeem(new Headers(cookie ? { cookie } : {}), sid);
  const send = (body: unknown, headers?: Record<string, string>) => customer.webhook(event(body, headers));
  return { customer, requests: server.received, onFailure, onUndone, call, issue, status, redeem, send };
}

const loginEvent = (sid: string, more: Record<string, unknown> = {}) => ({
  event: "login",
  timestamp: new Date().toISOString(),
  session_id: sid,
  data: { public_key: PUBLIC_KEY },
  ...more,
});

function event(body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const id = headers["webhook-id"] ?? `msg_${randomUUID()}`;
  const timestamp = headers["webhook-timestamp"] ?? String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(SECRET.slice("whsec_".length), "base64");
  const hmac = createHmac("sha256", key).update(`${id}.${timestamp}.${text}`).digest("base64");
  const all = {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${hmac}`,
    ...headers,
  };
  const request = new Request("https://shop.example/", { method: "POST", body: text, headers: all });
  return { request, requestId: "r" };
}

test("warns once if a customer redeems logins without onUndone", async () => {
  const onFailure = vi.fn();
  const apiUrl = new URL("https://login.example/v1");
  const origin = new URL("https://shop.example");
  const options = { apiUrl, apiKey: "svc_live_key", webhookSecrets: [SECRET], origin, store: memoryStore() };
  const customer = createCustomer({ ...options, onFailure });
  for (let times = 0; times < 2; times++) await customer.redeem(new Headers(), "a sid");
  expect(onFailure).toHaveBeenCalledExactlyOnceWith(
    "logins are redeemed without onUndone",
    expect.any(Error),
  );
  onFailure.mockClear();
  await createCustomer({ ...options, onFailure, onUndone: () => {} }).redeem(new Headers(), "a sid");
  expect(onFailure).not.toHaveBeenCalled();
});

describe("a browser", () => {
  test("is bound by a secret in a __Host- cookie that is HttpOnly, SameSite and Secure", async () => {
    const { issue } = await world();
    const { set } = await issue();
    expect(set).toMatch(
      /^__Host-svc-browser=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
    );
  });

  test("gets session_not_found if it knows only the sid", async () => {
    const { issue, status, redeem, send } = await world();
    const [owner, thief] = [await issue(), await issue()];
    const unknown = { code: "session_not_found" };
    for (const cookie of [undefined, thief.cookie]) {
      await expect(status(owner.sid, cookie)).rejects.toMatchObject(unknown);
    }
    expect((await send(loginEvent(owner.sid))).status).toBe(204);
    for (const cookie of [undefined, thief.cookie]) {
      await expect(status(owner.sid, cookie)).rejects.toMatchObject(unknown);
      expect(await redeem(owner.sid, cookie)).toBeNull();
    }
    expect(await status(owner.sid, owner.cookie)).toEqual({
      status: "authenticated",
      redirect: "/dashboard",
    });
    expect(await redeem(owner.sid, owner.cookie)).toEqual({ publicKey: PUBLIC_KEY });
    expect(await redeem(owner.sid, owner.cookie)).toBeNull();
  });

  test("gets a new session instead of another browser's", async () => {
    const { issue, requests } = await world();
    const [owner, thief] = [await issue(), await issue()];
    expect((await issue(thief.cookie, owner.sid)).sid).not.toBe(owner.sid);
    expect(requests.map(({ path }) => path)).toEqual(Array(3).fill("/v1/sessions"));
  });

  test("uses up the session limit with new sessions, but not with renewed codes", async () => {
    const countSession = vi.fn(async () => {});
    const { customer, call, requests } = await world();
    const first = await customer.qr({ ...call(), countSession });
    const { sid } = await first.json();
    const cookie = first.headers.get("set-cookie")?.split(";")[0] ?? "";
    await customer.qr({ ...call(cookie, { sid }), countSession });
    expect(countSession).toHaveBeenCalledOnce();
    countSession.mockRejectedValue(refusal("forbidden", "Too many."));
    await expect(customer.qr({ ...call(cookie), countSession })).rejects.toMatchObject({ status: 403 });
    expect(requests.map(({ path }) => path)).toEqual(["/v1/sessions", `/v1/sessions/${sid}/refresh`]);
  });

  test.each([
    ["203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2::/64", "2001:db8:1:2::"],
    ["unknown", undefined],
    [null, undefined],
  ])(
    "is reported to the API with its IP address for each code that it requests: %j",
    async (client, address) => {
      const { customer, requests } = await world();
      const ask = (headers: Record<string, string>, query: Record<string, string> = {}) =>
        customer.qr({
          ...{ query, client, requestId: "r" },
          request: new Request("https://shop.example/", {
            headers: { "user-agent": "Browser/1", ...headers },
          }),
        });
      const first = await ask({});
      const { sid } = await first.json();
      await ask({ cookie: first.headers.get("set-cookie")?.split(";")[0] ?? "" }, { sid });
      const clients = requests.map(({ body }) => JSON.parse(body.toString()).client);
      expect(clients).toEqual(Array(2).fill({ user_agent: "Browser/1", ...(address && { address }) }));
    },
  );

  test.each(["", "\0", "a'b", "../x", "é", "a".repeat(10_000)])(
    "gets no session for a malformed sid: %j",
    async (sid) => {
      const { issue, redeem, call, customer } = await world();
      const { cookie } = await issue();
      await expect(customer.check(call(cookie, { sid }))).rejects.toMatchObject({ name: "Refusal" });
      expect(await redeem(sid, cookie)).toBeNull();
      expect((await issue(cookie, sid)).cookie).toBe(cookie);
    },
  );
});

describe("an event", () => {
  test("is stored for the browser that requested the code, even if it arrives before the API's response", async () => {
    const sid = randomUUID();
    const statuses: number[] = [];
    const { issue, redeem, send } = await world(async (response) => {
      statuses.push((await send(loginEvent(sid))).status);
      answerJson(response, 201, created(sid));
    });
    const { cookie } = await issue();
    expect(statuses).toEqual([204]);
    expect(await redeem(sid, cookie)).toEqual({ publicKey: PUBLIC_KEY });
  });

  // Other wrong signatures and times are tested in verify-webhook.test.ts, and by the kit in
  // e2e/template/hosted.test.ts.
  test("gets 401 if only the old header contains a signature", async () => {
    const { issue, status, send } = await world();
    const { sid, cookie } = await issue();
    const text = JSON.stringify(loginEvent(sid));
    const unsigned = { "webhook-id": "", "webhook-timestamp": "", "webhook-signature": "" };
    const oldSignature = createHmac("sha256", SECRET).update(text).digest("hex");
    const refusal = await send(text, { ...unsigned, "x-svc-signature": oldSignature });
    expect([refusal.status, await refusal.json()]).toEqual([401, { error: expect.any(String) }]);
    expect(await status(sid, cookie)).toEqual({ status: "pending" });
  });

  test.each<[string, (sid: string) => unknown]>([
    ["a test", (sid) => loginEvent(sid, { event: "test" })],
    ["of an unknown kind", (sid) => loginEvent(sid, { event: "logout" })],
    ["without a key", (sid) => loginEvent(sid, { data: {} })],
    [
      "with a key that is not a point",
      (sid) => loginEvent(sid, { data: { public_key: `04${"11".repeat(64)}` } }),
    ],
    ["without a time", (sid) => loginEvent(sid, { timestamp: "yesterday" })],
    ["not JSON", () => "{"],
    ["for another session", () => loginEvent(randomUUID())],
  ])("is acknowledged without a sign-in if it is %s", async (_what, body) => {
    const { issue, status, send } = await world();
    const { sid, cookie } = await issue();
    expect((await send(body(sid))).status).toBe(204);
    expect(await status(sid, cookie)).toEqual({ status: "pending" });
  });

  test("does not sign in a browser if its login is too old", async () => {
    const { issue, status, redeem, send } = await world();
    const { sid, cookie } = await issue();
    const timestamp = new Date(Date.now() - 11 * 60_000).toISOString();
    expect((await send(loginEvent(sid, { timestamp }))).status).toBe(204);
    await expect(status(sid, cookie)).rejects.toMatchObject({ code: "session_expired" });
    expect(await redeem(sid, cookie)).toBeNull();
  });

  test("of type `login.undone` ends the login and calls onUndone, even if it arrives before the login's other event", async () => {
    for (const order of [
      ["login", "undone"],
      ["undone", "login"],
      ["login", "undone", "undone"],
    ]) {
      const { issue, status, redeem, send, onUndone } = await world();
      const { sid, cookie } = await issue();
      for (const event of order) expect((await send(loginEvent(sid, { event }))).status).toBe(204);
      await expect(status(sid, cookie)).rejects.toMatchObject({ code: "session_expired" });
      expect(await redeem(sid, cookie)).toBeNull();
      expect(onUndone).toHaveBeenCalledWith({ sessionId: sid, publicKey: PUBLIC_KEY });
    }
  });

  test("gets an error if the site's onUndone rejects it, so that the API retries it", async () => {
    const { issue, send, onUndone } = await world();
    const { sid } = await issue();
    onUndone.mockRejectedValueOnce(new Error("no database"));
    expect((await send(loginEvent(sid, { event: "undone" }))).status).toBe(500);
    expect((await send(loginEvent(sid, { event: "undone" }))).status).toBe(204);
    expect(onUndone).toHaveBeenCalledTimes(2);
  });

  test("gets an error if it cannot be stored, so that the API retries it", async () => {
    const failingStore = { ...memoryStore(), answer: () => Promise.reject(new Error("disk full")) };
    const { send, onFailure } = await world(createSession, failingStore);
    const response = await send(loginEvent(randomUUID()));
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ error: expect.not.stringContaining("disk") });
    expect(onFailure).toHaveBeenCalledOnce();
  });

  test("is not read beyond 64 KB", async () => {
    const { send } = await world();
    expect((await send("x".repeat(65 * 1024))).status).toBe(413);
  });
});

describe("a request to the API", () => {
  test("is retried with the same idempotency key if its response was lost", async () => {
    let isLost = false;
    const { issue, requests } = await world((response, request) => {
      if (isLost) return createSession(response, request);
      isLost = true;
      request.destroy();
    });
    await issue();
    const keys = requests.map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  test("causes a 503 for the browser if the API refuses it, and the reason is shown only to the operator", async () => {
    const { customer, call, onFailure } = await world((response) => {
      const message = "Register this domain first.";
      answerJson(response, 422, { error: { code: "domain_not_registered", message, details: {} } });
    });
    const refusal = await customer.qr(call()).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ status: 503, message: expect.not.stringContaining("domain") });
    expect(onFailure.mock.calls[0]?.[1]).toMatchObject({
      message: "422 domain_not_registered: Register this domain first.",
    });
  });

  test("does not follow a redirect with our key to another host", async () => {
    const { customer, call, requests } = await world((response, request) => {
      const Location = `http://${request.headers.host}/elsewhere`;
      response.writeHead(307, { Location }).end();
    });
    await expect(customer.qr(call())).rejects.toMatchObject({ status: 503 });
    expect(requests.map(({ path }) => path)).toEqual(Array(requests.length).fill("/v1/sessions"));
  });

  test("starts a new session for the browser if the API has ended the old one", async () => {
    const { issue } = await world((response, request) =>
      request.url?.endsWith("/refresh")
        ? answerJson(response, 410, { error: { code: "session_expired", message: "", details: {} } })
        : createSession(response, request),
    );
    const { sid, cookie } = await issue();
    expect((await issue(cookie, sid)).sid).not.toBe(sid);
  });
});

test("lists the API in the delegation file as a host that may receive responses", async () => {
  const { customer } = await world();
  const response = customer.delegation();
  expect(await response.json()).toEqual({ domain: "shop.example", webhook_hosts: ["127.0.0.1"] });
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  expect(response.headers.get("cache-control")).toBe("public, max-age=3600");
});

test("refuses to create a customer with a malformed webhook secret", () => {
  const options = {
    apiUrl: new URL("https://api.example/v1"),
    apiKey: "k",
    origin: new URL("https://a.example"),
  };
  expect(() => createCustomer({ ...options, webhookSecrets: ["secret"], store: memoryStore() })).toThrow(
    /whsec_/,
  );
});
