import { existsSync } from "node:fs";
import { defineConfig } from "playwright/test";

const PORT = process.env.PORT ?? "3210";
const INSTALLED = ["/usr/bin/chromium", "/usr/bin/google-chrome", "/usr/bin/chromium-browser"];
const executablePath = process.env.BROWSER_PATH ?? INSTALLED.find((path) => existsSync(path));

export default defineConfig({
  testDir: "e2e",
  // Long enough for a busy machine. These limits only end tests that hang.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  use: {
    baseURL: `http://localhost:${PORT}`,
    // Otherwise, the browser would repaint the countdown ring around a code all the time.
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: { ...(executablePath && { executablePath }), args: ["--no-sandbox"] },
  },
  webServer: {
    command: "npm run build && npm start",
    url: `http://localhost:${PORT}/login`,
    env: {
      ...{ PORT, APP_URL: `http://localhost:${PORT}`, NEXTAUTH_SECRET: "known to all, and good for tests" },
      // The tests do not change your build or your data. They use their own, or the database in DATABASE_URL.
      ...{ BUILD_FOLDER: ".next/test", DATA_FOLDER: ".data/test" },
      DATABASE_URL: process.env.TEST_DATABASE_URL ?? "",
    },
    timeout: 900_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 5_000 },
  },
});
