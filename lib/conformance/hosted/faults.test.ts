import { beforeAll, describe, expect, test } from "vitest";
import type { Check } from "../check.ts";
import type { Result } from "../run-checks.ts";
import { HOSTED_FAULTS, HOSTED_LIMIT_FAULTS } from "../testing/hosted-faults.fixture.ts";
import { ended, Passing } from "../testing/passing.fixture.ts";
import { type ReferenceApi, startReferenceApi } from "../testing/reference-api.fixture.ts";
import type { Api } from "./api.ts";
import { HOSTED_CHECKS } from "./checks.ts";
import { runHosted } from "./run-hosted.ts";

const ORDINARY = HOSTED_CHECKS.filter(({ locksOut }) => !locksOut);
const LOCKING = HOSTED_CHECKS.filter(({ id, locksOut }) => locksOut || id === "2.4-api-retry-after");
const LIMITS = { sessions: 100, failures: 60 };

/** Tries an API whose clock the waiting checks move, one check after another. */
async function tryOn(api: ReferenceApi, checks: readonly Check<Api>[]): Promise<Result[]> {
  const { origin, key, otherKey } = api;
  const { results } = await runHosted({
    ...{ target: { origin, base: "/sandbox/v1", key, otherKey }, checks, timeoutSeconds: 30, lanes: 1 },
    wait: async (seconds) => api.advance(seconds),
    patienceSeconds: 2,
  });
  return results;
}

async function tryOut(
  faults: readonly string[],
  checks: readonly Check<Api>[],
  limits = {},
): Promise<Result[]> {
  const api = await startReferenceApi(faults, limits);
  try {
    return await tryOn(api, checks);
  } finally {
    api.close();
  }
}

const passing = new Passing(ORDINARY);

beforeAll(async () => {
  const api = await startReferenceApi();
  const noting = passing.noting(api.asked);
  await tryOn(api, noting);
  for (const check of noting) await tryOn(api, [check]);
  api.close();
});

describe("a correct API passes every check", () => {
  test("that leaves others their share", async () => {
    const results = await tryOut([], ORDINARY);
    expect(ended(results, "passed")).toEqual(
      ORDINARY.map(({ id }) => id).filter((id) => id !== "2.4-api-retry-after"),
    );
  });

  test("and those that use up its limits", async () => {
    expect(ended(await tryOut([], LOCKING, LIMITS), "passed")).toEqual(LOCKING.map(({ id }) => id));
  });
});

describe("an API with one fault fails exactly the checks that name it", () => {
  // They mostly wait.
  test.concurrent.each(Object.entries(HOSTED_FAULTS))("%s", async (fault, expected) => {
    expect(ended(await tryOut([fault], passing.checksFor(fault)), "failed").toSorted()).toEqual(
      expected.toSorted(),
    );
  });

  test.each(Object.entries(HOSTED_LIMIT_FAULTS))("%s", async (fault, expected) => {
    expect(ended(await tryOut([fault], LOCKING, LIMITS), "failed").toSorted()).toEqual(expected.toSorted());
  });
});

test("every check that an API can fail is failed by some fault", () => {
  const failed = new Set(Object.values({ ...HOSTED_FAULTS, ...HOSTED_LIMIT_FAULTS }).flat());
  expect(HOSTED_CHECKS.map(({ id }) => id).filter((id) => !failed.has(id))).toEqual([]);
});
