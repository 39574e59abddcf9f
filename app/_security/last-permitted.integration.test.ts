import { expect, test } from "vitest";
import { newCustomer, newDomainName } from "#e2e/support/customer.ts";
import { EventStream } from "#e2e/support/event-stream.ts";
import { startOwnApp } from "#e2e/support/test-apps.ts";
import { Client } from "#scripts/kit/client.ts";
import { answeredFast, askedFast, deliverForm } from "#scripts/kit/fast-login.ts";
import { registered, requestQr } from "#scripts/kit/login.ts";
import { FastWallet, TestWallet } from "#scripts/kit/test-wallet.ts";

/** The last request that a limit permits does all that it is for, like any before it; the next one is refused. */

// 120 a minute become 2, 1,200 become 24, and the API keys' 100 to 300 become 2 to 6.
const app = startOwnApp({ RATE_LIMIT_SCALE: "0.02" });

type Send = () => Promise<Response>;
/** What a limit is used up with, its last request unless that is another one of these, and what that has to come to. */
type Row = { before: Send; last?: Send; hasWorked: (answer: Response) => Promise<void> };

async function delivered(answer: Response): Promise<void> {
  expect([answer.status, (await answer.json()).status]).toEqual([200, "authenticated"]);
}
async function deliveredFast(answer: Response): Promise<void> {
  expect(await answer.text()).toContain("successfully authenticated");
}
const saying = (expected: object) => async (answer: Response) =>
  expect(await answer.json()).toMatchObject(expected);

const answer = (path: string, response: unknown) => new Client(app.url).post(path, response);

/** A webhook, and the response that it last permits. */
function webhook(path: string, response: unknown): Row {
  const phone = new Client(app.url);
  return { before: () => phone.post(path, {}), last: () => phone.post(path, response), hasWorked: delivered };
}

/** A caller of the hosted API with a key and a domain of its own, whose answers are taken as they come. */
async function newCaller() {
  const { key } = await newCustomer(app.url, app.databaseUrl);
  const client = new Client(app.url);
  const call = (method: string, path: string, body?: unknown) =>
    client.fetch(`/sandbox/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  const domain = newDomainName();
  await call("POST", "/domains", { domain, webhook_url: `https://${domain}/events` });
  const newSession = () => call("POST", "/sessions", { domain });
  return { call, domain, newSession };
}

const rows: Record<string, () => Promise<Row>> = {
  "GET /api/svc/qr": async () => {
    const browser = new Client(app.url);
    return {
      before: () => browser.fetch("/api/svc/qr"),
      async hasWorked(code) {
        const { wallet } = await registered(app.url);
        await delivered(await answer("/webhook/login", wallet.response((await code.json()).challenge)));
      },
    };
  },
  "GET /api/svc/check": async () => {
    const { sid } = await registered(app.url);
    const client = new Client(app.url);
    return { before: () => client.fetch(`/api/svc/check?sid=${sid}`), hasWorked: delivered };
  },
  "GET /api/svc/events": async () => {
    const browser = new Client(app.url);
    const { sid } = await requestQr(browser);
    return {
      before: () => browser.fetch("/api/svc/events?sid=x"),
      last: () => browser.fetch(`/api/svc/events?sid=${sid}`),
      async hasWorked(opened) {
        const stream = new EventStream(opened);
        expect(await stream.next()).toMatchObject({ data: { status: "pending" } });
        await stream.close();
      },
    };
  },
  "POST /webhook/login": async () => {
    const { wallet } = await registered(app.url);
    const { challenge } = await requestQr(new Client(app.url));
    return webhook("/webhook/login", wallet.response(challenge));
  },
  "POST /webhook/register": async () => {
    const { challenge } = await requestQr(new Client(app.url), "register");
    return webhook("/webhook/register", new TestWallet().response(challenge));
  },
  "GET /api/getqrcode": async () => {
    const browser = new Client(app.url);
    return {
      before: () => browser.fetch("/api/getqrcode"),
      async hasWorked(code) {
        const { qr } = await code.json();
        await deliveredFast(await deliverForm(new Client(app.url), qr, new FastWallet().fields(qr)));
      },
    };
  },
  "POST /api/fastauth": async () => {
    const { qr, wallet, phone } = await askedFast(app.url);
    return {
      before: () => phone.fetch("/api/fastauth"),
      last: () => deliverForm(phone, qr, wallet.fields(qr)),
      hasWorked: deliveredFast,
    };
  },
  "GET /api/checkfast": async () => {
    const { sid } = await answeredFast(app.url);
    const client = new Client(app.url);
    const path = `/api/checkfast?${new URLSearchParams({ sid })}`;
    return { before: () => client.fetch(path), hasWorked: saying({ status: 1 }) };
  },
  "POST /webhook/sessions/{id}": async () => {
    const { id, challenge } = await (await (await newCaller()).newSession()).json();
    return webhook(`/webhook/sessions/${id}`, new TestWallet().response(challenge));
  },
  "POST /sessions": async () => {
    const { call, newSession } = await newCaller();
    return {
      before: () => call("POST", "/sessions", {}),
      last: newSession,
      async hasWorked(created) {
        const { id, challenge } = await created.json();
        await delivered(await answer(`/webhook/sessions/${id}`, new TestWallet().response(challenge)));
      },
    };
  },
  "GET /sessions/{id}": async () => {
    const { call, newSession } = await newCaller();
    const { id } = await (await newSession()).json();
    return { before: () => call("GET", `/sessions/${id}`), hasWorked: saying({ status: "pending" }) };
  },
  "POST /verify": async () => {
    const { call } = await newCaller();
    const { public_key, signature } = new TestWallet().response("a text");
    return {
      before: () => call("POST", "/verify", {}),
      last: () => call("POST", "/verify", { public_key, signature, message: "a text" }),
      hasWorked: saying({ valid: true }),
    };
  },
  "GET /domains": async () => {
    const { call, domain } = await newCaller();
    return { before: () => call("GET", "/domains"), hasWorked: saying({ domains: [{ domain }] }) };
  },
};

test.each(Object.keys(rows))(
  "%s: the last permitted request does all that it is for, the next is refused",
  async (name) => {
    const row = await rows[name]?.();
    if (!row) throw new Error("no such row");
    const { before, last = before, hasWorked } = row;
    let remaining = Number.POSITIVE_INFINITY;
    while (remaining > 1) {
      const response = await before();
      expect(response.status).not.toBe(429);
      remaining = Number(response.headers.get("ratelimit-remaining") ?? Number.NaN);
      await response.body?.cancel();
    }
    expect(remaining).toBe(1);
    const permitted = await last();
    expect(permitted.headers.get("ratelimit-remaining")).toBe("0");
    await hasWorked(permitted);
    const refused = await before();
    expect(refused.status).toBe(429);
    await refused.body?.cancel();
  },
);
