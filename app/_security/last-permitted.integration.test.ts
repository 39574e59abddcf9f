import { expect, test } from "vitest";
import { newCustomer } from "#e2e/support/customer.ts";
import { EventStream } from "#e2e/support/event-stream.ts";
import { databaseUrl, query, url } from "#e2e/support/test-apps.ts";
import { REQUESTS_PER_MINUTE } from "#packages/login/http/numbers.ts";
import { Client } from "#tools/kit/client.ts";
import { answerFastLogin, postWalletForm, startFastLogin } from "#tools/kit/fast-login.ts";
import { answerRegistration, registerWallet, requestQr } from "#tools/kit/login.ts";
import { FastWallet, TestWallet } from "#tools/kit/test-wallet.ts";

type Row = {
  limit: keyof typeof REQUESTS_PER_MINUTE;
  caller: string;
  send: () => Promise<Response>;
  hasWorked: (answer: Response) => Promise<void>;
};

async function delivered(answer: Response): Promise<void> {
  expect([answer.status, (await answer.json()).status]).toEqual([200, "authenticated"]);
}
async function deliveredFast(answer: Response): Promise<void> {
  expect(await answer.text()).toContain("successfully authenticated");
}
const expectAnswer = (expected: object) => async (answer: Response) =>
  expect(await answer.json()).toMatchObject(expected);

const answer = (path: string, response: unknown) => new Client(url).post(path, response);

function codeRequest(
  limit: Row["limit"],
  path: string,
  hasWorked: Row["hasWorked"],
  client = new Client(url),
): Row {
  return { limit, caller: client.address, send: () => client.fetch(path), hasWorked };
}

function webhook(limit: Row["limit"], path: string, response: unknown): Row {
  const phone = new Client(url);
  return { limit, caller: phone.address, send: () => phone.post(path, response), hasWorked: delivered };
}

async function newCaller() {
  const customer = await newCustomer(url, databaseUrl);
  const { domain } = await customer.registerDomain(databaseUrl);
  return { customer, domain, caller: `test:${customer.tenantId}` };
}

const rows: Record<string, () => Promise<Row>> = {
  "GET /api/svc/qr": async () =>
    codeRequest("qr", "/api/svc/qr", async (code) => {
      const wallet = await registerWallet(url);
      await delivered(await answer("/webhook/login", wallet.response((await code.json()).challenge)));
    }),
  "GET /api/svc/check": async () =>
    codeRequest("check", `/api/svc/check?sid=${(await answerRegistration(url)).sid}`, delivered),
  "GET /api/svc/events": async () => {
    const browser = new Client(url);
    const { sid } = await requestQr(browser);
    const pending = async (response: Response) => {
      const stream = new EventStream(response);
      expect(await stream.next()).toMatchObject({ data: { status: "pending" } });
      await stream.close();
    };
    return codeRequest("events", `/api/svc/events?sid=${sid}`, pending, browser);
  },
  "POST /webhook/login": async () => {
    const [wallet, { challenge }] = [await registerWallet(url), await requestQr(new Client(url))];
    return webhook("webhook-login", "/webhook/login", wallet.response(challenge));
  },
  "POST /webhook/register": async () => {
    const { challenge } = await requestQr(new Client(url), "register");
    return webhook("webhook-register", "/webhook/register", new TestWallet().response(challenge));
  },
  "GET /api/getqrcode": async () =>
    codeRequest("getqrcode", "/api/getqrcode", async (code) => {
      const { qr } = await code.json();
      await deliveredFast(await postWalletForm(new Client(url), qr, new FastWallet().fields(qr)));
    }),
  "POST /api/fastauth": async () => {
    const { qr, wallet, phone } = await startFastLogin(url);
    const send = () => postWalletForm(phone, qr, wallet.fields(qr));
    return { limit: "fastauth", caller: phone.address, send, hasWorked: deliveredFast };
  },
  "GET /api/checkfast": async () => {
    const { sid } = await answerFastLogin(url);
    return codeRequest(
      "checkfast",
      `/api/checkfast?${new URLSearchParams({ sid })}`,
      expectAnswer({ status: 1 }),
    );
  },
  "POST /webhook/sessions/{id}": async () => {
    const { customer, domain } = await newCaller();
    const { id, challenge } = await customer.createSession(domain);
    return webhook("webhook-sessions", `/webhook/sessions/${id}`, new TestWallet().response(challenge));
  },
  "POST /sessions": async () => {
    const { customer, domain, caller } = await newCaller();
    return {
      ...{ limit: "create_session", caller },
      send: () => customer.post("/sessions", { domain }),
      async hasWorked(created) {
        const { id, challenge } = await created.json();
        await delivered(await answer(`/webhook/sessions/${id}`, new TestWallet().response(challenge)));
      },
    };
  },
  "GET /sessions/{id}": async () => {
    const { customer, domain, caller } = await newCaller();
    const { id } = await customer.createSession(domain);
    const send = () => customer.get(`/sessions/${id}`);
    return { limit: "read_session", caller, send, hasWorked: expectAnswer({ status: "pending" }) };
  },
  "POST /verify": async () => {
    const { customer, caller } = await newCaller();
    const { public_key, signature } = new TestWallet().response("a text");
    const send = () => customer.post("/verify", { public_key, signature, message: "a text" });
    return { limit: "verify", caller, send, hasWorked: expectAnswer({ valid: true }) };
  },
  "GET /domains": async () => {
    const { customer, domain, caller } = await newCaller();
    const hasWorked = expectAnswer({ domains: [{ domain }] });
    return { limit: "other", caller, send: () => customer.get("/domains"), hasWorked };
  },
};

test.each(Object.entries(rows))(
  "completes the last permitted request and refuses the next one: %s",
  async (_name, prepare) => {
    const { limit, caller, send, hasWorked } = await prepare();
    await query(
      `INSERT INTO rate_limit (key, points, expire) VALUES ($1, $2, extract(epoch FROM now()) * 1000 + 60000)
       ON CONFLICT (key) DO UPDATE SET points = excluded.points`,
      [`${limit}:${caller}`, REQUESTS_PER_MINUTE[limit] - 1],
    );
    const permitted = await send();
    expect(permitted.headers.get("ratelimit-remaining")).toBe("0");
    await hasWorked(permitted);
    const refusal = await send();
    expect(refusal.status).toBe(429);
    await refusal.body?.cancel();
  },
);
