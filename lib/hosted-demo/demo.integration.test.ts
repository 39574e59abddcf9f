import { hkdfSync } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { approve } from "#e2e/support/approval.ts";
import { Customer } from "#e2e/support/customer.ts";
import { createMigratedDatabase } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import type { TestDatabase } from "#tools/kit/database.ts";
import { readUserId } from "#tools/kit/login.ts";
import { sql } from "#tools/kit/sql.ts";
import { startApp } from "#tools/kit/start-app.ts";
import type { RunningServer } from "#tools/kit/start-server.ts";
import { TestWallet } from "#tools/kit/test-wallet.ts";

const NEXTAUTH_SECRET = "a secret of the demo's tests, long enough";

/** A tenant can send 100 requests a minute. */

let database: TestDatabase;
let apps: RunningServer[];

beforeAll(async () => {
  database = await createMigratedDatabase();
  const variables = {
    DATABASE_URL: database.url,
    NEXTAUTH_SECRET,
    HOSTED_DEMO: "true",
    WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8,::1/128",
    TRUSTED_PROXIES: "1",
    LOG_LEVEL: "warn",
  };
  // Both processes start simultaneously, as in a deployment with two processes.
  apps = await Promise.all([startApp(variables), startApp(variables)]);
}, 120_000);
afterAll(async () => {
  await Promise.all(apps.map((app) => app.stop()));
  await database.close();
});

function demoCaller(): Customer {
  const bytes = Buffer.from(hkdfSync("sha256", NEXTAUTH_SECRET, "", "svc-login demo api key v1", 32));
  const key = `svc_test_${bytes.toString("base64url")}`;
  return new Customer(apps[0]?.url ?? "", { mode: "test", tenantId: "", apiKeyId: "", key });
}

describe("the demo customer", () => {
  it("is set up only once if several processes start simultaneously", async () => {
    const { domains } = await (await demoCaller().get("/domains")).json();
    expect(domains).toMatchObject([{ domain: "localhost", verified: true }]);
    expect(apps.map(({ url }) => `${url}/webhook/events`)).toContain(domains[0].webhook_url);
    expect(await sql(database.url, "SELECT 1 FROM api_key")).toHaveLength(1);
  });

  it("ends every session of an undone login, including those opened by approvals", async () => {
    const url = apps[0]?.url ?? "";
    const wallet = new TestWallet();
    const [browser, phone] = [new Client(url), new Client(apps[1]?.url ?? "")];
    const headers = {
      "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    };
    const { sid, challenge } = await (await browser.fetch("/api/hosted-demo/qr", { headers })).json();
    const response = await phone.fetch(
      `/webhook/sessions/${sid}?${new URLSearchParams({ s: sid, c: challenge })}`,
      { headers: { Accept: "application/json" } },
    );
    expect(await response.json()).toMatchObject({ browser: { name: "Firefox on Linux" }, network: "other" });
    const walletAnswer = await phone.post(`/webhook/sessions/${sid}`, wallet.response(challenge));
    const { browser: namedBrowser, undo } = await walletAnswer.json();
    expect(namedBrowser).toEqual({ name: "Firefox on Linux" });
    const status = async () => (await browser.fetch(`/api/hosted-demo/check?sid=${sid}`)).json();
    await expect.poll(status, { timeout: 5_000 }).toMatchObject({ status: "authenticated" });
    expect((await browser.signIn("hosted", sid)).status).toBe(200);
    expect(await readUserId(browser)).not.toBeNull();
    expect((await approve(browser, wallet)).status).toBe(200);
    expect((await browser.fetch("/dashboard")).status).toBe(200);

    expect((await phone.fetch(undo, { method: "POST" })).status).toBe(200);
    await expect.poll(() => readUserId(browser), { timeout: 5_000 }).toBeNull();
    expect((await browser.fetch("/dashboard")).status).toBe(307);
  });

  it("shows a browser the trace of its own login without secrets", async () => {
    const url = apps[0]?.url ?? "";
    const [browser, thief, nobody] = [new Client(url), new Client(url), new Client(url)];
    const wallet = new TestWallet();
    const issuedCode = await (await browser.fetch("/api/hosted-demo/qr")).json();
    const { sid } = issuedCode;
    const [created, ...more] = issuedCode.calls;
    expect(more).toEqual([]);
    expect(created).toMatchObject({
      method: "POST",
      path: "/sandbox/v1/sessions",
      body: { domain: "localhost" },
      status: 201,
      answer: { id: sid, qr_data: issuedCode.qr },
    });
    const traceFor = (client: Client) => client.fetch(`/api/hosted-demo/trace?sid=${sid}`);
    const trace = async () => (await traceFor(browser)).json();
    expect(await trace()).toEqual({ answers: [], events: [], redeemed_at: null });

    const answer = await browser.post(`/webhook/sessions/${sid}`, wallet.response(issuedCode.challenge));
    const { undo } = await answer.json();
    await expect
      .poll(async () => (await trace()).events[0]?.attempts[0]?.status, { timeout: 15_000 })
      .toBe(204);
    expect((await browser.signIn("hosted", sid)).status).toBe(200);
    const shownTrace = await trace();
    expect(shownTrace).toMatchObject({
      answers: [{ accepted: true, reason: null }],
      events: [
        {
          event: "login",
          path: "/webhook/events",
          body: { session_id: sid, data: { public_key: wallet.publicKey } },
          attempts: [{ headers: { "webhook-signature": expect.stringMatching(/^v1,/) } }],
        },
      ],
      redeemed_at: expect.any(String),
    });
    const shownText = JSON.stringify([issuedCode, shownTrace]);
    for (const secret of [demoCaller().key, "whsec_", "svc_test_", "device-1"]) {
      expect(shownText).not.toContain(secret);
    }

    await thief.fetch("/api/hosted-demo/qr");
    for (const client of [thief, nobody])
      await expectApiError(await traceFor(client), 404, "session_not_found");
    expect((await browser.fetch(undo, { method: "POST" })).status).toBe(200);
    await expect.poll(async () => (await traceFor(browser)).status, { timeout: 15_000 }).toBe(410);
  });

  it("limits one client to twenty sessions a minute across all processes", async () => {
    const url = (n: number) => apps[n % 2]?.url ?? "";
    const thief = new Client(url(0));
    const ask = (attempt: number) => new Client(url(attempt), thief.address).fetch("/api/hosted-demo/qr");
    for (let attempt = 0; attempt < 20; attempt++) expect((await ask(attempt)).status).toBe(200);
    const refusal = await ask(20);
    expect(refusal.headers.get("ratelimit-limit")).toBe("20");
    expect(refusal.headers.get("retry-after")).toBe(refusal.headers.get("ratelimit-reset"));
    await expectApiError(refusal, 429, "rate_limited");
    expect((await new Client(url(0)).fetch("/api/hosted-demo/qr")).status).toBe(200);
  });
});
