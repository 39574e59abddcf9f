import { availableParallelism } from "node:os";
import { defineConfig } from "playwright/test";
import { LAUNCH_OPTIONS } from "./support/launch-options.ts";

export default defineConfig({
  testDir: ".",
  testMatch: "*.spec.ts",
  outputDir: "../test-results",
  fullyParallel: true,
  // The tests spend most of their time waiting. With one worker per core, a third of a two-core machine would be idle.
  workers: availableParallelism() + 2,
  // A shared CI machine can stall for seconds. The summary lists tests that passed only on a retry.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: Boolean(process.env.CI),
  // These limits only end tests that would never end.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  // Without a file, the report would fill the terminal and hide the result of a single test.
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ? [["list"], ["json"]] : [["list"]],
  globalSetup: "./support/e2e-setup.ts",
  use: {
    // The global setup sets this variable before the workers load this file.
    baseURL: process.env.APP_UNDER_TEST,
    locale: "en-GB",
    // Otherwise, the browser paints the countdown ring around a code in every frame, which uses all of the processor's
    // time.
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: LAUNCH_OPTIONS,
    // Recording a trace takes a quarter of a test's time, so only retries are recorded.
    trace: "on-first-retry",
    screenshot: "only-on-failure",
  },
});
