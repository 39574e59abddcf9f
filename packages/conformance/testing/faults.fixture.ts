import { beforeAll, describe, expect, test } from "vitest";
import type { Check } from "../check.ts";
import type { Result } from "../run-checks.ts";
import type { Reference } from "./reference-answers.fixture.ts";

/** The faults that each check catches: these and no other. */
export type Caught<Id extends string = string> = Readonly<Record<Id, readonly string[]>>;

/** Each fault, and the checks that catch it. */
export function faultsIn(caught: Caught): [fault: string, ids: string[]][] {
  const faults = new Set(Object.values(caught).flat());
  return [...faults].map((fault) => [fault, Object.keys(caught).filter((id) => caught[id]?.includes(fault))]);
}

type Trials<Context, Started extends Reference> = {
  checks: readonly Check<Context>[];
  caught: Caught;
  /** Faults that do not touch each other. They are planted together, since each would cost a whole run. */
  together?: readonly string[];
  /** The check that looks back at the limits that were used up. */
  looksBackAtLimits?: string;
  start: (faults: readonly string[], withLimits: boolean) => Promise<Started>;
  /** Tries it, one check after another. */
  tryOn: (started: Started, checks: readonly Check<Context>[]) => Promise<Result[]>;
  /** The checks that do not apply to the correct implementation. */
  skips?: readonly string[];
};

/** The ids of the checks that ended with this outcome. */
const ended = (results: readonly Result[], outcome: Result["outcome"]) =>
  results.filter((result) => result.outcome === outcome).map(({ check }) => check.id);

/** Tests that a correct implementation passes every check, and that one with a fault fails exactly those that catch it. */
export function describeFaults<Context, Started extends Reference>(trials: Trials<Context, Started>): void {
  const { checks, caught, together = [], looksBackAtLimits, start, tryOn, skips = [] } = trials;
  const ordinary = checks.filter(({ locksOut }) => !locksOut);
  const locking = checks.filter(({ id, locksOut }) => locksOut || id === looksBackAtLimits);
  const faults = faultsIn(caught);
  /** True for faults that show only when a limit is used up. */
  const isOfLimits = ([, ids]: (typeof faults)[number]) =>
    ids.every((id) => locking.some((check) => check.id === id));
  const isIndependent = ([fault]: (typeof faults)[number]) => together.includes(fault);
  /**
   * By fault, the checks that come past the place where it would make a difference. Any other check meets the same site
   * with the fault as without it, so it need not run again. They need not be declared: a correct site is
   * tried, and it notes what it was asked about during each check.
   */
  const reached = new Map<string, Set<string>>();

  async function failedBy(planted: readonly string[], tried: readonly Check<Context>[], withLimits = false) {
    const started = await start(planted, withLimits);
    try {
      return ended(await tryOn(started, tried), "failed").toSorted();
    } finally {
      started.close();
    }
  }

  /** The checks to run for a fault: those that reach its place, and those that look back; all, if none reaches it. */
  const checksFor = (fault: string) => {
    const ids = reached.get(fault);
    return ids ? ordinary.filter(({ id, looksBack }) => looksBack || ids.has(id)) : ordinary;
  };

  beforeAll(async () => {
    const started = await start([], false);
    const noting = ordinary.map((check) => ({
      ...check,
      run: async (context: Context) => {
        started.asked.clear();
        await check.run(context).finally(() => {
          for (const fault of started.asked)
            reached.set(fault, (reached.get(fault) ?? new Set()).add(check.id));
        });
      },
    }));
    await tryOn(started, noting);
    for (const check of noting) await tryOn(started, [check]);
    started.close();
  });

  describe("a correct one passes every check", () => {
    test.each([
      ["of an ordinary run", false],
      ["that uses up its limits", true],
    ])("%s", async (_which, withLimits) => {
      const started = await start([], withLimits);
      const tried = withLimits ? locking : ordinary;
      const passed = ended(await tryOn(started, tried), "passed");
      started.close();
      expect(passed).toEqual(tried.map(({ id }) => id).filter((id) => withLimits || !skips.includes(id)));
    });
  });

  describe("one with one fault fails exactly the checks that catch it", () => {
    const single = faults.filter((each) => !isOfLimits(each) && !isIndependent(each));
    // Concurrent, since they mostly wait.
    test.concurrent.each(single)("%s", async (fault, expected) => {
      expect(await failedBy([fault], checksFor(fault))).toEqual(expected.toSorted());
    });

    test("independent faults, planted together, fail exactly their own checks", async () => {
      const expected = faults.filter(isIndependent).flatMap(([, ids]) => ids);
      expect(await failedBy(together, ordinary)).toEqual(expected.toSorted());
    });

    test.each(faults.filter(isOfLimits))("%s", async (fault, expected) => {
      expect(await failedBy([fault], locking, true)).toEqual(expected.toSorted());
    });
  });

  test("every check catches some fault", () => {
    expect(checks.filter(({ id }) => !caught[id]?.length)).toEqual([]);
  });
}
