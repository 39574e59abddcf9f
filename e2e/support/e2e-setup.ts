import { startApp } from "./start-app.ts";
import { createTestDatabase } from "./test-database.ts";

/** Starts the application for the browser tests and tells them where it is. */
export default async function setup(): Promise<() => Promise<void>> {
  const database = await createTestDatabase();
  const app = await startApp({
    DATABASE_URL: database.url,
    DEMO_WALLET: "true",
    LOG_LEVEL: "warn",
    // All browsers of the tests share one address.
    RATE_LIMIT_SCALE: "100",
  });
  process.env.APP_UNDER_TEST = app.url;
  process.env.DATABASE_UNDER_TEST = database.url;
  return async () => {
    await app.stop();
    await database.close();
  };
}
