import { afterAll, beforeAll, expect, test } from "vitest";
import { newCustomer, newDomainName } from "#e2e/support/customer.ts";
import { EventStream } from "#e2e/support/event-stream.ts";
import { createMigratedDatabase } from "#e2e/support/migrated-database.ts";
import { Client } from "#scripts/kit/client.ts";
import type { TestDatabase } from "#scripts/kit/database.ts";
import { answeredFast, deliverForm, requestFastQr } from "#scripts/kit/fast-login.ts";
import { registered, requestQr } from "#scripts/kit/login.ts";
import { startApp } from "#scripts/kit/start-app.ts";
import type { RunningServer } from "#scripts/kit/start-server.ts";
import { FastWallet, TestWallet } from "#scripts/kit/test-wallet.ts";

/** The last request that a limit permits does all that it is for, like any before it; the next one is refused. */

let database: TestDatabase;
let app: RunningServer;

beforeAll(async () => {
  database = await createMigratedDatabase();
  app = await startApp({
    DATABASE_URL: database.url,
    TRUSTED_PROXIES: "1",
    // 120 a minute become 2, 1,200 become 24, and the API keys' 100 to 300 become 2 to 6.
    RATE_LIMIT_SCALE: "0.02",
    LOG_LEVEL: "warn",
  });
});
afterAll(async () => {
  await app?.stop();
  await database?.close();
});

type Send = () => Promise<Response>;
/** What a limit is used up with, what its last request is, and what that has to come to. */
type Row = { before: Send; last: Send; hasWorked: (answer: Response) => Promise<void> };

const status = async (answer: Response) => (await answer.json()).status;
const delivered = async (answer: Response) =>
  expect([answer.status, await status(answer)]).toEqual([200, "authenticated"]);

