import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tools/kit/database.ts";

const FILE = join(import.meta.dirname, "../../examples/next-site/lib/database.ts");

type Module = typeof import("../../examples/next-site/lib/database.ts");
let testDatabase: TestDatabase;
let pool: Awaited<ReturnType<Module["database"]>>;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
beforeEach(async () => {
  vi.stubEnv("DATABASE_URL", testDatabase.url);
  vi.stubEnv("NEXTAUTH_SECRET", "a secret of thirty-two characters");
  pool = await (await load()).database();
});
afterAll(async () => {
  await pool.end();
  await testDatabase.close();
});

/** Loads the file as Next.js does after a change. */
async function load(change = (text: string) => text): Promise<Module> {
  const changed = join(FILE, "..", `database-${process.pid}-${performance.now()}.ts`);
  writeFileSync(changed, change(readFileSync(FILE, "utf8")));
  onTestFinished(() => rmSync(changed));
  return import(changed);
}

test("limits a user to 100 notes, even with simultaneous requests", async () => {
  const add = async (userId: number) => {
    const { rows } = await pool.query("SELECT add_note($1, $2)", [userId, "remember the milk"]);
    return rows[0].add_note;
  };
  for (let round = 0; round < 8; round++) await Promise.all(Array.from({ length: 12 }, () => add(1)));
  // There are 96 rows so far, so four of these 12 are accepted.
  const last = await Promise.all(Array.from({ length: 12 }, () => add(1)));
  expect(last.filter(Boolean)).toHaveLength(4);
  expect(await add(2)).toBe(true);
  const { rows } = await pool.query(
    "SELECT user_id, count(*)::int FROM note GROUP BY user_id ORDER BY user_id",
  );
  expect(rows).toEqual([
    { user_id: 1, count: 100 },
    { user_id: 2, count: 1 },
  ]);
});

test("creates a table without a restart once it has been added to the file", async () => {
  const { database } = await load((text) =>
    text.replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS diary (day DATE);\nCREATE TABLE"),
  );
  expect(await database()).toBe(pool);
  expect((await pool.query("SELECT count(*)::int FROM diary")).rows).toEqual([{ count: 0 }]);
});

test("fails requests until a mistake in the SQL is fixed", async () => {
  const wrong = await load((text) =>
    text.replace("CREATE TABLE", "CREATE TABEL broken (a INT);\nCREATE TABLE"),
  );
  await expect(wrong.database()).rejects.toThrow(/syntax error/);
  await expect(wrong.database()).rejects.toThrow(/syntax error/);
  const corrected = await load((text) =>
    text.replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS corrected (a INT);\nCREATE TABLE"),
  );
  const connections = await corrected.database();
  for (let query = 0; query < 5; query++)
    expect((await connections.query("SELECT count(*)::int FROM corrected")).rows).toEqual([{ count: 0 }]);
});
