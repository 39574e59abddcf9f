import pg from "pg";
import { test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { holdLock } from "#e2e/support/held-lock.ts";
import { startOwnApp } from "#e2e/support/test-apps.ts";
import { Client } from "#scripts/kit/client.ts";
import { signedIn } from "#scripts/kit/login.ts";
import { until } from "#scripts/kit/waiting.ts";

/** An account that is deleted while a request about it is answered: nobody is told of an error, and nothing comes back. */

const app = startOwnApp();

/** How many of Prisma's reads of known browsers wait for a lock. */
const WAITING = `SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE wait_event_type = 'Lock' AND query LIKE 'SELECT%known_browser%' AND datname = current_database()`;

test("a domain that its API key registers meanwhile is refused as any key of nobody's", async () => {
  const { browser, userId } = await signedIn(app.url);
  const { key } = await (await browser.post("/api/console/test/keys", { name: "Late" })).json();
  const lock = await holdLock(app.databaseUrl, "DELETE FROM owner WHERE user_id = $1", [userId]);
  const answer = new Client(app.url).fetch("/sandbox/v1/domains", {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${key}` },
    body: JSON.stringify({ domain: "late.test", webhook_url: "https://shop.example.com/events" }),
  });
  await lock.waiting(1);
  await lock.release();
  await expectApiError(await answer, 401, "invalid_api_key");
});

test("an export that is read meanwhile is nobody's", async () => {
  const { browser, userId } = await signedIn(app.url);
  const client = new pg.Client({ connectionString: app.databaseUrl });
  await client.connect();
  // The first table that an export reads.
  await client.query("BEGIN; LOCK TABLE known_browser IN ACCESS EXCLUSIVE MODE");
  const answer = browser.fetch("/api/account/export");
  await until(async () => {
    await client.query("SELECT pg_stat_clear_snapshot()");
    const { rows } = await client.query<{ count: number }>(WAITING);
    return rows[0]?.count === 1;
  }, 20_000);
  await client.query("DELETE FROM user_account WHERE id = $1", [userId]);
  await client.query("COMMIT");
  await client.end();
  await expectApiError(await answer, 401, "not_signed_in");
});
