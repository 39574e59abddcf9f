import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, inject, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { type Customer, newCustomer } from "#e2e/support/customer.ts";
import { sql } from "#scripts/kit/sql.ts";

const urls = inject("appUrls");
const databaseUrl = inject("databaseUrl");

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
const sessionsMade = async () =>
  (await sql(databaseUrl, "SELECT 1 FROM hosted_session WHERE domain_id = $1", [domainId])).length;

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
    await sql(databaseUrl, age, [key, "23 hours 59 minutes"]);
    expect((await (await create(key, { domain })).json()).id).toBe(first.id);
    await sql(databaseUrl, age, [key, "1 minute"]);
    const second = await create(key, { domain, mode: "register" });
    expect(second.status).toBe(201);
    expect((await second.json()).id).not.toBe(first.id);
  });

  test("40 at once over two processes with one key and body: one session, one answer", async () => {
    // As many as its tenant may ask for in a minute.
    for (let round = 0; round < 2; round++) {
      const key = randomUUID();
      const before = await sessionsMade();
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          create(key, { domain }, customer.at(urls[index % 2] ?? urls[0])),
        ),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
      expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1);
      expect(await sessionsMade()).toBe(before + 1);
    }
  });

  test("20 at once with one key and two bodies: one session; the other body is a conflict", async () => {
    const key = randomUUID();
    const before = await sessionsMade();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        create(
          key,
          { domain, mode: index % 2 === 0 ? "login" : "register" },
          customer.at(urls[index % 2] ?? urls[0]),
        ),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      ...Array(10).fill(201),
      ...Array(10).fill(409),
    ]);
    expect(await sessionsMade()).toBe(before + 1);
  });
});
