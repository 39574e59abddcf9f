import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { approvals, createLogin, events, nodeSite, ownSession } from "../../index.ts";
import { formatCookieHeader, ORIGIN, SITE_SETTINGS, startSite } from "../../site/tests/site.fixture.ts";
import { VirtualWallet } from "../../testing/virtual-wallet.ts";
import { nextAuthTokenCodec } from "../next-auth/tokens.ts";
import { ownSessionTokenCodec } from "./own-session.ts";

const SECRETS = ["a secret of thirty-two characters", "the secret before it, of 32 as well"] as const;
const COOKIE = "__Host-svc-session";
const SIGNED_IN = { user_id: expect.any(Number) };
const SIGNED_OUT = { user_id: null };

const site = startSite((databaseUrl) =>
  createLogin({
    plugins: [nodeSite(), ownSession(), approvals(), events()],
    setUp: async () => ({ ...SITE_SETTINGS, secrets: SECRETS, trustedProxies: 1, databaseUrl }),
  }),
);

class Browser {
  readonly cookies = new Map<string, string>();
  readonly address = [10, randomInt(256), randomInt(256), randomInt(256)].join(".");

  async send(method: string, path: string, body?: unknown, extraHeaders: Record<string, string> = {}) {
    const headers = new Headers({ "X-Forwarded-For": `192.0.2.1, ${this.address}`, ...extraHeaders });
    headers.set("Cookie", [...this.cookies].map((pair) => pair.join("=")).join("; "));
    if (body !== undefined) headers.set("Content-Type", "application/json");
    const request = new Request(ORIGIN + path, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    });
    const answer = await site().login.handler(request, { address: "127.0.0.1" });
    for (const pair of formatCookieHeader(answer).split("; ").filter(Boolean)) {
      const [name = "", value = ""] = pair.split(/=(.*)/s);
      if (value) this.cookies.set(name, value);
      else this.cookies.delete(name);
    }
    return answer;
  }

  async answered(wallet: VirtualWallet, query = "mode=register"): Promise<string> {
    const { sid, challenge } = await (await this.send("GET", `/api/svc/qr?${query}`)).json();
    const action = query.startsWith("mode=register") ? "register" : "login";
    const { status } = await new Browser().send("POST", `/webhook/${action}`, wallet.sign(challenge));
    if (status !== 200) throw new Error(`the wallet response was answered with ${status}`);
    return sid;
  }

  async session(): Promise<{ user_id: number | null; expires?: string }> {
    return (await this.send("GET", "/api/svc/session")).json();
  }
}

async function signedIn(wallet = new VirtualWallet()) {
  const browser = new Browser();
  const sid = await browser.answered(wallet);
  const answer = await browser.send("POST", "/api/svc/sign-in", { sid });
  expect([answer.status, await answer.json()]).toEqual([200, { redirect: "/dashboard" }]);
  return { browser, wallet, sid, answer };
}

test("signs a browser in with a cookie that scripts and other sites cannot use", async () => {
  const { browser, answer } = await signedIn();
  const [cookie] = answer.headers.getSetCookie().filter((header) => header.startsWith(COOKIE));
  expect(cookie).toMatch(/; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/);
  expect(cookie).not.toContain("Domain");
  const { user_id, expires } = await browser.session();
  const session = await site().login.currentSession(
    new Headers({ cookie: `${COOKIE}=${browser.cookies.get(COOKIE)}` }),
  );
  expect(session).toMatchObject({ userId: user_id, expiresAt: new Date(expires ?? "") });
});

test("signs out with a plain form and redirects to the home page", async () => {
  const { browser } = await signedIn();
  const form = { Accept: "text/html", Origin: ORIGIN, "Content-Type": "application/x-www-form-urlencoded" };
  const answer = await browser.send("POST", "/api/svc/sign-out", undefined, form);
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/"]);
  expect(await browser.session()).toEqual(SIGNED_OUT);
});

test.each([
  ["Origin", "https://evil.example"],
  ["Origin", "null"],
  ["Sec-Fetch-Site", "same-site"],
])("refuses sign-ins and sign-outs requested by another site, with %s: %s", async (name, value) => {
  const from = { [name]: value };
  const { browser } = await signedIn();
  const sid = await browser.answered(new VirtualWallet());
  expect((await browser.send("POST", "/api/svc/sign-out", {}, from)).status).toBe(403);
  expect((await browser.send("POST", "/api/svc/sign-in", { sid }, from)).status).toBe(403);
  expect(await browser.session()).toMatchObject(SIGNED_IN);
});

