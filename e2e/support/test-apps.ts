import type pg from "pg";
import { afterAll, beforeAll, expect, inject } from "vitest";
import { createTestDatabase } from "#tools/kit/database.ts";
import { sql } from "#tools/kit/sql.ts";
import { startApp } from "#tools/kit/start-app.ts";
import type { RunningServer } from "#tools/kit/start-server.ts";
import type { NameAnswer } from "./name-server.ts";
import { type AppLocation, createSenderVariables, type SharedApp } from "./shared-apps.ts";

/** From `integration-setup.ts` and `shared-apps.ts`, or the test's own. */

export const urls = inject("appUrls");
export const [url, otherUrl] = urls;
export const databaseUrl = inject("databaseUrl");

/** Both processes of `urls` belong to one site. Over plain HTTP, the name contains the port of the first process. */
const cookieName = (name: string) => `port-${new URL(url).port}-${name}`;
export const BINDING_COOKIE = cookieName("svc-browser");
export const SESSION_COOKIE = cookieName("next-auth.session-token");
export const KNOWN_BROWSER_COOKIE = cookieName("svc-known-browser");
export const RECOVERY_COOKIE = cookieName("svc-recovery");
export const CALLBACK_COOKIE = cookieName("next-auth.callback-url");

export const query = <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> =>
  sql<Row>(databaseUrl, text, values);

/**
 * Makes the worker of `urls` delete old data now, and waits for this job. It does not wait for a scheduled job, which
 * might be locked by a process that another test has stopped.
 */
export async function prune(): Promise<void> {
  const [job] = await query("SELECT id::text FROM graphile_worker.add_job('prune')");
  const open = () => query("SELECT 1 FROM graphile_worker.jobs WHERE id = $1", [job?.id]);
  await expect.poll(open, { timeout: 60_000 }).toEqual([]);
}

async function requestShared(path: string, init?: RequestInit) {
  const response = await fetch(`${inject("sharedAppsUrl")}/${path}`, init);
  const answer = await response.json();
  if (!response.ok) throw new Error(`${path}: ${answer}`);
  return answer;
}

/** Starts the application when it is first requested. */
export const requestSharedApp = (name: SharedApp): Promise<AppLocation> => requestShared(`apps/${name}`);

export const requestOutput = (name: SharedApp): Promise<string> => requestShared(`output/${name}`);

export const setNameAnswer = (name: string, answer: Exclude<NameAnswer, (type: string) => NameAnswer>) =>
  requestShared(`names/${name}`, { method: "PUT", body: JSON.stringify(answer) });

export const listDnsQueries = (name: string): Promise<string[]> => requestShared(`questions/${name}`);

/** For a separate application that sends events to this machine. */
export const createOwnSenderVariables = () => createSenderVariables(inject("dnsServers"));

/** A copy, because copying is faster than migrating. */
export const createMigratedDatabase = () => createTestDatabase(inject("migratedDatabase"));

export type OwnApp = RunningServer & { databaseUrl: string };

/**
 * Starts an application with its own database for the tests in one file. The tests can use the application, and so can
 * hooks that are declared later.
 * @param variables settings in addition to the usual ones
 * @param how.empty makes the application migrate its database itself
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
