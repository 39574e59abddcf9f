import { beforeAll, describe, expect, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { type Customer, newCustomer } from "#e2e/support/customer.ts";
import { databaseUrl, query, url, urls } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import { signInBrowser } from "#tools/kit/login.ts";
import { TestWallet } from "#tools/kit/test-wallet.ts";
import { OPERATIONS } from "../contract/operations.ts";

/** Covers cases that the conformance kit does not check (section 5.1). */

let domain: { id: string; domain: string };
let session: string;
let event: string;
let strangers: { stranger: string; customer: Customer }[];

beforeAll(async () => {
  const owner = await newCustomer(url, databaseUrl);
  domain = await owner.registerDomain(databaseUrl);
  const createdSession = await owner.createSession(domain.domain);
  session = createdSession.id;
  await new Client(url).post(
    `/webhook/sessions/${session}`,
    new TestWallet().response(createdSession.challenge),
  );
  const rows = await query<{ id: string }>("SELECT id FROM webhook_event WHERE sid = $1", [session]);
  event = rows[0]?.id ?? "";
  const { tenantId } = owner;
  strangers = [
    { stranger: "another owner", customer: await newCustomer(url, databaseUrl) },
    {
      stranger: "the owner itself, in the other mode",
      customer: await newCustomer(url, databaseUrl, { mode: "live", tenantId }),
    },
  ];
});

/** The error code is the one that other tenants must get for the id. */
const operationsOn = (noun: string) =>
  ({
    sessions: { id: session, code: "session_not_found" },
    domains: { id: domain.id, code: "domain_not_found" },
    deliveries: { id: event, code: "not_found" },
  })[noun] ?? { id: "", code: "" };

describe("data of another owner or the other mode", () => {
  test("causes the same 404 as an unknown id in every operation", async () => {
    for (const { id: operation, method, path, example } of OPERATIONS) {
      if (!path.includes(":id")) continue;
      const { id, code } = operationsOn(path.split("/")[1] ?? "");
      for (const { stranger, customer } of strangers) {
        const response = await customer.call(method, path.replace(":id", id), example);
        expect(`${operation} by ${stranger}: ${response.status}`).toBe(`${operation} by ${stranger}: 404`);
        await expectApiError(response, 404, code);
      }
    }
  });

  test("cannot be changed, and its event cannot be resent", async () => {
    const row = () => query("SELECT * FROM webhook_event WHERE id = $1", [event]);
    // Marks the event as delivered, so that sending it again would be noticed.
    await query(
      "UPDATE webhook_event SET status = 'failed', tries = 13, next_attempt_at = NULL WHERE id = $1",
      [event],
    );
    const before = await row();
    for (const { customer } of strangers) {
      await expectApiError(await customer.post(`/deliveries/${event}/resend`), 404, "not_found");
      expect(await row()).toEqual(before);
    }
  });

  test("is omitted from lists", async () => {
    for (const { customer } of strangers) {
      for (const list of ["sessions", "domains", "deliveries"]) {
        expect(await (await customer.get(`/${list}`)).json()).toEqual({ [list]: [], next_cursor: null });
      }
    }
  });

  test("cannot be used to create a session", async () => {
    for (const { customer } of strangers) {
      const response = await customer.post("/sessions", { domain: domain.domain });
      await expectApiError(response, 422, "domain_not_registered");
    }
  });
});

describe("an API key", () => {
  // The scheme is case-insensitive (RFC 9110, 11.1).
  const ask = (key: string, base = "/v1", at = url) =>
    new Client(at).fetch(`${base}/domains`, { headers: { Authorization: `bearer ${key}` } });

  // For the sandbox, the conformance kit's check 5.1-no-key covers this.
  test("is required by every live operation", async () => {
    for (const { id, method, path } of OPERATIONS) {
      const { status } = await new Client(url).fetch(`/v1${path.replace(":id", "any")}`, { method });
      expect(`${id}: ${status}`).toBe(`${id}: 401`);
    }
  });

  test("gets 401 in the sandbox if it is a live key, and everywhere once it is revoked", async () => {
    const { key, apiKeyId } = await newCustomer(url, databaseUrl, { mode: "live" });
    expect((await ask(key)).status).toBe(200);
    await expectApiError(await ask(key, "/sandbox/v1"), 401, "invalid_api_key");
    await query("UPDATE api_key SET revoked_at = now() WHERE id = $1", [apiKeyId]);
    for (const at of urls) await expectApiError(await ask(key, "/v1", at), 401, "invalid_api_key");
  });

  test("records its last use at most once a minute", async () => {
    const { key, apiKeyId } = await newCustomer(url, databaseUrl, { mode: "live" });
    const lastUsed = async () => {
      const [row] = await query<{ at: Date | null }>("SELECT last_used_at AS at FROM api_key WHERE id = $1", [
        apiKeyId,
      ]);
      return row?.at?.getTime() ?? null;
    };
    expect(await lastUsed()).toBeNull();
    await ask(key);
    const first = await lastUsed();
    expect(first).not.toBeNull();
    await ask(key);
    expect(await lastUsed()).toBe(first);
    await query("UPDATE api_key SET last_used_at = now() - interval '61 seconds' WHERE id = $1", [apiKeyId]);
    await ask(key);
    expect(await lastUsed()).toBeGreaterThanOrEqual(first ?? Number.POSITIVE_INFINITY);
  });
});

describe("the tenant names of console users", () => {
  test("are reserved, even if the user does not exist", async () => {
    const insert = "INSERT INTO owner (id, name, created_at) VALUES (gen_random_uuid(), $1, now())";
    for (const name of ["user:2000000000", "USER:7", "user:", "user:x"]) {
      await expect(query(insert, [name])).rejects.toThrow("owner_user_name_check");
    }
  });

  test("are derived from the user's id", async () => {
    const { browser, userId } = await signInBrowser(url);
    const createdKey = await browser.post("/api/console/test/keys", { name: "mine" }, { Origin: url });
    expect(createdKey.status).toBe(201);
    const rows = await query(
      "SELECT owner.name FROM owner JOIN api_key ON owner_id = owner.id WHERE user_id = $1",
      [userId],
    );
    expect(rows).toEqual([{ name: `user:${userId}` }]);
  });
});
