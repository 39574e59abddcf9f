import { randomUUID } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { inSeconds, newHash, startLoginStore } from "../../../e2e/support/login-store.ts";
import {
  applyMigrations,
  MIGRATIONS_FOLDER,
  migrate as migrateApplication,
} from "../../../scripts/database/migrate.ts";
import { createTestDatabase } from "../../../tools/kit/database.ts";
import { type Database, pgDatabase } from "../database/database.ts";
import { readLoginTableMigrations } from "../database/login-tables.ts";
import { removeCredential } from "../plugins/account/store/credential.ts";
import {
  dismissNotices,
  listNewBrowsers,
  listUndismissedChanges,
  listUndoneSignIns,
} from "../plugins/account/store/history.ts";
import { endOwnBrowserSessions } from "../plugins/account/store/sessions.ts";
import { createConnectionConfig, LOGIN_SCHEMA, migrate as migrateSite } from "../site/migrate.ts";

/** Ending an account's sessions must read a limited number of rows, however many the account has accumulated. */

const store = startLoginStore();

/** The application's own limit (docs/operations.md). */
const STATEMENT_TIMEOUT_MS = 9_000;
/** Far more sessions than an account can have. Without a limit, one client could open 170,000 sessions a day. */
const SESSIONS = 20_000;
const BROWSERS = 6_000;

async function openDatabase() {
  const database = await createTestDatabase();
  onTestFinished(database.close);
  return database.url;
}

