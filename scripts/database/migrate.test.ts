import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type DatabaseServer, openDatabaseServer } from "#tools/kit/database.ts";
import { applyMigrations, assertMigrations, migrate } from "./migrate.ts";

let folder: string;
let server: DatabaseServer;
let databases = 0;
let url: string;
let migrationsDir: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "svc migrate "));
  chmodSync(folder, 0o755);
  server = await openDatabaseServer(join(folder, ".data"));
});

afterAll(async () => {
  await server.close();
  const data = realpathSync(join(folder, ".data", "postgres"));
  if (data.startsWith("/var/lib/svc-login/")) rmSync(dirname(data), { recursive: true });
  rmSync(folder, { recursive: true });
});

beforeEach(async () => {
  databases += 1;
  url = await server.create(`test_${databases}`);
  migrationsDir = join(folder, `migrations ${databases}`);
  write("20260101000000_first", "create table first (id int primary key, note text default 'a;b');");
});

function write(name: string, sql: string): void {
  mkdirSync(join(migrationsDir, name), { recursive: true });
  writeFileSync(join(migrationsDir, name, "migration.sql"), sql);
}

async function query(sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const history = () =>
  query(
    "select migration_name as name, finished_at is not null as finished from _prisma_migrations where rolled_back_at is null",
  );

describe("migrate", () => {
  test("applies the missing migrations once and records them as Prisma does", async () => {
    expect(await applyMigrations(url, { migrationsDir })).toEqual(["20260101000000_first"]);
    expect(await applyMigrations(url, { migrationsDir })).toEqual([]);
    write(
      "20260102000000_second",
      "create function f() returns int as $$ begin return 1; end $$ language plpgsql; -- end",
    );
    expect(await applyMigrations(url, { migrationsDir })).toEqual(["20260102000000_second"]);
    expect(await history()).toEqual([
      { name: "20260101000000_first", finished: true },
      { name: "20260102000000_second", finished: true },
    ]);
  });

  test("applies each migration once if several processes migrate simultaneously", async () => {
    const results = await Promise.all(
      Array.from({ length: 6 }, () => applyMigrations(url, { migrationsDir })),
    );
    expect(results.flat()).toEqual(["20260101000000_first"]);
  });

  test("rolls back a failed migration and names it", async () => {
    write("20260102000000_broken", "create table half (id int); select no_such_function();");
    await expect(applyMigrations(url, { migrationsDir })).rejects.toThrow(
      /^The migration 20260102000000_broken failed and was rolled back: function no_such_function\(\) does not exist/,
    );
    expect(await query("select to_regclass('half') as half")).toEqual([{ half: null }]);
    write("20260102000000_broken", "create table half (id int);");
    expect(await applyMigrations(url, { migrationsDir })).toEqual(["20260102000000_broken"]);
  });

  test("resumes after a process was killed during a migration", async () => {
    await applyMigrations(url, { migrationsDir });
    await query(
      "insert into _prisma_migrations (id, checksum, migration_name) values ('killed', 'x', '20260102000000_second')",
    );
    write("20260102000000_second", "create table second (id int);");
    expect(await applyMigrations(url, { migrationsDir })).toEqual(["20260102000000_second"]);
  });

  test("lists the missing migrations and refuses to start if migrating is a separate step", async () => {
    await expect(assertMigrations(url, migrationsDir)).rejects.toThrow(
      /lacks 20260101000000_first: run `npm run admin/,
    );
    expect(await query("select to_regclass('_prisma_migrations') as history")).toEqual([{ history: null }]);
    await applyMigrations(url, { migrationsDir });
    await assertMigrations(url, migrationsDir);
  });

  test("accepts a database that a newer version has migrated", async () => {
    write("20260102000000_second", "create table second (id int);");
    await applyMigrations(url, { migrationsDir });
    rmSync(join(migrationsDir, "20260102000000_second"), { recursive: true });
    await assertMigrations(url, migrationsDir);
    expect(await applyMigrations(url, { migrationsDir })).toEqual([]);
  });

  test("warns about a migration that has been edited since it was applied", async () => {
    await applyMigrations(url, { migrationsDir });
    write("20260101000000_first", "create table first (id bigint primary key);");
    const messages: string[] = [];
    await applyMigrations(url, { migrationsDir, log: (message) => messages.push(message) });
    expect(messages).toEqual([expect.stringMatching(/20260101000000_first was edited/)]);
  });
});

describe("an unusable DATABASE_URL", () => {
  test.each<[string, Partial<URL>, RegExp]>([
    ["wrong password", { password: "S3cret" }, /refuses the user "svc_login"/],
    ["missing database", { pathname: "nowhere" }, /"nowhere" of DATABASE_URL does not exist/],
    ["no server", { port: "1" }, /No PostgreSQL answers at 127.0.0.1:1/],
    ["another protocol", { href: "mysql://user:S3cret@host/name" }, /expected postgresql:/],
  ])("is explained in one line, without its password: %s", async (_, change, explanation) => {
    const changed = Object.assign(new URL(server.url), change);
    const failure = await migrate(changed.href).catch((error) => error);
    expect(failure.message).toMatch(explanation);
    expect(failure.message).not.toContain("\n");
    expect(failure.message).not.toContain(changed.password);
  });
});
