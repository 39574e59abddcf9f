import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { type Customer, newCustomer } from "#e2e/support/customer.ts";
import { databaseUrl, query, urls } from "#e2e/support/test-apps.ts";

let customer: Customer;
let domain: string;
let domainId: string;

// Of its own for each test: what one asks for counts against the limit of its tenant.
beforeEach(async () => {
  customer = await newCustomer(urls[0], databaseUrl);
  ({ domain, id: domainId } = await customer.registerDomain(databaseUrl));
});

const create = (key: string, body: unknown, from = customer) =>
  from.post("/sessions", body, { "Idempotency-Key": key });

describe("Idempotency-Key", () => {
  test("bodies are compared as they are understood", async () => {
    const key = randomUUID();
    const first = await create(key, { domain, mode: "login" });
    const second = await create(key, `{ "ignored": 1, "domain": ${JSON.stringify(domain)} }`);
    expect(await second.text()).toBe(await first.text());
  });

  test("a refused request uses up no key", async () => {
    const key = randomUUID();
    await expectApiError(await create(key, { domain: "nobody.test" }), 422, "domain_not_registered");
    expect((await create(key, { domain })).status).toBe(201);
  });

  test("after 24 hours the key is free again", async () => {
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

  test("of 40 at once over two processes with one key and two bodies: one session; the other body is a conflict", async () => {
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => {
        const mode = index % 2 ? "register" : "login";
        return create(key, { domain, mode }, customer.at(urls[index % 3 === 0 ? 0 : 1]));
      }),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(20);
    expect(new Set(await Promise.all(made.map((answer) => answer.text()))).size).toBe(1);
    const sessions = await query("SELECT 1 FROM hosted_session WHERE domain_id = $1", [domainId]);
    expect(sessions).toHaveLength(1);
  });
});
