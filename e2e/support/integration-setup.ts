import { runMigrations } from "graphile-worker";
import type { TestProject } from "vitest/node";
import { migrate as migrateSite } from "#packages/login/site/migrate.ts";
import { migrate } from "#scripts/database/migrate.ts";
import { createTestDatabase, TEST_SERVER_VARIABLE } from "#tools/kit/database.ts";
import { startApp } from "#tools/kit/start-app.ts";
import { startNameServer } from "./name-server.ts";
import { serveSharedApps } from "./shared-apps.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Two processes of the application on one database. */
    appUrls: [string, string];
    databaseUrl: string;
    /** The URL of the server that starts the applications of `shared-apps.ts`. */
    sharedAppsUrl: string;
    /** The name server of the tests, in the format of DNS_SERVERS. */
    dnsServers: string;
    /** The name of a migrated database without rows, to be copied. It has no connections. */
    migratedDatabase: string;
    /** The same with only the login's tables, as a site has them. */
    migratedSite: string;
  }
}

/**
 * Starts the servers of the integration tests: real PostgreSQL, and the production build twice. If a start fails
 * halfway, this stops the parts that have started.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await using started = new AsyncDisposableStack();
  const migrated = await createTestDatabase();
  started.defer(migrated.close);
  // Not the URL of a database that is copied, which must have no connections.
  process.env[TEST_SERVER_VARIABLE] = new URL("/postgres", migrated.url).href;
  started.defer(() => void delete process.env[TEST_SERVER_VARIABLE]);
  await migrate(migrated.url);
  await runMigrations({ connectionString: migrated.url });
  const migratedSite = await createTestDatabase();
  started.defer(migratedSite.close);
  await migrateSite(migratedSite.url);
  const database = await createTestDatabase(migrated.name);
  started.defer(database.close);
  const nameServer = await startNameServer();
  started.defer(nameServer.close);
  // Behind one trusted proxy, so that each test can be a client with a separate address.
  const variables = {
    DATABASE_URL: database.url,
    TRUSTED_PROXIES: "1",
    DEMO_WALLET: "true",
    // Resolves only the names that tests set: the domains that they create are looked up on this machine.
    DNS_SERVERS: nameServer.address,
    LOG_LEVEL: "warn",
  };
  const first = await startApp(variables);
  started.defer(() => first.stop());
  const second = await startApp({ ...variables, APP_URL: first.url });
  started.defer(() => second.stop());
  const shared = await serveSharedApps({
    databaseUrl: database.url,
    migrated: migrated.name,
    ...{ variables, nameServer },
  });
  started.defer(shared.stop);
  project.provide("appUrls", [first.url, second.url]);
  project.provide("sharedAppsUrl", shared.url);
  project.provide("databaseUrl", database.url);
  project.provide("dnsServers", nameServer.address);
  project.provide("migratedDatabase", migrated.name);
  project.provide("migratedSite", migratedSite.name);
  const servers = started.move();
  return () => servers.disposeAsync();
}
