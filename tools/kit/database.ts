import { randomBytes } from "node:crypto";
import { join } from "node:path";
import pg from "pg";
import { openEmbeddedDatabase } from "#packages/postgres/embedded.ts";
import { readPostmaster } from "#packages/postgres/postmaster.ts";

const DATA = join(import.meta.dirname, "..", "..", ".data");

/**
 * The name of the variable that contains the URL of a server. The parent process keeps this server running while the
 * current process runs. Joining a server takes as much processor time as creating a database.
 */
export const TEST_SERVER_VARIABLE = "TEST_DATABASE_SERVER";

type Databases = {
  /** Empty, or a copy of another database. Returns the URL. */
  create(name: string, template?: string): Promise<string>;
  drop(name: string): Promise<void>;
};

export type DatabaseServer = Databases & {
  /** Creates a database, and replaces a database with the same name from an earlier run. */
  create(name: string, template?: string): Promise<string>;
  pid: number;
  url: string;
  /** The server stops when its last user has left. */
  close(): Promise<void>;
};

const databasesOf = (url: string): Databases => ({
  async create(name, template = "template1") {
    await execute(url, `CREATE DATABASE ${name} TEMPLATE ${template}`);
    const databaseUrl = new URL(url);
    databaseUrl.pathname = `/${name}`;
    return databaseUrl.href;
  },
  drop: (name) => execute(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
});

export async function openDatabaseServer(folder: string): Promise<DatabaseServer> {
  const { url, close } = await openEmbeddedDatabase({ root: folder, log: () => {} });
  const postmaster = readPostmaster(join(folder, "postgres"));
  if (!postmaster) throw new Error("the database's process is not known");
  const { create, drop } = databasesOf(url);
  return {
    ...{ pid: postmaster.pid, url, drop, close },
    async create(name, template) {
      await drop(name);
      return create(name, template);
    },
  };
}

export type TestDatabase = { name: string; url: string; close(): Promise<void> };

/**
 * `close` drops the database.
 * @param template the name of a database to copy, which must have no connections
 */
export async function createTestDatabase(template?: string): Promise<TestDatabase> {
  const kept = process.env[TEST_SERVER_VARIABLE];
  const server = kept
    ? { url: kept, ...databasesOf(kept), close: async () => {} }
    : await openDatabaseServer(DATA);
  const name = `svc_test_${randomBytes(6).toString("hex")}`;
  const url = await server.create(name, template);
  // The rows need not survive a crash. Waiting for the disk would take four fifths of a commit's processor time.
  await execute(server.url, `ALTER DATABASE ${name} SET synchronous_commit = off`);
  return {
    ...{ name, url },
    async close() {
      await server.drop(name);
      await server.close();
    },
  };
}

export async function execute(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
