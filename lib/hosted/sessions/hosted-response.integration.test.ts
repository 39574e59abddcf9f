import { beforeAll, describe, expect, test } from "vitest";
import { type Customer, newCustomer } from "#e2e/support/customer.ts";
import { databaseUrl, query, url, urls } from "#e2e/support/test-apps.ts";
import { Client } from "#scripts/kit/client.ts";
import { TestWallet } from "#scripts/kit/test-wallet.ts";

let customer: Customer;
let domain: string;

beforeAll(async () => {
  customer = await newCustomer(url, databaseUrl);
  ({ domain } = await customer.registerDomain(databaseUrl));
});

const deliver = (id: string, body: unknown) => new Client(url).post(`/webhook/sessions/${id}`, body);
const eventsOf = (sid: string) =>
  query<{ body: string }>("SELECT body FROM webhook_event WHERE sid = $1", [sid]);

/** What an answer leaves behind, and many at once over two processes; its judgement is the conformance kit's (section 5.2). */
describe("POST /webhook/sessions/{id}", () => {
  test("200 without device_info, which is empty then", async () => {
    const { id, challenge } = await customer.createSession(domain);
    const body = new TestWallet().response(challenge, { device_info: undefined });
    expect((await deliver(id, body)).status).toBe(200);
    expect(JSON.parse((await eventsOf(id))[0]?.body ?? "").data.device_info).toEqual({});
    expect((await (await customer.get(`/sessions/${id}`)).json()).user.device_info).toEqual({});
  });

  test("a login's timeline: issued, refused and why, delivered", async () => {
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

  // One big burst is over before its second statement begins: many small ones meet where the lock is.
  test("2, 4 or 8 at once, many times over: one 200 and one event each time", async () => {
    for (let round = 0; round < 30; round++) {
      const { id, challenge } = await customer.createSession(domain);
      const count = [2, 4, 8][round % 3] ?? 2;
      const bodies = Array.from({ length: count }, () => new TestWallet().response(challenge));
      const answers = await Promise.all(
        bodies.map((body, index) => new Client(urls[index % 2] ?? url).post(`/webhook/sessions/${id}`, body)),
      );
      const statuses = answers.map(({ status }) => status).toSorted();
      const events = await eventsOf(id);
      expect({ round, statuses, events: events.length }).toEqual({
        round,
        statuses: [200, ...Array(count - 1).fill(408)],
        events: 1,
      });
    }
  });

  test("a refresh in the middle of a delivery never brings an authenticated session back to pending", async () => {
    for (let round = 0; round < 10; round++) {
      const wallet = new TestWallet();
      const { id, challenge } = await customer.createSession(domain);
      const [delivered, refreshed] = await Promise.all([
        new Client(urls[1]).post(`/webhook/sessions/${id}`, wallet.response(challenge)),
        customer.post(`/sessions/${id}/refresh`),
      ]);
      expect(delivered.status).toBe(200);
      expect([200, 409]).toContain(refreshed.status);
      expect(await (await customer.get(`/sessions/${id}`)).json()).toMatchObject({
        status: "authenticated",
      });
    }
  });
});
