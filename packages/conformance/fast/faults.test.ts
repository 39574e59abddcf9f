import { describe, expect, test } from "vitest";
import type { Check } from "../check.ts";
import { describeFaults } from "../testing/faults.fixture.ts";
import { FAST_FAULTS, INDEPENDENT_FAST_FAULTS } from "../testing/faults-fast.fixture.ts";
import { closeAfterTest } from "../testing/reference.fixture.ts";
import type { Reference } from "../testing/reference-answers.fixture.ts";
import { startReferenceFastSite } from "../testing/reference-fast-site.fixture.ts";
import { FAST_CHECKS, runFast } from "./checks.ts";
import { FAST_PATHS, type FastSite } from "./site.ts";

/** The checks that wait move the site's clock. */
async function tryOn(site: Reference, checks: readonly Check<FastSite>[]) {
  const { results } = await runFast({
    ...{ target: { ...FAST_PATHS, origin: site.origin }, checks, timeoutSeconds: 30, lanes: 1 },
    ...{ isSlow: true, wait: async (seconds) => site.advance(seconds) },
  });
  return results;
}

describe("a site with fast login", () => {
  describeFaults({
    checks: FAST_CHECKS,
    caught: FAST_FAULTS,
    together: INDEPENDENT_FAST_FAULTS,
    start: (faults, withLimits) => startReferenceFastSite({ faults, limit: withLimits ? 120 : undefined }),
    tryOn,
  });

  test("passes even if it does not support intents, which are optional", async () => {
    const site = await closeAfterTest(startReferenceFastSite({ faults: ["no-intents"] }));
    const checks = FAST_CHECKS.filter(({ id }) => /^6\.1-intent/.test(id));
    const results = await tryOn(site, checks);
    expect(results.map(({ outcome }) => outcome)).toEqual(["skipped", "skipped"]);
  });
});
