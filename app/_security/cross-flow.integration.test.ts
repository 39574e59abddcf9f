import { beforeAll, describe, expect, test } from "vitest";
import { type Customer, newCustomer } from "#e2e/support/customer.ts";
import { databaseUrl, query, url } from "#e2e/support/test-apps.ts";
import { Client, expectStatus } from "#tools/kit/client.ts";
import { answerFastLogin, postWalletForm, requestFastQr } from "#tools/kit/fast-login.ts";
import { answerRegistration, readUserId, requestQr } from "#tools/kit/login.ts";
import { FastWallet, TestWallet } from "#tools/kit/test-wallet.ts";

/** Every flow issues one for the same domain name. */
type IssuedLogin = { name: string; sid: string; challenge: string; browser: Client };
let issued: IssuedLogin[];
let customer: Customer;
let hostedSid: string;

beforeAll(async () => {
  customer = await newCustomer(url, databaseUrl);
  const { domain } = await customer.registerDomain(databaseUrl, {
    domain: "localhost",
    webhookUrl: "https://hook.example.com/",
  });
  const hosted = await customer.createSession(domain);
  hostedSid = hosted.id;
  issued = [
    await issue("site login", async (browser) => requestQr(browser, "login")),
    await issue("site login, registering", async (browser) => requestQr(browser, "register")),
    await issue("hosted login", async () => ({ sid: hosted.id, challenge: hosted.challenge })),
    await issue("fast login", async (browser) => {
      const { sid, qr } = await requestFastQr(browser);
      return { sid, challenge: new URL(qr).searchParams.get("c") ?? "" };
    }),
  ];
});

async function issue(
  name: string,
  ask: (browser: Client) => Promise<{ sid: string; challenge: string }>,
): Promise<IssuedLogin> {
  const browser = new Client(url);
  return { name, browser, ...(await ask(browser)) };
}

/** `ownFlow` is the only flow whose logins can be answered there. */
const WEBHOOKS: { ownFlow: string; send(wallet: Client, one: IssuedLogin): Promise<Response> }[] = [
  { ownFlow: "site login", send: (wallet, one) => post(wallet, "/webhook/login", one) },
  { ownFlow: "site login, registering", send: (wallet, one) => post(wallet, "/webhook/register", one) },
  { ownFlow: "hosted login", send: (wallet, one) => post(wallet, `/webhook/sessions/${hostedSid}`, one) },
  { ownFlow: "hosted login", send: (wallet, one) => post(wallet, `/webhook/sessions/${one.sid}`, one) },
  { ownFlow: "fast login", send: postFast },
];

function post(
  wallet: Client,
  path: string,
  { challenge }: Pick<IssuedLogin, "challenge">,
): Promise<Response> {
  return wallet.post(path, new TestWallet().response(challenge));
}

// Sends a correctly signed fast login URL that contains another flow's session and challenge.
function postFast(wallet: Client, { sid, challenge }: IssuedLogin): Promise<Response> {
  const t = Number(challenge.split(/[:_]/).at(-1)).toString(16);
  const qr = `${url}/api/fastauth?${new URLSearchParams({ sid, c: challenge, t })}`;
  return postWalletForm(wallet, qr, new FastWallet().fields(qr));
}

describe("a correctly signed challenge sent to another flow's endpoint", () => {
  test("is rejected for every pair of flows", async () => {
    const wallet = new Client(url);
    for (const { ownFlow, send } of WEBHOOKS) {
      for (const one of issued.filter(({ name }) => name !== ownFlow)) {
        const response = await send(wallet, one);
        expect(`${one.name} at that of a ${ownFlow}: ${response.status}`).toMatch(/: (408|400)$/);
        await response.body?.cancel();
      }
    }
    const answeredLogins = "SELECT sid FROM login_session WHERE sid = ANY($1) AND status <> 'pending'";
    expect(await query(answeredLogins, [issued.map(({ sid }) => sid)])).toEqual([]);
  });
});

describe("a session identifier used in another flow", () => {
  test("is not found by the status endpoints, the event streams or the hosted API", async () => {
    const places = [
      { own: /^site login/, path: "/api/svc/check?sid=" },
      // Fast logins also use this stream.
      { own: /^(site|fast) login/, path: "/api/svc/events?sid=" },
      { own: /^none/, path: "/api/hosted-demo/check?sid=" },
      { own: /^none/, path: "/api/hosted-demo/events?sid=" },
      { own: /^hosted login/, path: "/sandbox/v1/sessions/" },
      { own: /^none/, path: "/sandbox/v1/deliveries/", method: "POST", end: "/resend" },
    ];
    for (const { own: ownFlow, path, method = "GET", end = "" } of places) {
      for (const { name, sid, browser } of issued.filter((one) => !ownFlow.test(one.name))) {
        const headers = { Authorization: `Bearer ${customer.key}` };
        const response = await browser.fetch(path + sid + end, { method, headers });
        expect(`${name} at ${path}: ${response.status}`).toBe(`${name} at ${path}: 404`);
        await response.body?.cancel();
      }
    }
    for (const { name, sid } of issued) {
      const response = await new Client(url).fetch(`/api/svc/events?sid=${sid}`);
      expect(`${name} in another browser: ${response.status}`).toBe(`${name} in another browser: 404`);
      const { status } = await (await new Client(url).fetch(`/api/checkfast?sid=${sid}`)).json();
      expect(`${name}: ${status}`).toBe(`${name}: 0`);
    }
  });

  test("cannot be used with another flow's NextAuth provider, even in the browser that started the login", async () => {
    const answeredLogins = [
      { own: "svc", ...(await answerRegistration(url)) },
      { own: "fast", ...(await answerFastLogin(url)) },
    ];
    for (const { own: ownFlow, browser, sid } of answeredLogins) {
      for (const provider of ["svc", "fast", "hosted"].filter((id) => id !== ownFlow)) {
        expect((await browser.signIn(provider, sid)).status).toBe(401);
      }
      if (ownFlow !== "fast") await (await browser.fetch(`/dashboard/enter?sid=${sid}`)).body?.cancel();
      expect(await readUserId(browser)).toBeNull();
      expect((await browser.signIn(ownFlow, sid)).status).toBe(200);
    }
  });

  test("cannot be redeemed by the site's own login if it belongs to a hosted login", async () => {
    const { domain } = await customer.registerDomain(databaseUrl);
    const { id, challenge } = await customer.createSession(domain);
    const browser = new Client(url);
    await requestQr(browser);
    await expectStatus(await post(browser, `/webhook/sessions/${id}`, { challenge }));
    for (const provider of ["svc", "fast", "hosted"]) {
      expect((await browser.signIn(provider, id)).status).toBe(401);
    }
    expect(await readUserId(browser)).toBeNull();
  });
});
