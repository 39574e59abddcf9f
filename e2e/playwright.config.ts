import { defineConfig } from "playwright/test";
import { LAUNCH_OPTIONS } from "./support/launch-options.ts";

/** The end-to-end tests: a real Chromium against the production build, which the tests' own fixtures start. */
export default defineConfig({
  testDir: ".",
  testMatch: "*.spec.ts",
  outputDir: "../test-results",
  fullyParallel: true,
  workers: 2,
  // A shared CI machine may stall for seconds. The summary names tests that pass only on a retry.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: Boolean(process.env.CI),
  // Long enough for a busy machine. These limits only end tests that would never end.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  // Without a file the report would fill the terminal and hide the result of a single test.
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ? [["list"], ["json"]] : [["list"]],
  globalSetup: "./support/e2e-setup.ts",
  use: {
    // Set by the global setup, which runs before the workers load this file.
    baseURL: process.env.APP_UNDER_TEST,
    locale: "en-GB",
    // Otherwise the countdown ring around a code is painted at every frame, which uses all of the processor's time.
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: LAUNCH_OPTIONS,
    // Recording a trace takes a quarter of a test's time, so only retries are recorded.
    trace: "on-first-retry",
    screenshot: "only-on-failure",
  },
});
