import { expect, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { newCustomer } from "#e2e/support/customer.ts";
import { holdLock } from "#e2e/support/held-lock.ts";
import { requestSharedApp } from "#e2e/support/test-apps.ts";
import { sql } from "#tools/kit/sql.ts";

const app = await requestSharedApp("lockedTables");

test("returns 404 for a session whose domain is deleted during the request", async () => {
  const customer = await newCustomer(app.url, app.databaseUrl);
  const keptDomain = await customer.registerDomain(app.databaseUrl);
  const deleted = await customer.registerDomain(app.databaseUrl);
  const { id: keptId } = await customer.createSession(keptDomain.domain);
  const { id } = await customer.createSession(deleted.domain);

  const lock = await holdLock(app.databaseUrl, "LOCK TABLE domain IN ACCESS EXCLUSIVE MODE");
  const answers = Promise.all([
    customer.get(`/sessions/${id}`),
    customer.post(`/sessions/${id}/refresh`),
    customer.get("/sessions"),
  ]);
  await lock.waiting(3);
  await lock.query("DELETE FROM domain WHERE id = $1", [deleted.id]);
  await lock.release();
  const [read, refreshed, listed] = await answers;
  await expectApiError(read, 404, "session_not_found");
  await expectApiError(refreshed, 404, "session_not_found");
  expect(await listed.json()).toMatchObject({ sessions: [{ id: keptId }], next_cursor: null });
});

test("returns 404 for a test event whose domain is being deleted", async () => {
  const customer = await newCustomer(app.url, app.databaseUrl);
  const { id } = await customer.registerDomain(app.databaseUrl);
  const deletion = await holdLock(app.databaseUrl, "DELETE FROM domain WHERE id = $1", [id]);
  const answer = customer.post(`/domains/${id}/test-event`);
  await deletion.waiting(1);
  await deletion.release();
  await expectApiError(await answer, 404, "domain_not_found");
});

test("does not deadlock if a domain is deleted while a failed attempt is disabling its webhook", async () => {
  const customer = await newCustomer(app.url, app.databaseUrl);
  const { id } = await customer.registerDomain(app.databaseUrl);
  await sql(
    app.databaseUrl,
    `INSERT INTO webhook_event (id, domain_id, kind, url, body, status, created_at)
     VALUES ('msg_' || $1, $1, 'test', 'https://shop.example.com/', '{}', 'failed', now())`,
    [id],
  );
  // Locks the event before its domain, as when an attempt's result is recorded.
  const attempt = await holdLock(app.databaseUrl, "UPDATE webhook_event SET tries = 1 WHERE domain_id = $1", [
    id,
  ]);
  const deletion = customer.call("DELETE", `/domains/${id}`);
  await attempt.waiting(1);
  // Fails if the deletion has already locked the domain.
  await attempt.query("SELECT 1 FROM domain WHERE id = $1 FOR UPDATE NOWAIT", [id]);
  await attempt.query("UPDATE domain SET disabled_at = now() WHERE id = $1", [id]);
  await attempt.release();
  expect((await deletion).status).toBe(204);
});
