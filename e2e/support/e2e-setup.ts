import { createTestDatabase } from "#tools/kit/database.ts";
import { startApp } from "#tools/kit/start-app.ts";
import { startNameServer } from "./name-server.ts";

/** If a start fails halfway, this function stops the parts that have already started, because no other code can. */
export default async function setup(): Promise<() => Promise<void>> {
  await using started = new AsyncDisposableStack();
  const database = await createTestDatabase();
  started.defer(database.close);
  const nameServer = await startNameServer();
  started.defer(nameServer.close);
  const app = await startApp({
    DATABASE_URL: database.url,
    DEMO_WALLET: "true",
    HOSTED_DEMO: "true",
    // The receivers that tests start, and the demo customer's receiver, run on this machine.
    WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8,::1/128",
    // Resolves no names, so neither lookups nor requests leave this machine.
    DNS_SERVERS: nameServer.address,
    LOG_LEVEL: "warn",
    // A test that needs two networks sets each browser's network in a header.
    TRUSTED_PROXIES: "1",
    // All browsers in the tests share one IP address.
    RATE_LIMIT_SCALE: "100",
  });
  started.defer(() => app.stop());
  process.env.APP_UNDER_TEST = app.url;
  process.env.DATABASE_UNDER_TEST = database.url;
  const servers = started.move();
  return () => servers.disposeAsync();
}
