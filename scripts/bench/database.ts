import { join } from "node:path";
import pg from "pg";
import { openEmbeddedDatabase } from "#lib/postgres/embedded.ts";
import { readPostmaster } from "#lib/postgres/postmaster.ts";

/** The PostgreSQL that all compared servers share, each with a database of its own. */
export type BenchDatabase = {
  pid: number;
  /** Makes an empty database, in place of one that was left behind, and returns its URL. */
  create(name: string): Promise<string>;
  close(): Promise<void>;
};

/** Starts a PostgreSQL for one run, apart from the application's own. */
export async function openBenchDatabase(folder: string): Promise<BenchDatabase> {
  const server = await openEmbeddedDatabase({ root: folder, log: () => {} });
  const postmaster = readPostmaster(join(folder, "postgres"));
  if (!postmaster) throw new Error("the database's process is not known");
  return {
    pid: postmaster.pid,
    async create(name) {
      await execute(server.url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await execute(server.url, `CREATE DATABASE ${name}`);
      const url = new URL(server.url);
      url.pathname = `/${name}`;
      return url.href;
    },
    close: server.close,
  };
}

/** Runs statements on a connection of their own. */
export async function execute(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