async function applicationBefore(url: string) {
  const folder = mkdtempSync(join(tmpdir(), "svc-migrations-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of readdirSync(MIGRATIONS_FOLDER).filter((name) => name < "20261126210000")) {
    cpSync(join(MIGRATIONS_FOLDER, name), join(folder, name), { recursive: true });
  }
  await applyMigrations(url, { migrationsDir: folder });
}

async function siteBefore(url: string) {
  const client = new pg.Client(createConnectionConfig(url));
  await client.connect();
  await client.query("CREATE SCHEMA svc_login");
  await client.query("CREATE TABLE schema_version (version INTEGER PRIMARY KEY)");
  const before = readLoginTableMigrations().filter(({ name }) => name < "0011");
  for (const [index, { sql }] of before.entries()) {
    await client.query(sql);
    await client.query("INSERT INTO schema_version VALUES ($1)", [index + 1]);
  }
  await client.end();
}

test.each([
  { name: "the application", before: applicationBefore, migrate: migrateApplication },
  { name: "a site", before: siteBefore, migrate: migrateSite },
])(
  "limits each account to its newest 100 sessions and 200 browsers after an upgrade: $name",
  async ({ before, migrate }) => {
    const url = await openDatabase();
    await before(url);
    const connection = { connectionString: url, options: `-c search_path=${LOGIN_SCHEMA},public`, max: 1 };
    const pool = new pg.Pool(connection);
    const limited = new pg.Pool({ ...connection, statement_timeout: STATEMENT_TIMEOUT_MS });
    const query = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows;
    const [user, neighbour] = await query(
      "INSERT INTO user_account (created_at) VALUES (now()), (now()) RETURNING id",
    );
    const open = `INSERT INTO browser_session (id, user_id, credential, created_at, last_seen_at, expires_at)
      SELECT gen_random_uuid(), $1, 'key', at, at, at + interval '7 days'
      FROM generate_series(1, $2::int) AS number, LATERAL (SELECT now() - number * interval '1 second') AS opened(at)`;
    await query(open, [user.id, SESSIONS]);
    await query(open, [neighbour.id, 100]);
    await query(
      `INSERT INTO known_browser SELECT $1, sha256(number::text::bytea), now() - number * interval '1 second'
       FROM generate_series(1, $2::int) AS number`,
      [user.id, BROWSERS],
    );
    const newest = "SELECT id FROM browser_session WHERE user_id = $1 ORDER BY created_at DESC LIMIT 100";
    const [expected, others] = [await query(newest, [user.id]), await query(newest, [neighbour.id])];

    await migrate(url);
    const sessions = "SELECT id FROM browser_session WHERE user_id = $1 ORDER BY created_at DESC";
    expect(await query(sessions, [user.id])).toEqual(expected);
    expect(await query(sessions, [neighbour.id])).toEqual(others);
    const browsers =
      "SELECT count(*)::int, min(last_seen_at) > now() - interval '10 minutes' AS newest FROM known_browser";
    expect(await query(browsers)).toEqual([{ count: 200, newest: true }]);

    const asker = { now: new Date(), sessionId: expected[0]?.id, userId: user.id, userAgent: null };
    const all = { id: null, browserHash: null, endsHere: true };
    expect(await endOwnBrowserSessions(pgDatabase(limited), asker, all)).toBe(100);
    expect(await query(sessions, [user.id])).toEqual([]);
    expect(await query(sessions, [neighbour.id])).toEqual(others);
    await Promise.all([pool.end(), limited.end()]);
  },
);

async function rowsRead(act: (database: Database) => Promise<unknown>): Promise<number> {
  const client = await store().pool.connect();
  const read = `SELECT sum(seq_tup_read + COALESCE(idx_tup_fetch, 0))::int AS rows FROM pg_stat_xact_user_tables`;
  try {
    await client.query("BEGIN");
    await act(pgDatabase(client));
    const { rows } = await client.query<{ rows: number }>(read);
    await client.query("COMMIT");
    return rows[0]?.rows ?? 0;
  } finally {
    client.release();
  }
}

const PILED_UP = 20_000;

/**
 * At its limits, with a large number of answered logins that were not redeemed. They were requested in the account's
 * browser or by its session, or answered with its key.
 */
async function fillAccount() {
  const user = await store().newUser();
  const browserHash = newHash();
  for (let attempt = 0; attempt < 100; attempt += 1) await store().openSession(user);
  const { sessionId } = await store().openSession(user);
  const old = `INSERT INTO login_session
      (sid, flow, status, created_at, challenged_at, authenticated_at, browser_hash, user_id, credential, approves_session, adds_to_session)
    SELECT gen_random_uuid(), 'login', 'authenticated', at, at, at, $1, $2, $3, $4, $5
    FROM generate_series(1, ${PILED_UP}) AS number, LATERAL (SELECT now() - interval '1 hour' - number * interval '1 second') AS issued(at)`;
  await store().query(old, [browserHash, null, null, null, null]);
  await store().query(old, [null, user.userId, user.key, null, null]);
  await store().query(old, [null, null, null, sessionId, null]);
  await store().query(old, [null, null, null, null, sessionId]);
  await store().query("ANALYZE");
  const asker = { now: new Date(), sessionId, userId: user.userId, userAgent: null };
  return { ...user, asker, browserHash };
}

test("does not read ended logins when a user signs out everywhere", async () => {
  const { asker, browserHash, userId } = await fillAccount();
  const all = { id: null, browserHash, endsHere: true };
  const rows = await rowsRead((database) => endOwnBrowserSessions(database, asker, all));
  expect(await store().listSessions(userId)).toEqual([]);
  expect(rows).toBeLessThan(PILED_UP / 10);
});

test("does not read ended logins when a key is removed", async () => {
  const { asker, key, userId } = await fillAccount();
  await store().query(
    "INSERT INTO credential (id, user_id, kind, value, created_at) VALUES ($1, $2, 'public_key', $3, $4)",
    [randomUUID(), userId, `other ${key}`, inSeconds(-60)],
  );
  const [held] = await store().query<{ id: string }>("SELECT id FROM credential WHERE value = $1", [key]);
  const rows = await rowsRead((database) => removeCredential(database, asker, held?.id ?? ""));
  expect(await store().listSessions(userId)).toMatchObject([{ id: asker.sessionId }]);
  expect(rows).toBeLessThan(PILED_UP / 10);
});

test("finds the notices of an account without reading its history", async () => {
  const user = await store().newUser();
  const { sessionId: id } = await store().openSession(user);
  await store().query(
    `INSERT INTO login_event (at, kind, user_id, sid)
     SELECT now(), 'session_ended', $1, 'ended' FROM generate_series(1, ${PILED_UP})`,
    [user.userId],
  );
  await store().query(
    "INSERT INTO login_event (at, kind, user_id, sid) VALUES (now(), 'undone', $1, 'undone')",
    [user.userId],
  );
  await store().query("ANALYZE");
  const rows = await rowsRead(async (database) => {
    await listUndismissedChanges(database, { id }, 10);
    await listNewBrowsers(database, { id }, 10);
    await listUndoneSignIns(database, { id }, 10);
    await dismissNotices(database, { id }, ["1"], new Date());
  });
  expect(rows).toBeLessThan(PILED_UP / 10);
});
