import { readLoginEnv } from "@svc/login";
import pg from "pg";

/** The PostgreSQL of login and site. Without DATABASE_URL one for development, which production does not install. */
export async function databaseUrl(): Promise<string> {
  const { databaseUrl: configured, dataFolder } = readLoginEnv(process.env);
  return configured ?? (await import("@svc/postgres")).ownDatabase(dataFolder);
}

/** The site's own tables, made where they are missing; the login keeps its own in the schema `svc_login`. */
const TABLES = `BEGIN; SELECT pg_advisory_xact_lock(1);
CREATE TABLE IF NOT EXISTS note (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, user_id INTEGER NOT NULL,
  text TEXT NOT NULL, created_at TIMESTAMPTZ NOT NULL DEFAULT now()); COMMIT`;

async function open(): Promise<pg.Pool> {
  const pool = new pg.Pool({ connectionString: await databaseUrl(), max: 5 });
  // A connection that the server closed is replaced at the next query.
  pool.on("error", (error) => console.warn(error.message));
  await pool.query(TABLES);
  return pool;
}

// Kept when `next dev` loads this file anew.
const kept = globalThis as typeof globalThis & { pool?: Promise<pg.Pool> };

/** Connections for the site's own statements. */
export function database(): Promise<pg.Pool> {
  kept.pool ??= open().catch((error) => {
    kept.pool = undefined;
    throw error;
  });
  return kept.pool;
}
