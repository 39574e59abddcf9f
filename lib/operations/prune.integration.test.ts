import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { newCustomer } from "#e2e/support/customer.ts";
import { openRecovery, userWithCodes } from "#e2e/support/recovery.ts";
import { databaseUrl, prune, query, url } from "#e2e/support/test-apps.ts";
import { Client } from "#scripts/kit/client.ts";
import { check, requestQr, signedIn } from "#scripts/kit/login.ts";
import { ageLogin } from "#scripts/kit/sql.ts";
import { TestWallet } from "#scripts/kit/test-wallet.ts";

async function count(table: string, column: string, value: unknown): Promise<number> {
  const rows = await query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${table} WHERE ${column} = $1`,
    [value],
  );
  return rows[0]?.count ?? Number.NaN;
}

test("what has ended is deleted by the worker, and what has not is kept", async () => {
  const [ended, running] = [`test:${randomUUID()}`, `test:${randomUUID()}`];
  const live = await requestQr(new Client(url));
  const idle = await requestQr(new Client(url));
  const old = await requestQr(new Client(url));
  await ageLogin(databaseUrl, idle.sid, 23 * 3600);
  await ageLogin(databaseUrl, old.sid, 25 * 3600);
  const stays = await signedIn(url);
  const expires = await signedIn(url);
  await query("UPDATE browser_session SET expires_at = now() - interval '1 min' WHERE user_id = $1", [
    expires.userId,
  ]);
  await query("UPDATE login_event SET at = at - interval '31 days' WHERE sid = $1", [old.sid]);
  await query("UPDATE login_event SET at = at - interval '29 days' WHERE sid = $1", [idle.sid]);
  await query("INSERT INTO rate_limit VALUES ($1, 1, $2), ($3, 1, $4)", [
    ...[ended, Date.now() - 1000],
    ...[running, Date.now() + 600_000],
  ]);

  await prune();

  expect(await check(new Client(url), live.sid)).toEqual({ status: "pending" });
  expect(await count("challenge", "sid", live.sid)).toBe(1);
  // Ended, and still 410 rather than 404.
  expect(await count("login_session", "sid", idle.sid)).toBe(1);
  expect(await count("challenge", "sid", idle.sid)).toBe(0);
  expect(await count("login_session", "sid", old.sid)).toBe(0);
  expect(await count("login_event", "sid", old.sid)).toBe(0);
  expect(await count("login_event", "sid", idle.sid)).toBe(1);
  expect(await count("browser_session", "user_id", stays.userId)).toBe(1);
  expect(await count("browser_session", "user_id", expires.userId)).toBe(0);
  expect(await count("user_account", "id", expires.userId)).toBe(1);
  expect(await count("rate_limit", "key", ended)).toBe(0);
  expect(await count("rate_limit", "key", running)).toBe(1);
});

test("what has ended is deleted to the last row, however many there are", async () => {
  const key = `test:${randomUUID()}`;
  const ended = "INSERT INTO rate_limit SELECT $1 || n, 1, $2 FROM generate_series(1, 25000) AS n";
  await query(ended, [key, Date.now() - 1000]);
  await prune();
  expect(await query("SELECT 1 FROM rate_limit WHERE key LIKE $1 || '%' LIMIT 1", [key])).toEqual([]);
});

test("a login's log says what happened to it, in order, and holds no secret", async () => {
  const { browser, sid, userId } = await signedIn(url);
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

test("recoveries that came to nothing and those long over are deleted, one that waits and every code are kept", async () => {
  const { codes, userId } = await userWithCodes(url);
  for (let opened = 0; opened < 7; opened++) {
    expect((await openRecovery(new Client(url), codes[0])).status).toBe(200);
  }
  const recoveries = await query<{ id: string }>("SELECT id FROM recovery WHERE user_id = $1", [userId]);
  const [open, expired, waits, cancelled, finished, ...old] = recoveries.map(({ id }) => id);
  const set = (what: string, id: string | undefined) =>
    query(`UPDATE recovery SET expires_at = now() - interval '1 min', ${what} WHERE id = $1`, [id]);
  await set("kind = NULL", expired);
  await set("takes_effect_at = now() + interval '1 day'", waits);
  await set("cancelled_at = now() - interval '29 days'", cancelled);
  const tookEffect = (days: number) => `now() - interval '${days} days'`;
  await set(`takes_effect_at = ${tookEffect(29)}, finished_at = ${tookEffect(29)}`, finished);
  await set(`takes_effect_at = ${tookEffect(31)}, finished_at = ${tookEffect(31)}`, old[0]);
  await set("cancelled_at = now() - interval '31 days'", old[1]);

  await prune();

  const kept = await query<{ id: string }>("SELECT id FROM recovery WHERE user_id = $1", [userId]);
  expect(kept.map(({ id }) => id).toSorted()).toEqual([open, waits, cancelled, finished].toSorted());
  expect(await count("recovery_code", "user_id", userId)).toBe(2);
});

test("of hosted login too what has ended is deleted, and nothing before its end", async () => {
  const customer = await newCustomer(url, databaseUrl);
  const { id: domainId, domain } = await customer.registerDomain(databaseUrl);
  const authenticated = async () => {
    const { id, challenge } = await customer.createSession(domain);
    await new Client(url).post(`/webhook/sessions/${id}`, new TestWallet().response(challenge));
    return id;
  };
  const [old, young] = [await authenticated(), await authenticated()];
  const day = 24 * 3600;
  await ageLogin(databaseUrl, old, day + 60);
  // Asked for a day and a minute ago, authenticated a minute later.
  await ageLogin(databaseUrl, young, day - 30);
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
