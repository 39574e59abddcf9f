import { expect, inject, test } from "vitest";
import { newCustomer } from "../../e2e/support/customer.ts";
import { HOSTED_CHECKS } from "./hosted/checks.ts";
import { runHosted } from "./hosted/run-hosted.ts";
import type { RunOutcome } from "./run-checks.ts";
import { LOGIN_CHECKS } from "./server/checks.ts";
import { runServer } from "./server/run-server.ts";
import { DEFAULT_PATHS } from "./server/target.ts";

const [url] = inject("appUrls");
const databaseUrl = inject("databaseUrl");

test("this application keeps every rule of a login, within its own limits and 2,000 requests", async () => {
  const outcome = await runServer({
    target: { ...DEFAULT_PATHS, origin: new URL(url) },
    // The application under test trusts a proxy, so here a client may say which address it has.
    checks: LOGIN_CHECKS.filter(({ locksOut }) => !locksOut),
    timeoutSeconds: 30,
  });
  expectAllHolds(outcome, 135);
});

test("this application keeps every rule of a hosted API, within its own limits and 2,000 requests", async () => {
  const [one, other] = [await newCustomer(url, databaseUrl), await newCustomer(url, databaseUrl)];
  const outcome = await runHosted({
    target: { origin: new URL(url), base: "/sandbox/v1", key: one.key, otherKey: other.key },
    checks: HOSTED_CHECKS.filter(({ locksOut }) => !locksOut),
    timeoutSeconds: 30,
  });
  // Where events may not be sent to this machine, a dozen checks do not concern the application.
  expectAllHolds(outcome, 80);
});

function expectAllHolds({ results, requests }: RunOutcome, passed: number): void {
  const open = results.filter(({ outcome }) => outcome === "failed" || outcome === "blocked");
  expect(open.map(({ check, message }) => `${check.id}: ${message}`)).toEqual([]);
  expect(results.filter(({ outcome }) => outcome === "passed").length).toBeGreaterThan(passed);
  expect(requests).toBeLessThan(2_000);
}
