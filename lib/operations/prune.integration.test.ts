import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { newCustomer } from "#e2e/support/customer.ts";
import { createUserWithCodes, startRecovery } from "#e2e/support/recovery.ts";
import { databaseUrl, prune, query, url } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import { checkLogin, requestQr, signInBrowser } from "#tools/kit/login.ts";
import { backdateLogin } from "#tools/kit/sql.ts";
import { TestWallet } from "#tools/kit/test-wallet.ts";

async function count(table: string, column: string, value: unknown): Promise<number> {
  const rows = await query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${table} WHERE ${column} = $1`,
    [value],
  );
  return rows[0]?.count ?? Number.NaN;
}

// The store's tests check the expiry times to the millisecond, and which rows remain:
// packages/login/server/prune.integration.test.ts and
// packages/login/plugins/recovery/store/recovery.integration.test.ts.
test("deletes only expired rows when the worker runs", async () => {
  const live = await requestQr(new Client(url));
  const oldCode = await requestQr(new Client(url));
  await backdateLogin(databaseUrl, oldCode.sid, 25 * 3600);
  await query("UPDATE login_event SET at = at - interval '31 days' WHERE sid = $1", [oldCode.sid]);
  const { codes, userId } = await createUserWithCodes(url);
  for (let attempt = 0; attempt < 2; attempt++) await startRecovery(url, codes[0]);
  const [open, expired] = await query<{ id: string }>("SELECT id FROM recovery WHERE user_id = $1", [userId]);
  await query("UPDATE recovery SET expires_at = now() - interval '1 min' WHERE id = $1", [expired?.id]);

  await prune();

  expect(await checkLogin(new Client(url), live.sid)).toEqual({ status: "pending" });
  for (const table of ["challenge", "login_session", "login_event"]) {
    expect([table, await count(table, "sid", oldCode.sid)]).toEqual([table, 0]);
    expect([table, await count(table, "sid", live.sid)]).toEqual([table, 1]);
  }
  expect(await query("SELECT id FROM recovery WHERE user_id = $1", [userId])).toEqual([open]);
  expect(await count("recovery_code", "user_id", userId)).toBe(2);
  expect(await count("browser_session", "user_id", userId)).toBe(1);
});

test("deletes all expired rows, no matter how many there are", async () => {
  const key = `test:${randomUUID()}`;
  const ended = "INSERT INTO rate_limit SELECT $1 || n, 1, $2 FROM generate_series(1, 25000) AS n";
  await query(ended, [key, Date.now() - 1000]);
  await prune();
  expect(await query("SELECT 1 FROM rate_limit WHERE key LIKE $1 || '%' LIMIT 1", [key])).toEqual([]);
});

test("records a login's events in order and without secrets", async () => {
  const { browser, sid, userId } = await signInBrowser(url);
  await browser.delete("/api/account/sessions");
  const rows = await query<{ kind: string }>(
    "SELECT * FROM login_event WHERE sid = $1 OR user_id = $2 ORDER BY id",
    [sid, userId],
  );
  expect(rows.map(({ kind }) => kind)).toEqual([
    "issued",
    "delivered",
    "session_created",
    "signed_out_everywhere",
    "session_ended",
  ]);
  for (const secret of browser.cookies.values()) expect(JSON.stringify(rows)).not.toContain(secret);
});

test("deletes only expired rows of hosted logins", async () => {
  const customer = await newCustomer(url, databaseUrl);
  const { id: domainId, domain } = await customer.registerDomain(databaseUrl);
  const authenticated = async () => {
    const { id, challenge } = await customer.createSession(domain);
    await new Client(url).post(`/webhook/sessions/${id}`, new TestWallet().response(challenge));
    return id;
  };
  const [old, young] = [await authenticated(), await authenticated()];
  const day = 24 * 3600;
  await backdateLogin(databaseUrl, old, day + 60);
  // The login was requested more than a day ago, but authenticated less than a day ago.
  await backdateLogin(databaseUrl, young, day - 30);
  await query(
    "UPDATE login_session SET challenged_at = challenged_at - interval '60 seconds' WHERE sid = $1",
    [young],
  );
  for (const key of ["old", "young"])
    await customer.post("/sessions", { domain }, { "Idempotency-Key": key });
  await query(
    "UPDATE idempotent_answer SET created_at = now() - interval '25 hours' WHERE owner_id = $1 AND key = 'old'",
    [customer.tenantId],
  );
  const age = "UPDATE webhook_event SET created_at = now() - interval '31 days', status = $2 WHERE sid = $1";
  await query(age, [old, "delivered"]);
  await query(age, [young, "pending"]);
  for (let n = 0; n < 2; n++) await customer.post(`/domains/${domainId}/rotate-secret`);
  const rotated = "UPDATE domain SET previous_secret_until = now() - interval '1 second' WHERE id = $1";
  await query(rotated, [domainId]);

  await prune();

  for (const table of ["hosted_session", "login_session", "webhook_event"]) {
    expect(await count(table, "sid", old), table).toBe(0);
    expect(await count(table, "sid", young), table).toBe(1);
  }
  expect((await customer.get(`/sessions/${young}`)).status).toBe(200);
  const keys = await query("SELECT key FROM idempotent_answer WHERE owner_id = $1", [customer.tenantId]);
  expect(keys).toEqual([{ key: "young" }]);
  const secret = await query("SELECT previous_secret, earlier_secrets FROM domain WHERE id = $1", [domainId]);
  expect(secret).toEqual([{ previous_secret: null, earlier_secrets: [] }]);
});
