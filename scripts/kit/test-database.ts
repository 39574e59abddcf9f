import { randomBytes } from "node:crypto";
import { join } from "node:path";
import pg from "pg";
import { openEmbeddedDatabase } from "#lib/postgres/embedded.ts";

const DATA = join(import.meta.dirname, "..", "..", ".data");

/** A database of its own for one run of tests, on the embedded server. */
export type TestDatabase = { name: string; url: string; close(): Promise<void> };

/**
 * Makes an empty database; `close` drops it and leaves the server, unless nobody else uses it.
 * @param template the name of a database that is copied instead, while nobody is connected to it
 */
export async function createTestDatabase(template = "template1"): Promise<TestDatabase> {
  const server = await openEmbeddedDatabase({ root: DATA, log: () => {} });
  const name = `svc_test_${randomBytes(6).toString("hex")}`;
  await execute(server.url, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return {
    name,
    url: url.href,
    async close() {
      await execute(server.url, `DROP DATABASE ${name} WITH (FORCE)`);
      await server.close();
    },
  };
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