test("replaces the session that requested an approval, and invalidates every copy of the old cookie", async () => {
  const { browser, wallet } = await signedIn();
  const copy = new Browser();
  copy.cookies.set(COOKIE, browser.cookies.get(COOKIE) ?? "");
  const sid = await browser.answered(wallet, "mode=login&intent=approve");
  expect((await browser.send("POST", "/api/svc/sign-in", { sid })).status).toBe(200);
  expect(await browser.session()).toMatchObject(SIGNED_IN);
  expect(await copy.session()).toEqual(SIGNED_OUT);
});

test("accepts only tokens that it created for exactly this session and user", async () => {
  const ownToken = (await signedIn()).browser.cookies.get(COOKIE) ?? "";
  const other = (await signedIn()).browser.cookies.get(COOKIE) ?? "";
  const [id = "", user = "", proof = ""] = ownToken.split(".");
  const [otherId = "", otherUser = ""] = other.split(".");
  const claims = { browserSessionId: otherId, userId: Number(otherUser) };
  const forged = [
    `${otherId}.${otherUser}.${proof}`,
    `${id}.${otherUser}.${proof}`,
    `${otherId}.${user}.${proof}`,
    `${id}.${user}.`,
    `${id}.${user}`,
    `${id}.${user}.${proof}.`,
    await ownSessionTokenCodec.encode(claims, "a stranger's secret of 32 characters"),
    await nextAuthTokenCodec.encode(claims, SECRETS[0]),
  ];
  const thief = new Browser();
  for (const token of forged) {
    thief.cookies.set(COOKIE, token);
    expect([token, await thief.session()]).toEqual([token, SIGNED_OUT]);
  }
  thief.cookies.set(COOKIE, other);
  expect(await thief.session()).toMatchObject(SIGNED_IN);
});

test("renews the cookie with the current secret during a rotation", async () => {
  const { browser } = await signedIn();
  const [browserSessionId = "", userId] = browser.cookies.get(COOKIE)?.split(".") ?? [];
  const claims = { browserSessionId, userId: Number(userId) };
  const before = await ownSessionTokenCodec.encode(claims, SECRETS[1]);
  browser.cookies.set(COOKIE, before);
  expect(await browser.session()).toMatchObject(SIGNED_IN);
  expect(browser.cookies.get(COOKIE)).toBe(await ownSessionTokenCodec.encode(claims, SECRETS[0]));
});

test("refuses a request without a known IP address, regardless of its headers", async () => {
  const claims = { "X-Forwarded-For": "10.0.0.1", "X-Client-Address": "any 10.0.0.1" };
  const request = () => new Request(`${ORIGIN}/api/svc/qr`, { headers: claims });
  const unknown = await site().login.handler(request());
  expect([unknown.status, (await unknown.json()).error.code]).toEqual([400, "invalid_request"]);
  const path = new Request(`${ORIGIN}/api/svc/qr`);
  expect((await site().login.handler(path, { address: undefined })).status).toBe(400);
});

test("counts requests by the IP address that the proxy saw", async () => {
  const browser = new Browser();
  const leftOf = (answer: Response) => Number(answer.headers.get("ratelimit-remaining"));
  const first = leftOf(await browser.send("GET", "/api/svc/qr"));
  const claim = { "X-Forwarded-For": `203.0.113.${randomInt(256)}, ${browser.address}` };
  expect(leftOf(await browser.send("GET", "/api/svc/qr", undefined, claim))).toBe(first - 1);
});

test("limits sign-outs without a session", async () => {
  const browser = new Browser();
  await browser.send("GET", "/api/svc/qr");
  const statuses = new Set<number>();
  for (let attempt = 0; attempt < 61; attempt++) {
    const { status } = await browser.send("POST", "/api/svc/sign-out", {}, { Cookie: "" });
    statuses.add(status);
    // Signing out removes the cookie, but a client can keep a copy.
    browser.cookies.set("__Host-svc-browser", "b".repeat(43));
  }
  expect([...statuses]).toEqual([200, 429]);
});

test("answers wallets at the path to which the gate rewrites their requests", async () => {
  const { challenge } = await (await new Browser().send("GET", "/api/svc/qr?mode=register")).json();
  const answer = await new Browser().send(
    "POST",
    "/api/svc/webhook/register",
    new VirtualWallet().sign(challenge),
  );
  expect(answer.status).toBe(200);
  expect((await new Browser().send("POST", "/api/svc/webhook/none", {})).status).toBe(404);
});

test("serves the plugins' routes, and returns 404 for other paths", async () => {
  const browser = new Browser();
  const { sid } = await (await browser.send("GET", "/api/svc/qr")).json();
  const stream = await browser.send("GET", `/api/svc/events?sid=${sid}`);
  expect(stream.headers.get("content-type")).toBe("text/event-stream");
  await stream.body?.cancel();
  expect((await browser.send("GET", "/api/auth/session")).status).toBe(404);
  expect((await browser.send("DELETE", "/api/svc/session")).status).toBe(405);
});
