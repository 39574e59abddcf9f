import { describe, expect, test } from "vitest";
import { newCustomer } from "../../e2e/support/customer.ts";
import { databaseUrl, url } from "../../e2e/support/test-apps.ts";
import { FAST_CHECKS, runFast } from "./fast/checks.ts";
import { FAST_PATHS } from "./fast/site.ts";
import { HOSTED_CHECKS, runHosted } from "./hosted/checks.ts";
import type { RunOutcome } from "./run-checks.ts";
import { LOGIN_CHECKS, runServer } from "./server/checks.ts";
import { DEFAULT_PATHS } from "./server/site.ts";

const origin = new URL(url);
const timeoutSeconds = 30;

/** docs/guarantees.md can name every other check. */
const NOT_OF_THIS_RUN = [
  // In this application, codes have the svc form, and these runs reach no limit.
  ...["1.2-payload-page", "2.4-retry-after", "2.4-api-retry-after"],
  // These checks take two minutes.
  ...["6.1-slow-lives", "6.1-slow-expired"],
  // In this test, the application cannot send events to this machine. The tests in lib/hosted/events do that.
  ...["5.6-sent", "5.6-sent-body", "5.6-sent-standard", "5.6-sent-svc", "5.6-sent-rotated", "5.6-sent-test"],
  ...["5.6-sent-for-success", "5.6-sent-again", "5.6-sent-redirect", "5.6-sent-any-2xx", "5.6-sent-410"],
  ...["5.6-sent-later", "5.6-resent", "5.6-listed"],
];

function expectAllHold({ results, requests }: RunOutcome): void {
  const open = results.filter(
    ({ check, outcome }) => outcome !== "passed" && !NOT_OF_THIS_RUN.includes(check.id),
  );
  expect(open.map(({ check, outcome, message }) => `${check.id} ${outcome}: ${message}`)).toEqual([]);
  expect(requests).toBeLessThan(2_000);
}

// These runs spend most of their time waiting for a minute to pass, so they run at the same time. Here, the application
// trusts a proxy, so a client can choose its IP address. The checks that use up limits with other IP addresses are
// therefore omitted. On a busy machine, a run can need a third minute.
describe.concurrent("this application, within its own limits and 2,000 requests", {
  timeout: 300_000,
}, () => {
  test("passes every check of the login", async () => {
    const checks = LOGIN_CHECKS.filter(({ exhaustsLimits }) => !exhaustsLimits);
    const run = await runServer({ target: { ...DEFAULT_PATHS, origin }, checks, timeoutSeconds });
    expectAllHold(run);
  });

  test("passes every check of fast login", async () => {
    const checks = FAST_CHECKS.filter(({ exhaustsLimits }) => !exhaustsLimits);
    const run = await runFast({ target: { ...FAST_PATHS, origin }, checks, timeoutSeconds });
    expectAllHold(run);
  });

  test("passes every check of the hosted API", async () => {
    const [one, other] = [await newCustomer(url, databaseUrl), await newCustomer(url, databaseUrl)];
    const target = { origin, base: "/sandbox/v1", key: one.key, otherKey: other.key } as const;
    const checks = HOSTED_CHECKS.filter(({ exhaustsLimits }) => !exhaustsLimits);
    const run = await runHosted({ target, checks, timeoutSeconds });
    expectAllHold(run);
  });
});
