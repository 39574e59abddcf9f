import { describe, expect, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { newCustomer } from "#e2e/support/customer.ts";
import { databaseUrl, query, url, urls } from "#e2e/support/test-apps.ts";
import { Client } from "#scripts/kit/client.ts";
import { OPERATIONS } from "../contract/operations.ts";

const ask = (authorization: string, base = "/v1", at = url) =>
  new Client(at).fetch(`${base}/domains`, { headers: { Authorization: authorization } });

const expect401 = async (response: Response) => {
  expect(response.headers.get("www-authenticate")).toBe("Bearer");
  await expectApiError(response, 401, "invalid_api_key");
};

/** Beside what the conformance kit asks (section 5.1). */
describe("API keys", () => {
  test.each(["/v1", "/sandbox/v1"])("401: no key at all, at every operation of %s", async (base) => {
    const client = new Client(url);
    for (const { id, method, path } of OPERATIONS) {
      const response = await client.fetch(base + path.replace(":id", "any"), { method });
      expect(`${id}: ${response.status}`).toBe(`${id}: 401`);
      await expect401(response);
    }
  });

  test("401: the right key at the other base", async () => {
    const live = await newCustomer(url, databaseUrl, { mode: "live" });
    const sandbox = await newCustomer(url, databaseUrl, { mode: "test" });
    expect((await ask(`Bearer ${live.key}`, "/v1")).status).toBe(200);
    expect((await ask(`bearer ${sandbox.key}`, "/sandbox/v1")).status).toBe(200);
    await expect401(await ask(`Bearer ${live.key}`, "/sandbox/v1"));
    await expect401(await ask(`Bearer ${sandbox.key}`, "/v1"));
  });

  test("401 from the next request on once it is revoked, in every process", async () => {
    const { key, apiKeyId } = await newCustomer(url, databaseUrl, { mode: "live" });
    expect((await ask(`Bearer ${key}`)).status).toBe(200);
    await query("UPDATE api_key SET revoked_at = now() WHERE id = $1", [apiKeyId]);
    await expect401(await ask(`Bearer ${key}`));
    await expect401(await ask(`Bearer ${key}`, "/v1", urls[1]));
  });

  test("the last use is noted, at most once a minute", async () => {
    const { key, apiKeyId } = await newCustomer(url, databaseUrl, { mode: "live" });
    const lastUsed = async () => {
      const [row] = await query<{ at: Date | null }>("SELECT last_used_at AS at FROM api_key WHERE id = $1", [
        apiKeyId,
      ]);
      return row?.at?.getTime() ?? null;
    };
    expect(await lastUsed()).toBeNull();
    await ask(`Bearer ${key}`);
    const first = await lastUsed();
    expect(first).not.toBeNull();
    await ask(`Bearer ${key}`);
    expect(await lastUsed()).toBe(first);
    await query("UPDATE api_key SET last_used_at = now() - interval '61 seconds' WHERE id = $1", [apiKeyId]);
    await ask(`Bearer ${key}`);
    expect(await lastUsed()).toBeGreaterThanOrEqual(first ?? Number.POSITIVE_INFINITY);
  });
});
