import { runMigrations } from "graphile-worker";
import type { TestProject } from "vitest/node";
import { migrate } from "#scripts/database/migrate.ts";
import { startNameServer } from "./name-server.ts";
import { startApp } from "./start-app.ts";
import { createTestDatabase } from "./test-database.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Two processes of the application on one database. */
    appUrls: [string, string];
    /** Another process on the same database, behind https at `https://login.example.com` as far as it knows. */
    httpsAppUrl: string;
    /** Another, where what can be switched off is off, and nobody meets a limit. */
    switchedOffUrl: string;
    databaseUrl: string;
    /** The name of a database without rows that nobody connects to. */
    migratedDatabase: string;
  }
}

/**
 * Starts what the integration tests speak to: real PostgreSQL and the production build, twice, and once each with other
 * settings that several files need.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const migrated = await createTestDatabase();
  await migrate(migrated.url);
  await runMigrations({ connectionString: migrated.url });
  const database = await createTestDatabase(migrated.name);
  const nameServer = await startNameServer();
  // Behind one trusted proxy, so that each test can be a client with an address of its own.
  const variables = {
    DATABASE_URL: database.url,
    TRUSTED_PROXIES: "1",
    DEMO_WALLET: "true",
    // Knows no name: the domains that tests make are looked up on this machine.
    DNS_SERVERS: nameServer.address,
    LOG_LEVEL: "warn",
  };
  const first = await startApp(variables);
  const second = await startApp({ ...variables, APP_URL: first.url });
  const https = await startApp({
    ...variables,
    APP_URL: "https://login.example.com",
    SVC_QR_FORMAT: "https",
  });
  const switchedOff = await startApp({
    ...variables,
    DEMO_WALLET: "false",
    FAST_AUTO_REGISTER: "false",
    RATE_LIMIT_SCALE: "1789569",
  });
  project.provide("appUrls", [first.url, second.url]);
  project.provide("httpsAppUrl", https.url);
  project.provide("switchedOffUrl", switchedOff.url);
  project.provide("databaseUrl", database.url);
  project.provide("migratedDatabase", migrated.name);
  return async () => {
    await Promise.all([first, second, https, switchedOff].map((app) => app.stop()));
    nameServer.close();
    await database.close();
    await migrated.close();
  };
}
