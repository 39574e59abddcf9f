import { existsSync } from "node:fs";
import { defineConfig } from "playwright/test";

const PORT = process.env.PORT ?? "3210";
const INSTALLED = ["/usr/bin/chromium", "/usr/bin/google-chrome", "/usr/bin/chromium-browser"];
const executablePath = process.env.BROWSER_PATH ?? INSTALLED.find((path) => existsSync(path));

export default defineConfig({
  testDir: "e2e",
  // These limits are long enough for a busy machine. They only end tests that hang.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  use: {
    baseURL: `http://localhost:${PORT}`,
    // Otherwise, the browser would constantly repaint the countdown ring around a code.
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: { ...(executablePath && { executablePath }), args: ["--no-sandbox"] },
  },
  webServer: {
    command: "npm run build && npm start",
    url: `http://localhost:${PORT}/login`,
    env: {
      ...{ PORT, APP_URL: `http://localhost:${PORT}`, NEXTAUTH_SECRET: "known to all, and good for tests" },
      // The tests do not change your build or your data. They have their own folders, and use the database in
      // TEST_DATABASE_URL if it is set.
      ...{ BUILD_FOLDER: ".next/test", DATA_FOLDER: ".data/test" },
      DATABASE_URL: process.env.TEST_DATABASE_URL ?? "",
    },
    timeout: 900_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 5_000 },
  },
});
