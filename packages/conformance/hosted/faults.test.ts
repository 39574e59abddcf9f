import { describe } from "vitest";
import { describeFaults } from "../testing/faults.fixture.ts";
import { HOSTED_FAULTS, INDEPENDENT_HOSTED_FAULTS } from "../testing/faults-hosted.fixture.ts";
import { startReferenceApi } from "../testing/reference-api.fixture.ts";
import { HOSTED_CHECKS, runHosted } from "./checks.ts";

describe("a hosted API", () => {
  describeFaults({
    checks: HOSTED_CHECKS,
    caught: HOSTED_FAULTS,
    together: INDEPENDENT_HOSTED_FAULTS,
    lastAtLimits: "2.4-api-retry-after",
    start: (faults, withLimits) =>
      startReferenceApi(faults, withLimits ? { sessions: 100, failures: 60 } : {}),
    /** The checks that wait move the API's clock. */
    async tryOn({ origin, key, otherKey, advance }, checks) {
      const { results } = await runHosted({
        ...{ target: { origin, base: "/sandbox/v1", key, otherKey }, checks, timeoutSeconds: 30, lanes: 1 },
        ...{ wait: async (seconds) => advance(seconds), patienceSeconds: 2 },
      });
      return results;
    },
    skips: ["2.4-api-retry-after"],
  });
});
