import { readLoginEnv } from "@svc/login";
import pg from "pg";

/** The database of login and site. Without DATABASE_URL it starts a PostgreSQL, which only development installs. */
export async function databaseUrl(): Promise<string> {
  const { databaseUrl: configured, dataFolder } = readLoginEnv(process.env);
  return configured ?? (await import("@svc/postgres")).ownDatabase(dataFolder);
}

/** Creates the site's own tables if they are missing. The login keeps its tables in the schema `svc_login`. */
const TABLES = `BEGIN; SELECT pg_advisory_xact_lock(1);
CREATE TABLE IF NOT EXISTS note (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, user_id INTEGER NOT NULL,
  text TEXT NOT NULL, created_at TIMESTAMPTZ NOT NULL DEFAULT now()); COMMIT`;

async function open(): Promise<pg.Pool> {
  const pool = new pg.Pool({ connectionString: await databaseUrl(), max: 5 });
  // If the server closes a connection, the next query opens another.
  pool.on("error", (error) => console.warn(error.message));
  await pool.query(TABLES);
  return pool;
}

// Keeps the connections when `next dev` reloads this file.
const kept = globalThis as typeof globalThis & { pool?: Promise<pg.Pool> };

/** Connections for the site's own statements. */
export function database(): Promise<pg.Pool> {
  kept.pool ??= open().catch((error) => {
    kept.pool = undefined;
    throw error;
  });
  return kept.pool;
}
