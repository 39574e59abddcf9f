import { randomBytes } from "node:crypto";
import { join } from "node:path";
import pg from "pg";
import { openEmbeddedDatabase } from "#packages/postgres/embedded.ts";
import { readPostmaster } from "#packages/postgres/postmaster.ts";

const DATA = join(import.meta.dirname, "..", "..", ".data");

/** A running PostgreSQL, in which databases can be made. */
export type DatabaseServer = {
  pid: number;
  url: string;
  /** Makes an empty database, or a copy of another, in place of one that was left behind; returns its URL. */
  create(name: string, template?: string): Promise<string>;
  drop(name: string): Promise<void>;
  /** Leaves the server, which stops once its last user has left. */
  close(): Promise<void>;
};

/** Opens the PostgreSQL that keeps its data in a folder. */
export async function openDatabaseServer(folder: string): Promise<DatabaseServer> {
  const { url, close } = await openEmbeddedDatabase({ root: folder, log: () => {} });
  const postmaster = readPostmaster(join(folder, "postgres"));
  if (!postmaster) throw new Error("the database's process is not known");
  const drop = (name: string) => execute(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  return {
    ...{ pid: postmaster.pid, url, drop, close },
    async create(name, template = "template1") {
      await drop(name);
      await execute(url, `CREATE DATABASE ${name} TEMPLATE ${template}`);
      const databaseUrl = new URL(url);
      databaseUrl.pathname = `/${name}`;
      return databaseUrl.href;
    },
  };
}

/** A separate database for one run of tests, on the application's embedded server. */
export type TestDatabase = { name: string; url: string; close(): Promise<void> };

/**
 * Creates an empty database; `close` drops it.
 * @param template the name of a database that is copied instead, while it has no connections
 */
export async function createTestDatabase(template?: string): Promise<TestDatabase> {
  const server = await openDatabaseServer(DATA);
  const name = `svc_test_${randomBytes(6).toString("hex")}`;
  return {
    name,
    url: await server.create(name, template),
    async close() {
      await server.drop(name);
      await server.close();
    },
  };
}

/** Runs statements on a separate connection. */
export async function execute(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
