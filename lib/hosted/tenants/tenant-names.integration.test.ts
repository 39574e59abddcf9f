import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { query, url } from "#e2e/support/test-apps.ts";
import { MIGRATIONS_FOLDER, migrate } from "#scripts/database/migrate.ts";
import { createTestDatabase } from "#scripts/kit/database.ts";
import { signedIn } from "#scripts/kit/login.ts";
import { sql } from "#scripts/kit/sql.ts";

/** The names of tenants: those of the console's users are theirs alone. */

const BEFORE = "20261121120000_init";

const insertTenant = (name: string) =>
  query("INSERT INTO owner (id, name, created_at) VALUES (gen_random_uuid(), $1, now())", [name]);

test("nobody else gets a name that a console's user has, or will have", async () => {
  for (const name of ["user:2000000000", "USER:7", "user:", "user:x"]) {
    await expect(insertTenant(name)).rejects.toThrow("owner_user_name_check");
  }
});

test("a console's user is an owner by that user's id, whatever names there are", async () => {
  const { browser, userId } = await signedIn(url);
  const created = await browser.post("/api/console/test/keys", { name: "mine" }, { Origin: url });
  expect(created.status).toBe(201);
  const rows = await query(
    "SELECT owner.name FROM owner JOIN api_key ON owner_id = owner.id WHERE user_id = $1",
    [userId],
  );
  expect(rows).toEqual([{ name: `user:${userId}` }]);
});

test('a database from before: the operator\'s "user:7" is renamed, and what told of inner networks is gone', async () => {
  const database = await createTestDatabase();
  const folder = mkdtempSync(join(tmpdir(), "svc-migrations-"));
  onTestFinished(async () => {
    rmSync(folder, { recursive: true });
    await database.close();
  });
  cpSync(join(MIGRATIONS_FOLDER, BEFORE), join(folder, BEFORE), { recursive: true });
  await migrate(database.url, { migrationsDir: folder });
  await sql(
    database.url,
    `WITH person AS (INSERT INTO user_account (id, created_at) VALUES (9, now()) RETURNING id),
      theirs AS (INSERT INTO owner (id, name, user_id, created_at) SELECT gen_random_uuid(), 'user:9', id, now() FROM person),
      operators AS (INSERT INTO owner (id, name, created_at) VALUES (gen_random_uuid(), 'user:7', now()) RETURNING id),
      domain AS (
        INSERT INTO domain (id, owner_id, mode, domain, webhook_url, verification_token, last_check, secret, created_at)
        SELECT 'dom_1', id, 'test', 'a.example', 'https://a.example/', 'x', '{"findings":[{"found":"a token"}]}', '\\x01', now()
        FROM operators RETURNING id
      ),
      event AS (
        INSERT INTO webhook_event (id, domain_id, kind, url, body, created_at)
        SELECT 'msg_1', id, 'test', 'https://a.example/', '{}', now() FROM domain RETURNING id
      )
    INSERT INTO webhook_attempt (event_id, at, error, latency_ms)
    SELECT id, now(), error, 1 FROM event,
      unnest(ARRAY['10.3.4.5 is not a public address', 'no answer within 15 s']) AS error`,
  );
  expect(await migrate(database.url)).not.toEqual([]);
  const [owners, attempts, domains] = [
    await sql(database.url, "SELECT name FROM owner ORDER BY name"),
    await sql(database.url, "SELECT error FROM webhook_attempt ORDER BY error"),
    await sql(database.url, "SELECT last_check FROM domain"),
  ];
  expect(owners).toEqual([{ name: "formerly user:7" }, { name: "user:9" }]);
  expect(attempts).toEqual([{ error: "no answer within 15 s" }, { error: "the host has no public address" }]);
  expect(domains).toEqual([{ last_check: null }]);
});
