import { describe, expect, inject, test } from "vitest";
import { FAST_CHECKS } from "./fast/checks.ts";
import { runFast } from "./fast/run-fast.ts";
import { FAST_PATHS } from "./fast/target.ts";
import type { RunOutcome } from "./run-checks.ts";
import { LOGIN_CHECKS } from "./server/checks.ts";
import { runServer } from "./server/run-server.ts";
import { DEFAULT_PATHS } from "./server/target.ts";

const [url] = inject("appUrls");
const origin = new URL(url);
const timeoutSeconds = 30;

function expectAllHold({ results, requests }: RunOutcome, atLeast: number): void {
  const open = results.filter(({ outcome }) => outcome === "failed" || outcome === "blocked");
  expect(open.map(({ check, message }) => `${check.id}: ${message}`)).toEqual([]);
  expect(results.filter(({ outcome }) => outcome === "passed").length).toBeGreaterThan(atLeast);
  expect(requests).toBeLessThan(2_000);
}

// Both mostly wait for a minute to pass, so they wait together. The application under test trusts a proxy, so here a
// client may say which address it has: what uses up the limits by other addresses is left out.
describe.concurrent("this application keeps every rule, within its own limits and 2,000 requests", () => {
  test("of the login", async () => {
    const checks = LOGIN_CHECKS.filter(({ locksOut }) => !locksOut);
    const run = await runServer({ target: { ...DEFAULT_PATHS, origin }, checks, timeoutSeconds });
    expectAllHold(run, 135);
  });

  test("of fast login", async () => {
    const checks = FAST_CHECKS.filter(({ locksOut }) => !locksOut);
    const run = await runFast({ target: { ...FAST_PATHS, origin }, checks, timeoutSeconds });
    expectAllHold(run, 100);
  });
});
