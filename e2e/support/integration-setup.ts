import { runMigrations } from "graphile-worker";
import type { TestProject } from "vitest/node";
import { migrate } from "#scripts/database/migrate.ts";
import { createTestDatabase } from "#scripts/kit/database.ts";
import { startApp } from "#scripts/kit/start-app.ts";
import type { RunningServer } from "#scripts/kit/start-server.ts";
import { startNameServer } from "./name-server.ts";
import { startInTurn } from "./stop-later.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Two processes of the application on one database. */
    appUrls: [string, string];
    /** Another process on the same database, behind https at `https://login.example.com` as far as it knows. */
    httpsAppUrl: string;
    /** Another, with everything off that can be switched off, and with limits that no test meets. */
    switchedOffUrl: string;
    databaseUrl: string;
    /** The name of a migrated database without rows, to be copied. Nobody connects to it. */
    migratedDatabase: string;
  }
}

/**
 * Starts what the integration tests speak to: real PostgreSQL, two processes of the production build, and one more for
 * each set of other settings that several files need.
 */
export default function setup(project: TestProject) {
  return startInTurn(async (stopLater) => {
    const migrated = await createTestDatabase();
    stopLater(() => migrated.close());
    await migrate(migrated.url);
    await runMigrations({ connectionString: migrated.url });
    const database = await createTestDatabase(migrated.name);
    stopLater(() => database.close());
    const nameServer = await startNameServer();
    stopLater(() => nameServer.close());
    const apps: RunningServer[] = [];
    stopLater(() => Promise.all(apps.map((app) => app.stop())));
    // Behind one trusted proxy, so that each test can be a client with an address of its own.
    const variables = {
      DATABASE_URL: database.url,
      TRUSTED_PROXIES: "1",
      DEMO_WALLET: "true",
      // Knows no name, so lookups of the domains that tests make stay on this machine.
      DNS_SERVERS: nameServer.address,
      LOG_LEVEL: "warn",
    };
    const startUrl = async (own: Record<string, string>): Promise<string> => {
      const app = await startApp({ ...variables, ...own });
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
  });
}
