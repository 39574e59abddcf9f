import { readLoginEnv } from "@svc/login";
import pg from "pg";

/**
 * Returns the URL of the database. If DATABASE_URL is not set, starts the PostgreSQL that is installed for development.
 */
export async function databaseUrl(): Promise<string> {
  const { databaseUrl: configured, dataFolder } = readLoginEnv(process.env);
  return configured ?? (await import("@svc/postgres")).startPostgres(dataFolder);
}

/** Creates the site's own tables if they do not exist. The login's tables are in the schema `svc_login`. */
const TABLES = `SELECT pg_advisory_xact_lock(1);
CREATE TABLE IF NOT EXISTS note (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, user_id INTEGER NOT NULL,
  text TEXT NOT NULL, created_at TIMESTAMPTZ NOT NULL DEFAULT now());
-- Adds a note unless the user already has 100. Notes of one user are added one at a time, so that the count is correct.
CREATE OR REPLACE FUNCTION add_note(owner INTEGER, words TEXT) RETURNS BOOLEAN LANGUAGE plpgsql AS $$ BEGIN
  PERFORM pg_advisory_xact_lock(2, owner);
  INSERT INTO note (user_id, text) SELECT owner, words
    WHERE (SELECT count(*) FROM note WHERE user_id = owner) < 100;
  RETURN FOUND; END $$`;

type Shared = { connections?: pg.Pool; tables?: string; opened?: Promise<pg.Pool> };
// `next dev` loads this file again whenever it changes. The connections stay open, and new tables in TABLES are
// created.
const shared = globalThis as typeof globalThis & Shared;

async function open(): Promise<pg.Pool> {
  const pool = shared.connections ?? new pg.Pool({ connectionString: await databaseUrl(), max: 5 });
  await pool.query(TABLES);
  // If the server closes a connection, the next query opens a new one.
  if (!shared.connections) pool.on("error", (error) => console.warn(error.message));
  shared.connections = pool;
  return pool;
}

/** Returns a connection pool for the site's own statements. */
export function database(): Promise<pg.Pool> {
  if (shared.tables !== TABLES) shared.opened = undefined;
  shared.tables = TABLES;
  shared.opened ??= open().catch((error) => {
    shared.opened = undefined;
    throw error;
  });
  return shared.opened;
}
