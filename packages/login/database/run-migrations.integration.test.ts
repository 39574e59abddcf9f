import pg from "pg";
import { describe, expect, inject, onTestFinished, test, vi } from "vitest";
import { createTestDatabase } from "../../../tools/kit/database.ts";
import { type MigrationHistory, runMigrations } from "./run-migrations.ts";

const HISTORY: MigrationHistory = {
  lock: 1,
  create: async () => {},
  findApplied: async (client) => {
    const { rows } = await client.query("SELECT to_regclass('moved') AS found");
    return new Set(rows[0]?.found ? ["move"] : []);
  },
  note: async () => {},
};

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

async function twoClients() {
  const database = await createTestDatabase(inject("migratedDatabase"));
  onTestFinished(database.close);
  const clients = { migrating: await connect(database.url), request: await connect(database.url) };
  await clients.request.query("CREATE TABLE one (id INT); CREATE TABLE other (id INT)");
  return clients;
}

const begins = (client: pg.Client) => {
  const query = vi.spyOn(client, "query");
  return () => query.mock.calls.filter(([text]) => String(text) === "BEGIN").length;
};

describe("a migration", () => {
  test("waits for a request that has locked its table, and is then applied", async () => {
    const { migrating, request } = await twoClients();
    const attempts = begins(migrating);
    await request.query("BEGIN; LOCK TABLE one IN ROW EXCLUSIVE MODE");
    const sql = "SET LOCAL lock_timeout = '50ms'; ALTER TABLE one RENAME TO moved";
    const applied = runMigrations(migrating, [{ name: "move", sql }], HISTORY);
    await expect.poll(attempts).toBeGreaterThan(1);
    await request.query("COMMIT");
    expect(await applied).toEqual(["move"]);
  });

  test("is applied even if it deadlocks with a request at first", async () => {
    const { migrating, request } = await twoClients();
    const attempts = begins(migrating);
    await migrating.query("SET deadlock_timeout = '10ms'");
    await request.query("SET deadlock_timeout = '1min'; BEGIN; LOCK TABLE other IN ROW EXCLUSIVE MODE");
    const sql = "LOCK TABLE one; SELECT pg_sleep(0.2); LOCK TABLE other; ALTER TABLE one RENAME TO moved";
    const applied = runMigrations(migrating, [{ name: "move", sql }], HISTORY);
    const locked = "SELECT 1 FROM pg_locks WHERE relation = 'one'::regclass AND granted";
    await expect.poll(async () => (await request.query(locked)).rowCount).toBe(1);
    await request.query("LOCK TABLE one IN ROW EXCLUSIVE MODE");
    await request.query("COMMIT");
    expect(await applied).toEqual(["move"]);
    expect(attempts()).toBeGreaterThan(1);
  });

  test("fails on its first attempt if it is invalid", async () => {
    const { migrating } = await twoClients();
    const attempts = begins(migrating);
    const wrong = runMigrations(
      migrating,
      [{ name: "move", sql: "ALTER TABLE none RENAME TO moved" }],
      HISTORY,
    );
    await expect(wrong).rejects.toThrow(/^The migration move failed and was rolled back: relation "none"/);
    expect(attempts()).toBe(1);
  });
});
