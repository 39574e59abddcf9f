import { runMigrations } from "graphile-worker";
import type { TestProject } from "vitest/node";
import { migrate } from "#scripts/database/migrate.ts";
import { createTestDatabase } from "#tools/kit/database.ts";
import { startApp } from "#tools/kit/start-app.ts";
import type { RunningServer } from "#tools/kit/start-server.ts";
import { startNameServer } from "./name-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Two processes of the application on one database. */
    appUrls: [string, string];
    /** Another process on the same database, behind https at `https://login.example.com` as far as it knows. */
    httpsAppUrl: string;
    /** Another, with everything off that can be switched off, and with limits that no test meets. */
    switchedOffUrl: string;
    databaseUrl: string;
    /** The name of a migrated database without rows, to be copied. It has no connections. */
    migratedDatabase: string;
  }
}

/**
 * Starts the servers of the integration tests: real PostgreSQL and the production build, twice, and once each with
 * other settings that several files need. If a start fails half way, this stops the parts that have started.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await using started = new AsyncDisposableStack();
  const migrated = await createTestDatabase();
  started.defer(migrated.close);
  await migrate(migrated.url);
  await runMigrations({ connectionString: migrated.url });
  const database = await createTestDatabase(migrated.name);
  started.defer(database.close);
  const nameServer = await startNameServer();
  started.defer(nameServer.close);
  const apps: RunningServer[] = [];
  started.defer(async () => void (await Promise.all(apps.map((app) => app.stop()))));
  // Behind one trusted proxy, so that each test can be a client with a separate address.
  const variables = {
    DATABASE_URL: database.url,
    TRUSTED_PROXIES: "1",
    DEMO_WALLET: "true",
    // Resolves no names: the domains that tests create are looked up on this machine.
    DNS_SERVERS: nameServer.address,
    LOG_LEVEL: "warn",
  };
  const startUrl = async (more: Record<string, string>): Promise<string> => {
    const app = await startApp({ ...variables, ...more });
    apps.push(app);
    return app.url;
  };
  const first = await startUrl({});
  const second = await startUrl({ APP_URL: first });
  const https = await startUrl({ APP_URL: "https://login.example.com", SVC_QR_FORMAT: "https" });
  const switchedOff = await startUrl({
    DEMO_WALLET: "false",
    FAST_AUTO_REGISTER: "false",
    RATE_LIMIT_SCALE: "1789569",
  });
  project.provide("appUrls", [first, second]);
  project.provide("httpsAppUrl", https);
  project.provide("switchedOffUrl", switchedOff);
  project.provide("databaseUrl", database.url);
  project.provide("migratedDatabase", migrated.name);
  const servers = started.move();
  return () => servers.disposeAsync();
}
