import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { type Customer, newCustomer } from "#e2e/support/customer.ts";
import { databaseUrl, query, url } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import { backdateLogin } from "#tools/kit/sql.ts";
import { TestWallet } from "#tools/kit/test-wallet.ts";
import { API_BASE_PATHS } from "../contract/tenant.ts";

/** Covers cases that the conformance kit does not check (section 5.2). */

let customer: Customer;
let domain: string;

// A new customer for each test, because each tenant has a rate limit.
beforeEach(async () => {
  customer = await newCustomer(url, databaseUrl);
  ({ domain } = await customer.registerDomain(databaseUrl));
});

const deliver = (id: string, body: unknown) => new Client(url).post(`/webhook/sessions/${id}`, body);

async function authenticated(wallet = new TestWallet()) {
  const session = await customer.createSession(domain);
  expect((await deliver(session.id, wallet.response(session.challenge))).status).toBe(200);
  return session;
}

describe("POST /sessions", () => {
  test("returns 201 for a registered domain in any spelling", async () => {
    const session = await customer.createSession(`${domain.toUpperCase()}.`);
    expect(session.challenge).toContain(`:${domain}:`);
  });

  test("returns 201 for the registered webhook URL on any host", async () => {
    const webhookUrl = "https://hooks.example/x";
    const otherDomain = await customer.registerDomain(databaseUrl, { webhookUrl });
    await customer.createSession(otherDomain.domain, { webhook_url: webhookUrl });
  });

  describe("for an unverified domain", () => {
    test("returns 422 in live mode", async () => {
      const live = await newCustomer(url, databaseUrl, { mode: "live" });
      const unproved = await live.registerDomain(databaseUrl, { verified: false });
      const response = await live.post("/sessions", { domain: unproved.domain });
      await expectApiError(response, 422, "domain_not_verified");
      const proved = await live.registerDomain(databaseUrl);
      await live.createSession(proved.domain);
    });

    test("returns 422 in test mode only for names that cannot be verified", async () => {
      const owner = await newCustomer(url, databaseUrl);
      const webhookUrl = "https://hooks.example.com/";
      const sessionFor = async (domain: string) => {
        await owner.registerDomain(databaseUrl, { domain, webhookUrl, verified: false });
        return owner.post("/sessions", { domain });
      };
      for (const name of ["localhost", "shop.test", "shop.localhost", "shop.example", "a.b.example"]) {
        expect((await sessionFor(name)).status).toBe(201);
      }
      for (const name of ["shop.example.com", "example.org", "test.example.net", "notlocalhost.com"]) {
        await expectApiError(await sessionFor(name), 422, "domain_not_verified");
      }
      await query("UPDATE domain SET verified_at = now() WHERE owner_id = $1", [owner.tenantId]);
      await owner.createSession("example.org");
    });
  });
});

test("returns 200 for an authenticated session for 24 hours, then 410", async () => {
  const { id } = await authenticated();
  await backdateLogin(databaseUrl, id, 24 * 3600 - 60);
  expect((await customer.get(`/sessions/${id}`)).status).toBe(200);
  await backdateLogin(databaseUrl, id, 60);
  await expectApiError(await customer.get(`/sessions/${id}`), 410, "session_expired");
});

