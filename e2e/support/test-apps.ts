import type pg from "pg";
import { afterAll, beforeAll, expect, inject } from "vitest";
import { createTestDatabase } from "#tools/kit/database.ts";
import { sql } from "#tools/kit/sql.ts";
import { startApp } from "#tools/kit/start-app.ts";
import type { RunningServer } from "#tools/kit/start-server.ts";

/** The applications of an integration test: those that `integration-setup.ts` starts, or its own. */

export const urls = inject("appUrls");
export const [url, otherUrl] = urls;
export const databaseUrl = inject("databaseUrl");

/** The name of a cookie of `urls`: one site, on the port of the first, which plain http has in the name. */
const cookieName = (name: string) => `port-${new URL(url).port}-${name}`;
export const BINDING_COOKIE = cookieName("svc-browser");
export const SESSION_COOKIE = cookieName("next-auth.session-token");
export const KNOWN_BROWSER_COOKIE = cookieName("svc-known-browser");
export const RECOVERY_COOKIE = cookieName("svc-recovery");
export const CALLBACK_COOKIE = cookieName("next-auth.callback-url");

/** Runs one statement on the database of `urls`. */
export const query = <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> =>
  sql<Row>(databaseUrl, text, values);

/**
 * Lets the worker of `urls` prune now. Waits only for this job, because a scheduled one may be locked by a process
 * that another test has stopped.
 */
export async function prune(): Promise<void> {
  const [job] = await query("SELECT id::text FROM graphile_worker.add_job('prune')");
  const open = () => query("SELECT 1 FROM graphile_worker.jobs WHERE id = $1", [job?.id]);
  await expect.poll(open, { timeout: 60_000 }).toEqual([]);
}

/** A migrated database for an application of the test's own. It is a copy, which is cheaper than migrating each. */
export const createMigratedDatabase = () => createTestDatabase(inject("migratedDatabase"));

/** An application with a separate database. */
export type OwnApp = RunningServer & { databaseUrl: string };

/**
 * Starts an application for the tests of one file, on a separate database, with these variables in addition to the
 * usual ones. Tests, and hooks that are declared later, can use it.
 * @param how.empty lets the application migrate its database itself
 */
export function startOwnApp(
  variables: Record<string, string> = {},
  { empty = false, ...how }: { empty?: boolean; args?: readonly string[] } = {},
): OwnApp {
  const ownApp = {} as OwnApp;
  let close = async () => {};
  beforeAll(async () => {
    const database = await (empty ? createTestDatabase() : createMigratedDatabase());
    close = database.close;
    const app = await startApp(
      { DATABASE_URL: database.url, TRUSTED_PROXIES: "1", LOG_LEVEL: "warn", ...variables },
      how,
    );
    Object.assign(ownApp, app, { databaseUrl: database.url });
  });
  afterAll(async () => {
    await ownApp.stop?.();
    await close();
  });
  return ownApp;
}