/** A caller of the hosted API with a key and a domain of its own, whose answers are taken as they come. */
async function newCaller() {
  const { key } = await newCustomer(app.url, database.url);
  const client = new Client(app.url);
  const call = (method: string, path: string, body?: unknown) =>
    client.fetch(`/sandbox/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  const domain = newDomainName();
  await call("POST", "/domains", { domain, webhook_url: `https://${domain}/events` });
  return { call, domain };
}

const rows: Record<string, () => Promise<Row>> = {
  "GET /api/svc/qr": async () => {
    const browser = new Client(app.url);
    const ask = () => browser.fetch("/api/svc/qr");
    return {
      before: ask,
      last: ask,
      async hasWorked(answer) {
        const { wallet } = await registered(app.url);
        const { challenge } = await answer.json();
        await delivered(await new Client(app.url).post("/webhook/login", wallet.response(challenge)));
      },
    };
  },
  "GET /api/svc/check": async () => {
    const { sid } = await registered(app.url);
    const client = new Client(app.url);
    const ask = () => client.fetch(`/api/svc/check?sid=${sid}`);
    return { before: ask, last: ask, hasWorked: delivered };
  },
  "GET /api/svc/events": async () => {
    const browser = new Client(app.url);
    const { sid } = await requestQr(browser);
    return {
      before: () => browser.fetch("/api/svc/events?sid=x"),
      last: () => browser.fetch(`/api/svc/events?sid=${sid}`),
      async hasWorked(answer) {
        const stream = new EventStream(answer);
        expect(await stream.next()).toMatchObject({ data: { status: "pending" } });
        await stream.close();
      },
    };
  },
  "POST /webhook/login": async () => {
    const { wallet } = await registered(app.url);
    const { challenge } = await requestQr(new Client(app.url));
    const phone = new Client(app.url);
    return {
      before: () => phone.post("/webhook/login", {}),
      last: () => phone.post("/webhook/login", wallet.response(challenge)),
      hasWorked: delivered,
    };
  },
  "POST /webhook/register": async () => {
    const { challenge } = await requestQr(new Client(app.url), "register");
    const phone = new Client(app.url);
    return {
      before: () => phone.post("/webhook/register", {}),
      last: () => phone.post("/webhook/register", new TestWallet().response(challenge)),
      hasWorked: delivered,
    };
  },
  "GET /api/getqrcode": async () => {
    const browser = new Client(app.url);
    const ask = () => browser.fetch("/api/getqrcode");
    return {
      before: ask,
      last: ask,
      async hasWorked(answer) {
        const { qr } = await answer.json();
        const response = await deliverForm(new Client(app.url), qr, new FastWallet().fields(qr));
        expect(await response.text()).toContain("successfully authenticated");
      },
    };
  },
  "POST /api/fastauth": async () => {
    const { qr } = await requestFastQr(new Client(app.url));
    const phone = new Client(app.url);
    return {
      before: () => phone.fetch("/api/fastauth"),
      last: () => deliverForm(phone, qr, new FastWallet().fields(qr)),
      hasWorked: async (answer) => expect(await answer.text()).toContain("successfully authenticated"),
    };
  },
  "GET /api/checkfast": async () => {
    const { sid } = await answeredFast(app.url);
    const client = new Client(app.url);
    const ask = () => client.fetch(`/api/checkfast?${new URLSearchParams({ sid })}`);
    return { before: ask, last: ask, hasWorked: async (answer) => expect(await status(answer)).toBe(1) };
  },
  "POST /webhook/sessions/{id}": async () => {
    const { call, domain } = await newCaller();
    const session = await (await call("POST", "/sessions", { domain })).json();
    const phone = new Client(app.url);
    const path = `/webhook/sessions/${session.id}`;
    return {
      before: () => phone.post(path, {}),
      last: () => phone.post(path, new TestWallet().response(session.challenge)),
      hasWorked: delivered,
    };
  },
  "POST /sessions": async () => {
    const { call, domain } = await newCaller();
    return {
      before: () => call("POST", "/sessions", {}),
      last: () => call("POST", "/sessions", { domain }),
      async hasWorked(answer) {
        const { id, challenge } = await answer.json();
        const phone = new Client(app.url);
        await delivered(await phone.post(`/webhook/sessions/${id}`, new TestWallet().response(challenge)));
      },
    };
  },
  "GET /sessions/{id}": async () => {
    const { call, domain } = await newCaller();
    const session = await (await call("POST", "/sessions", { domain })).json();
    const ask = () => call("GET", `/sessions/${session.id}`);
    return {
      before: ask,
      last: ask,
      hasWorked: async (answer) => expect(await status(answer)).toBe("pending"),
    };
  },
  "POST /verify": async () => {
    const { call } = await newCaller();
    const wallet = new TestWallet();
    const { public_key, signature } = wallet.response("a text");
    return {
      before: () => call("POST", "/verify", {}),
      last: () => call("POST", "/verify", { public_key, signature, message: "a text" }),
      hasWorked: async (answer) => expect(await answer.json()).toMatchObject({ valid: true }),
    };
  },
  "GET /domains": async () => {
    const { call, domain } = await newCaller();
    const ask = () => call("GET", "/domains");
    return {
      before: ask,
      last: ask,
      hasWorked: async (answer) => expect(await answer.json()).toMatchObject({ domains: [{ domain }] }),
    };
  },
};

test.each(Object.keys(rows))(
  "%s: the last permitted request does all that it is for, the next is refused",
  async (name) => {
    const row = await rows[name]?.();
    if (!row) throw new Error("no such row");
    const { before, last, hasWorked } = row;
    let remaining = Number.POSITIVE_INFINITY;
    while (remaining > 1) {
      const response = await before();
      expect(response.status).not.toBe(429);
      remaining = Number(response.headers.get("ratelimit-remaining") ?? Number.NaN);
      await response.body?.cancel();
    }
    expect(remaining).toBe(1);
    const answer = await last();
    expect(answer.headers.get("ratelimit-remaining")).toBe("0");
    await hasWorked(answer);
    const refused = await before();
    expect(refused.status).toBe(429);
    await refused.body?.cancel();
  },
);
