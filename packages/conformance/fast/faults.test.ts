import { describe } from "vitest";
import { describeFaults } from "../testing/faults.fixture.ts";
import { FAST_FAULTS, INDEPENDENT_FAST_FAULTS } from "../testing/faults-fast.fixture.ts";
import { startReferenceFastSite } from "../testing/reference-fast-site.fixture.ts";
import { FAST_CHECKS, runFast } from "./checks.ts";
import { FAST_PATHS } from "./site.ts";

describe("a site with fast login", () => {
  describeFaults({
    checks: FAST_CHECKS,
    caught: FAST_FAULTS,
    together: INDEPENDENT_FAST_FAULTS,
    start: (faults, withLimits) => startReferenceFastSite({ faults, limit: withLimits ? 120 : undefined }),
    /** The waiting checks move its clock. */
    async tryOn(site, checks) {
      const { results } = await runFast({
        ...{ target: { ...FAST_PATHS, origin: site.origin }, checks, timeoutSeconds: 30, lanes: 1 },
        ...{ isSlow: true, wait: async (seconds) => site.advance(seconds) },
      });
      return results;
    },
  });
});
