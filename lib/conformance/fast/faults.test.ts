import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Check } from "../check.ts";
import type { Result } from "../run-checks.ts";
import {
  FAST_FAULTS,
  FAST_FAULTS_OF_EVERY_ANSWER,
  FAST_LIMIT_FAULTS,
} from "../testing/fast-faults.fixture.ts";
import { ended, Passing } from "../testing/passing.fixture.ts";
import { type ReferenceFastSite, startReferenceFastSite } from "../testing/reference-fast-site.fixture.ts";
import { FAST_CHECKS } from "./checks.ts";
import { runFast } from "./run-fast.ts";
import type { FastSite } from "./site.ts";
import { FAST_PATHS } from "./target.ts";

const ORDINARY = FAST_CHECKS.filter(({ locksOut }) => !locksOut);
const LOCKING = FAST_CHECKS.filter(({ locksOut }) => locksOut);

/** Tries a site whose clock the waiting checks move, one check after another. */
async function tryOn(site: ReferenceFastSite, checks: readonly Check<FastSite>[]): Promise<Result[]> {
  const target = { ...FAST_PATHS, origin: site.origin };
  const { results } = await runFast({
    ...{ target, checks, timeoutSeconds: 30, lanes: 1, isSlow: true },
    wait: async (seconds) => site.advance(seconds),
  });
  return results;
}

async function tryOut(
  options: Parameters<typeof startReferenceFastSite>[0],
  checks: readonly Check<FastSite>[],
): Promise<Result[]> {
  const site = await startReferenceFastSite(options);
  onTestFinished(() => site.close());
  return tryOn(site, checks);
}

const passing = new Passing(ORDINARY);

let ordinary: Result[];
beforeAll(async () => {
  const site = await startReferenceFastSite();
  ordinary = await tryOn(site, passing.noting(site.asked));
  site.close();
});

describe("a correct site passes every check", () => {
  test("of an ordinary run", () => {
    expect(ordinary.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
  });

  test("and those that use up its limits", async () => {
    expect(ended(await tryOut({ limit: 120 }, LOCKING), "passed")).toEqual(LOCKING.map(({ id }) => id));
  });
});

describe("a site with one fault fails exactly the checks that name it", () => {
  test.each(Object.entries(FAST_FAULTS))("%s", async (fault, expected) => {
    const results = await tryOut({ faults: [fault] }, passing.checksFor(fault));
    expect(ended(results, "failed").toSorted()).toEqual(expected.toSorted());
  });

  test("those that every answer shows", async () => {
    const results = await tryOut({ faults: Object.keys(FAST_FAULTS_OF_EVERY_ANSWER) }, ORDINARY);
    expect(ended(results, "failed").toSorted()).toEqual(
      Object.values(FAST_FAULTS_OF_EVERY_ANSWER).flat().toSorted(),
    );
  });

  test.each(Object.entries(FAST_LIMIT_FAULTS))("%s", async (fault, expected) => {
    const results = await tryOut({ faults: [fault], limit: 120 }, LOCKING);
    expect(ended(results, "failed").toSorted()).toEqual(expected.toSorted());
  });
});

test("every check that a site can fail is failed by some fault", () => {
  const faults = { ...FAST_FAULTS, ...FAST_FAULTS_OF_EVERY_ANSWER, ...FAST_LIMIT_FAULTS };
  const failed = new Set(Object.values(faults).flat());
  expect(FAST_CHECKS.map(({ id }) => id).filter((id) => !failed.has(id))).toEqual([]);
});
