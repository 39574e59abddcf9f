import { expect, inject, test } from "vitest";
import { LOGIN_CHECKS } from "./server/checks.ts";
import { runServer } from "./server/run-server.ts";
import { DEFAULT_PATHS } from "./server/target.ts";

const [url] = inject("appUrls");

test("this application keeps every rule, within its own limits and 2,000 requests", async () => {
  const { results, requests } = await runServer({
    target: { ...DEFAULT_PATHS, origin: new URL(url) },
    // The application under test trusts a proxy, so here a client may say which address it has.
    checks: LOGIN_CHECKS.filter(({ locksOut }) => !locksOut),
    timeoutSeconds: 30,
  });
  const open = results.filter(({ outcome }) => outcome === "failed" || outcome === "blocked");
  expect(open.map(({ check, message }) => `${check.id}: ${message}`)).toEqual([]);
  expect(results.filter(({ outcome }) => outcome === "passed").length).toBeGreaterThan(135);
  expect(requests).toBeLessThan(2_000);
});
