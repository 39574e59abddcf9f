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

/** The rows of a service after a while: so many users and login sessions, and ten log entries for each. */
export async function fillRows(databaseUrl: string, count: number): Promise<void> {
  const each = `generate_series(1, ${count}) AS n`;
  await execute(
    databaseUrl,
    "SET synchronous_commit = off",
    `INSERT INTO user_account (id, created_at) SELECT 1000 + n, now() FROM ${each}`,
    `INSERT INTO credential (id, user_id, kind, value, created_at)
     SELECT gen_random_uuid(), 1000 + n, 'public_key', '04' || repeat(md5(n::text), 4), now() FROM ${each}`,
    `INSERT INTO login_session
       (sid, flow, browser_hash, status, created_at, challenged_at, authenticated_at, redeemed_at, user_id, credential)
     SELECT 'bench' || md5(n::text), 'login', sha256(n::text::bytea), 'authenticated', now(), now(), now(), now(),
       1000 + n, '04' || repeat(md5(n::text), 4) FROM ${each}`,
    `INSERT INTO challenge (text, sid, issued_at, spent_at)
     SELECT 'svc:login:localhost:0:' || md5(n::text), 'bench' || md5(n::text), now(), now() FROM ${each}`,
    `INSERT INTO browser_session (id, user_id, credential, created_at, last_seen_at, expires_at)
     SELECT gen_random_uuid(), 1000 + n, '04' || repeat(md5(n::text), 4), now(), now(), now() + interval '7 days'
     FROM ${each}`,
    `INSERT INTO login_event (at, kind, sid, user_id)
     SELECT now() - make_interval(secs => line * 1000), 'delivered', 'bench' || md5(n::text), 1000 + n
     FROM ${each}, generate_series(1, 10) AS line`,
    "SELECT setval('user_account_id_seq', (SELECT max(id) FROM user_account))",
    "VACUUM ANALYZE",
    // Otherwise it would be written to disk while other servers are measured.
    "CHECKPOINT",
  );
}
