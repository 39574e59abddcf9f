import { randomUUID } from "node:crypto";
import { expect, inject, test } from "vitest";
import { Client } from "#e2e/support/client.ts";
import { check, requestQr, signedIn } from "#e2e/support/login.ts";
import { ageLogin, sql } from "#e2e/support/sql.ts";

const [url] = inject("appUrls");
const databaseUrl = inject("databaseUrl");

/** Has the application's own worker prune, now. */
async function prune(): Promise<void> {
  await sql(databaseUrl, "SELECT graphile_worker.add_job('prune')");
  while (
    (await sql(databaseUrl, "SELECT 1 FROM graphile_worker.jobs WHERE task_identifier = 'prune'")).length > 0
  ) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function count(table: string, column: string, value: unknown): Promise<number> {
  const rows = await sql<{ count: number }>(
    databaseUrl,
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
  await sql(
    databaseUrl,
    "UPDATE browser_session SET expires_at = now() - interval '1 min' WHERE user_id = $1",
    [expires.userId],
  );
  await sql(databaseUrl, "UPDATE login_event SET at = at - interval '31 days' WHERE sid = $1", [old.sid]);
  await sql(databaseUrl, "UPDATE login_event SET at = at - interval '29 days' WHERE sid = $1", [idle.sid]);
  await sql(databaseUrl, "INSERT INTO rate_limit VALUES ($1, 1, $2), ($3, 1, $4)", [
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

test("a login's log says what happened to it, in order, and holds no secret", async () => {
  const { browser, sid, userId } = await signedIn(url);
  await browser.fetch("/api/account/sessions", { method: "DELETE" });
  const rows = await sql<{ kind: string }>(
    databaseUrl,
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
