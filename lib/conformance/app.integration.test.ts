import { describe, expect, inject, test } from "vitest";
import { newCustomer } from "../../e2e/support/customer.ts";
import { FAST_CHECKS } from "./fast/checks.ts";
import { runFast } from "./fast/run-fast.ts";
import { FAST_PATHS } from "./fast/target.ts";
import { HOSTED_CHECKS } from "./hosted/checks.ts";
import { runHosted } from "./hosted/run-hosted.ts";
import type { RunOutcome } from "./run-checks.ts";
import { LOGIN_CHECKS } from "./server/checks.ts";
import { runServer } from "./server/run-server.ts";
import { DEFAULT_PATHS } from "./server/target.ts";

const [url] = inject("appUrls");
const databaseUrl = inject("databaseUrl");
const origin = new URL(url);
const timeoutSeconds = 30;

function expectAllHold({ results, requests }: RunOutcome, atLeast: number): void {
  const open = results.filter(({ outcome }) => outcome === "failed" || outcome === "blocked");
  expect(open.map(({ check, message }) => `${check.id}: ${message}`)).toEqual([]);
  expect(results.filter(({ outcome }) => outcome === "passed").length).toBeGreaterThan(atLeast);
  expect(requests).toBeLessThan(2_000);
}

// All mostly wait for a minute to pass, so they wait together. The application under test trusts a proxy, so here a
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

  test("of the hosted API", async () => {
    const [one, other] = [await newCustomer(url, databaseUrl), await newCustomer(url, databaseUrl)];
    const target = { origin, base: "/sandbox/v1", key: one.key, otherKey: other.key } as const;
    const checks = HOSTED_CHECKS.filter(({ locksOut }) => !locksOut);
    const run = await runHosted({ target, checks, timeoutSeconds });
    // Where events may not be sent to this machine, a dozen checks do not concern the application.
    expectAllHold(run, 80);
  });
});
