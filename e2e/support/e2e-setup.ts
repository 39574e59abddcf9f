import { createTestDatabase } from "#scripts/kit/database.ts";
import { startApp } from "#scripts/kit/start-app.ts";
import { startNameServer } from "./name-server.ts";
import { startInTurn } from "./stop-later.ts";

/** Starts the application for the browser tests and tells them where it is. */
export default function setup(): Promise<() => Promise<void>> {
  return startInTurn(async (stopLater) => {
    const database = await createTestDatabase();
    stopLater(() => database.close());
    const nameServer = await startNameServer();
    stopLater(() => nameServer.close());
    const app = await startApp({
      DATABASE_URL: database.url,
      DEMO_WALLET: "true",
      HOSTED_DEMO: "true",
      // The receivers that tests start, and the demo customer's, are on this machine.
      WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8,::1/128",
      // Knows no name, so no lookup leaves this machine.
      DNS_SERVERS: nameServer.address,
      LOG_LEVEL: "warn",
      // A test that plays two networks says which one a browser is on.
      TRUSTED_PROXIES: "1",
      // All browsers of the tests share one address.
      RATE_LIMIT_SCALE: "100",
    });
    stopLater(() => app.stop());
    process.env.APP_UNDER_TEST = app.url;
    process.env.DATABASE_UNDER_TEST = database.url;
  });
}
