import pg from "pg";
import { expect, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { newCustomer } from "#e2e/support/customer.ts";
import { holdLock } from "#e2e/support/held-lock.ts";
import { startOwnApp } from "#e2e/support/test-apps.ts";
import { sql } from "#tools/kit/sql.ts";
import { until } from "#tools/kit/waiting.ts";

/** A domain that is deleted while a request about it is answered. */

const app = startOwnApp();

/** How many of Prisma's reads of domains wait for a lock. */
const WAITING = `SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE wait_event_type = 'Lock' AND query LIKE 'SELECT%"domain"."domain"%' AND datname = current_database()`;

test("returns 404 for a session whose domain is deleted during the request, and omits it from the list", async () => {
  const customer = await newCustomer(app.url, app.databaseUrl);
  const kept = await customer.registerDomain(app.databaseUrl);
  const deleted = await customer.registerDomain(app.databaseUrl);
  const { id: keptId } = await customer.createSession(kept.domain);
  const { id } = await customer.createSession(deleted.domain);

  const client = new pg.Client({ connectionString: app.databaseUrl });
  await client.connect();
  await client.query("BEGIN; LOCK TABLE domain IN ACCESS EXCLUSIVE MODE");
  const answers = Promise.all([
    customer.get(`/sessions/${id}`),
    customer.post(`/sessions/${id}/refresh`),
    customer.get("/sessions"),
  ]);
  await until(async () => {
    await client.query("SELECT pg_stat_clear_snapshot()");
    const { rows } = await client.query<{ count: number }>(WAITING);
    return rows[0]?.count === 3;
  }, 20_000);
  await client.query("DELETE FROM domain WHERE id = $1", [deleted.id]);
  await client.query("COMMIT");
  await client.end();

  const [read, refreshed, listed] = await answers;
  await expectApiError(read, 404, "session_not_found");
  await expectApiError(refreshed, 404, "session_not_found");
  expect(await listed.json()).toMatchObject({ sessions: [{ id: keptId }], next_cursor: null });
});

test("makes a test event wait for the deletion of its domain, and then returns 404", async () => {
  const customer = await newCustomer(app.url, app.databaseUrl);
  const { id } = await customer.registerDomain(app.databaseUrl);
  const deletion = await holdLock(app.databaseUrl, "DELETE FROM domain WHERE id = $1", [id]);
  const answer = customer.post(`/domains/${id}/test-event`);
  await deletion.waiting(1);
  await deletion.release();
  await expectApiError(await answer, 404, "domain_not_found");
});

test("deletes a domain even if an attempt that disables it is recorded simultaneously", async () => {
  const customer = await newCustomer(app.url, app.databaseUrl);
  const { id } = await customer.registerDomain(app.databaseUrl);
  await sql(
    app.databaseUrl,
    `INSERT INTO webhook_event (id, domain_id, kind, url, body, status, created_at)
     VALUES ('msg_' || $1, $1, 'test', 'https://shop.example.com/', '{}', 'failed', now())`,
    [id],
  );
  const client = new pg.Client({ connectionString: app.databaseUrl });
  await client.connect();
  // Locks the event first and then its domain, in the order in which the result is recorded.
  await client.query("BEGIN");
  await client.query("UPDATE webhook_event SET tries = 1 WHERE domain_id = $1", [id]);
  const deletion = customer.call("DELETE", `/domains/${id}`);
  await until(async () => {
    await client.query("SELECT pg_stat_clear_snapshot()");
    const blocked = "SELECT 1 FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))";
    return (await client.query(blocked)).rowCount === 1;
  }, 20_000);
  await client.query("UPDATE domain SET disabled_at = now() WHERE id = $1", [id]);
  await client.query("COMMIT");
  await client.end();
  expect((await deletion).status).toBe(204);
});
