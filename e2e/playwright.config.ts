import { defineConfig } from "playwright/test";
import { LAUNCH_OPTIONS } from "./support/launch-options.ts";

/** The end-to-end tests: a real Chromium against the production build, started by the tests' own fixtures. */
export default defineConfig({
  testDir: ".",
  testMatch: "*.spec.ts",
  outputDir: "../test-results",
  fullyParallel: true,
  workers: 2,
  // A shared CI machine may stall for seconds; what passes only then is named in the summary.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: Boolean(process.env.CI),
  // These only end what would never end, on a machine that is busy with something else too.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: [["list"], ["json"]],
  globalSetup: "./support/e2e-setup.ts",
  use: {
    // Set by the global setup, which runs before the workers load this file.
    baseURL: process.env.APP_UNDER_TEST,
    locale: "en-GB",
    // The ring that runs down around a code is painted at every frame, by a processor that has none to spare.
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: LAUNCH_OPTIONS,
    // Recording one takes a quarter of a test's time: it is done when a test is tried again.
    trace: "on-first-retry",
    screenshot: "only-on-failure",
  },
});