describe("POST /sessions/{id}/refresh", () => {
  const refresh = (id: string) => customer.post(`/sessions/${id}/refresh`);

  test("returns 200 for an expired session until ten minutes after its last challenge, then 410", async () => {
    const { id } = await customer.createSession(domain);
    await backdateLogin(databaseUrl, id, 590);
    expect((await refresh(id)).status).toBe(200);
    expect((await customer.get(`/sessions/${id}`)).status).toBe(200);
    await backdateLogin(databaseUrl, id, 600);
    await expectApiError(await refresh(id), 410, "session_expired");
    await expectApiError(await customer.get(`/sessions/${id}`), 410, "session_expired");
  });

  test("returns 413 for a body above 64 KB", async () => {
    const { id, challenge } = await customer.createSession(domain);
    // Omits the Content-Length header, which would make the gate refuse the request.
    const response = await new Client(url).fetch(`${API_BASE_PATHS[customer.mode]}/sessions/${id}/refresh`, {
      method: "POST",
      headers: { Authorization: `Bearer ${customer.key}` },
      body: new Blob(["x".repeat(64 * 1024 + 1)]).stream(),
      ...{ duplex: "half" },
    });
    await expectApiError(response, 413, "payload_too_large");
    expect(await (await customer.get(`/sessions/${id}`)).json()).toMatchObject({ status: "pending" });
    expect((await deliver(id, new TestWallet().response(challenge))).status).toBe(200);
  });

  test("returns 409 for an authenticated session, even if its last challenge is more than ten minutes old", async () => {
    const { id } = await authenticated();
    await backdateLogin(databaseUrl, id, 601);
    await expectApiError(await refresh(id), 409, "session_already_authenticated");
    await backdateLogin(databaseUrl, id, 3600);
    await expectApiError(await refresh(id), 409, "session_already_authenticated");
  });
});

/** The tenant's account and keys are deleted in the meantime. */
describe("POST /webhook/sessions/{id}", () => {
  const eventsOf = (sid: string) =>
    query<{ body: string }>("SELECT body FROM webhook_event WHERE sid = $1", [sid]);

  test("returns 200 for a response without device_info", async () => {
    const { id, challenge } = await customer.createSession(domain);
    const body = new TestWallet().response(challenge, { device_info: undefined });
    expect((await deliver(id, body)).status).toBe(200);
    expect(JSON.parse((await eventsOf(id))[0]?.body ?? "").data.device_info).toEqual({});
    expect((await (await customer.get(`/sessions/${id}`)).json()).user.device_info).toEqual({});
  });

  test("adds the code, the refusal and the delivery to the login's timeline", async () => {
    const wallet = new TestWallet();
    const { id, challenge } = await customer.createSession(domain);
    await deliver(id, wallet.response(challenge, { signature: "00" }));
    await customer.post(`/sessions/${id}/refresh`);
    await deliver(id, wallet.response(challenge));
    await deliver(id, wallet.response(challenge));
    const rows = await query("SELECT kind, reason FROM login_event WHERE sid = $1 ORDER BY id", [id]);
    expect(rows).toEqual([
      { kind: "issued", reason: null },
      { kind: "refused", reason: "invalid_signature" },
      { kind: "issued", reason: null },
      { kind: "delivered", reason: null },
      { kind: "refused", reason: "challenge_expired" },
    ]);
  });
});

describe("Idempotency-Key", () => {
  const create = (key: string, body: unknown, from = customer) =>
    from.post("/sessions", body, { "Idempotency-Key": key });

  test("identifies equal requests by their parsed bodies", async () => {
    const key = randomUUID();
    const first = await create(key, { domain, mode: "login" });
    const second = await create(key, `{ "ignored": 1, "domain": ${JSON.stringify(domain)} }`);
    expect(await second.text()).toBe(await first.text());
  });

  test("is not used up by a refused request", async () => {
    const key = randomUUID();
    await expectApiError(await create(key, { domain: "nobody.test" }), 422, "domain_not_registered");
    expect((await create(key, { domain })).status).toBe(201);
  });

  test("can be used again after 24 hours", async () => {
    const key = randomUUID();
    const first = await (await create(key, { domain })).json();
    const age = "UPDATE idempotent_answer SET created_at = created_at - $2::interval WHERE key = $1";
    await query(age, [key, "23 hours 59 minutes"]);
    expect((await (await create(key, { domain })).json()).id).toBe(first.id);
    await query(age, [key, "1 minute"]);
    const second = await create(key, { domain, mode: "register" });
    expect(second.status).toBe(201);
    expect((await second.json()).id).not.toBe(first.id);
  });
});
