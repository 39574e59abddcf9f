import { describe, expect, test } from "vitest";
import type { Check } from "../check.ts";
import { describeFaults } from "../testing/faults.fixture.ts";
import { type ReferenceSite, startReferenceSite } from "../testing/reference-site.fixture.ts";
import { INDEPENDENT_SITE_FAULTS, LIMIT_FAULTS, SITE_FAULTS } from "../testing/site-faults.fixture.ts";
import { LOGIN_CHECKS } from "./checks.ts";
import { runServer } from "./run-server.ts";
import type { Site } from "./site.ts";
import { DEFAULT_PATHS } from "./target.ts";

/** Tries a site whose clock the waiting checks move, one check after another. */
async function tryOn(site: ReferenceSite, checks: readonly Check<Site>[]) {
  const { results } = await runServer({
    ...{ target: { ...DEFAULT_PATHS, origin: site.origin }, checks, timeoutSeconds: 30, lanes: 1 },
    wait: async (seconds) => site.advance(seconds),
  });
  return results;
}

describe("a site with login by keys", () => {
  describeFaults({
    checks: LOGIN_CHECKS,
    faults: SITE_FAULTS,
    together: INDEPENDENT_SITE_FAULTS,
    limits: LIMIT_FAULTS,
    looksBackAtLimits: "2.4-retry-after",
    start: (faults, withLimits) =>
      startReferenceSite({
        faults,
        limit: withLimits ? 120 : undefined,
        qrFormat: faults.includes("no-page") ? "https" : undefined,
      }),
    tryOn,
    skips: ["1.2-payload-page", "2.4-retry-after"],
  });

  test("passes with codes of the https form too", async () => {
    const site = await startReferenceSite({ qrFormat: "https" });
    const results = await tryOn(
      site,
      LOGIN_CHECKS.filter(({ locksOut }) => !locksOut),
    );
    site.close();
    const open = results.filter(({ outcome }) => outcome !== "passed");
    expect(open.map(({ check, outcome }) => [check.id, outcome])).toEqual([
      ["1.2-payload-ts", "skipped"],
      ["2.4-retry-after", "skipped"],
    ]);
  });
});
