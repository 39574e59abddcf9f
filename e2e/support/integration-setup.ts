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
    /** Two processes of the application, which share a database. */
    appUrls: [string, string];
    databaseUrl: string;
    /** Starts the applications in `shared-apps.ts`. */
    sharedAppsUrl: string;
    /** In the format of DNS_SERVERS. */
    dnsServers: string;
    /** Migrated, without rows, and with no connections, because tests copy it. */
    migratedDatabase: string;
    /** Has only the login's tables, as on a site. */
    migratedSite: string;
  }
}

/**
 * Starts the servers for the integration tests: a real PostgreSQL, and two processes of the production build. If
 * something fails to start, this function stops everything that has already started.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await using started = new AsyncDisposableStack();
  const migrated = await createTestDatabase();
  started.defer(migrated.close);
  // This must not be the URL of a database that tests copy, because nothing must be connected to such a database.
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
  // The application trusts one proxy, so each test's client can have its own IP address.
  const variables = {
    DATABASE_URL: database.url,
    TRUSTED_PROXIES: "1",
    DEMO_WALLET: "true",
    // The name server knows only the names that tests have set. With it, lookups of the tests' domains do not leave
    // this machine.
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
