import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { expectApiError } from "#e2e/support/api-error.ts";
import { Customer, newCustomer } from "#e2e/support/customer.ts";
import { databaseUrl, query, url, urls } from "#e2e/support/test-apps.ts";
import type { Client } from "#tools/kit/client.ts";
import { signInBrowser } from "#tools/kit/login.ts";
import { setCounter } from "#tools/kit/sql.ts";

test("applies the API's limits to the owner's console, and counts the console's other requests separately", async () => {
  const { browser, userId } = await signInBrowser(urls[0]);
  const post = (path: string, body: unknown) =>
    browser.post(`/api/console/test${path}`, body, { Origin: urls[0] });
  const createdKey = await post("/keys", { name: "shared" });
  const { key } = z.object({ key: z.string() }).parse(await createdKey.json());
  const caller = new Customer(urls[0], { mode: "test", tenantId: "", apiKeyId: "", key });
  const [owner] = await query<{ id: string }>("SELECT id FROM owner WHERE user_id = $1", [userId]);
  await caller.post("/verify", {});
  await setCounter(databaseUrl, `verify:test:${owner?.id}`, 199);
  expect((await post("/verify", {})).headers.get("ratelimit-remaining")).toBe("0");
  for (const refusal of [await post("/verify", {}), await caller.post("/verify", {})]) {
    await expectApiError(refusal, 429, "rate_limited");
  }
  // Continuous use of one key must not prevent its tenant from creating or revoking another.
  await caller.get("/domains");
  await setCounter(databaseUrl, `other:test:${owner?.id}`, 300);
  expect((await caller.get("/domains")).status).toBe(429);
  expect((await post("/keys", { name: "another" })).status).toBe(201);
});

const countOf = async (table: "domain" | "api_key", tenantId: string) => {
  const [row] = await query<{ count: number }>(`SELECT count(*)::int FROM ${table} WHERE owner_id = $1`, [
    tenantId,
  ]);
  return row?.count;
};

const sorted = (answers: Response[]) => answers.map(({ status }) => status).toSorted();

/** A tenant has at most 100 domains and 50 keys, no matter how many requests are simultaneous. */
describe("POST /domains", () => {
  const webhook_url = "https://hooks.example.com/";
  let owner: Customer;
  let live: Customer;

  beforeAll(async () => {
    owner = await newCustomer(url, databaseUrl);
    live = await newCustomer(url, databaseUrl, { mode: "live", tenantId: owner.tenantId });
    // Domains in both modes count against the same quota.
    await query(
      `INSERT INTO domain (id, owner_id, mode, domain, webhook_url, verification_token, secret, created_at)
       SELECT 'dom_' || gen_random_uuid(), $1, (ARRAY['live', 'test'])[1 + n % 2]::api_mode, 'd' || n || '.example', $2, 'x', '\\x01', now()
       FROM generate_series(1, 95) AS n`,
      [owner.tenantId, webhook_url],
    );
  });

  test("returns 422 for every simultaneous request above the quota, across both processes and both modes", async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        (n % 2 ? owner : live.at(urls[1])).post("/domains", { domain: `more${n}.example`, webhook_url }),
      ),
    );
    expect(sorted(answers)).toEqual([...Array(5).fill(201), ...Array(45).fill(422)]);
    expect(await countOf("domain", owner.tenantId)).toBe(100);
  });

  test("accepts another domain once an existing one has been deleted", async () => {
    await expectApiError(
      await owner.post("/domains", { domain: "d1.example", webhook_url }),
      409,
      "domain_already_registered",
    );
    const quotaResponse = await owner.post("/domains", { domain: "one-more.example", webhook_url });
    await expectApiError(quotaResponse, 422, "quota_exceeded");
    const [{ id }] = (await (await owner.get("/domains")).json()).domains;
    expect((await owner.call("DELETE", `/domains/${id}`)).status).toBe(204);
    expect((await owner.post("/domains", { domain: "one-more.example", webhook_url })).status).toBe(201);
    await (await newCustomer(url, databaseUrl)).registerDomain(databaseUrl);
  });
});

describe("creating API keys", () => {
  let browser: Client;
  let tenantId: string;
  const create = (mode: "live" | "test", name = "k") =>
    browser.post(`/api/console/${mode}/keys`, { name }, { Origin: url });

  beforeAll(async () => {
    ({ browser } = await signInBrowser(url));
    const { id } = await (await create("test")).json();
    const [row] = await query<{ owner_id: string }>("SELECT owner_id FROM api_key WHERE id = $1", [id]);
    tenantId = row?.owner_id ?? "";
    await query(
      `INSERT INTO api_key (id, owner_id, mode, name, prefix, hash, created_at, revoked_at)
       SELECT gen_random_uuid(), $1, 'test', 'k' || n, 'svc_', sha256(gen_random_uuid()::text::bytea), now(),
         CASE WHEN n > 45 THEN now() - n * interval '1 minute' END
       FROM generate_series(1, 145) AS n`,
      [tenantId],
    );
  });

  test("returns 422 for every simultaneous request above the quota", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => create(n % 2 === 0 ? "live" : "test")),
    );
    expect(sorted(answers)).toEqual([...Array(4).fill(201), ...Array(16).fill(422)]);
    const quotaResponse = await create("live");
    expect(quotaResponse.status).toBe(422);
    expect((await quotaResponse.json()).error).toMatchObject({
      code: "quota_exceeded",
      message: expect.stringContaining("Revoke one"),
      details: { limit: 50 },
    });
  });

  test("does not count revoked keys towards the quota", async () => {
    expect(await countOf("api_key", tenantId)).toBe(100);
    const [kept] = await query(
      "SELECT min(name), max(name) FROM api_key WHERE owner_id = $1 AND revoked_at IS NOT NULL",
      [tenantId],
    );
    expect(kept).toEqual({ min: "k46", max: "k95" });
    await query(
      "UPDATE api_key SET revoked_at = now() WHERE id = (SELECT id FROM api_key WHERE owner_id = $1 AND revoked_at IS NULL LIMIT 1)",
      [tenantId],
    );
    expect((await create("test")).status).toBe(201);
    expect((await create("test")).status).toBe(422);
  });
});
