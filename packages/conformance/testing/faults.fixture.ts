import { beforeAll, describe, expect, test } from "vitest";
import type { Check } from "../check.ts";
import type { Result } from "../run-checks.ts";
import type { Reference } from "./reference-answers.fixture.ts";

/** A check catches no other faults. */
export type CaughtFaults<Id extends string = string> = Readonly<Record<Id, readonly string[]>>;

/** Each fault, with the checks that catch it. */
export function listFaults(caught: CaughtFaults): [fault: string, ids: string[]][] {
  const faults = new Set(Object.values(caught).flat());
  return [...faults].map((fault) => [fault, Object.keys(caught).filter((id) => caught[id]?.includes(fault))]);
}

type Trials<Context, Started extends Reference> = {
  checks: readonly Check<Context>[];
  caught: CaughtFaults;
  /**
   * Groups of faults that do not affect each other. All faults in a group are planted together, and every check runs.
   * In addition, each fault in a group is planted separately, and only the checks that catch it run.
   */
  together?: readonly (readonly string[])[];
  /** Examines responses after other checks have used up the limits. */
  lastAtLimits?: string;
  start: (faults: readonly string[], withLimits: boolean) => Promise<Started>;
  tryOn: (started: Started, checks: readonly Check<Context>[]) => Promise<Result[]>;
  /** Do not apply even to the correct implementation. */
  skips?: readonly string[];
};

const ended = (results: readonly Result[], outcome: Result["outcome"]) =>
  results.filter((result) => result.outcome === outcome).map(({ check }) => check.id);

/** A correct implementation must pass every check, and one with a fault must fail exactly the checks that catch it. */
export function describeFaults<Context, Started extends Reference>(trials: Trials<Context, Started>): void {
  const { checks, caught, together = [], lastAtLimits, start, tryOn, skips = [] } = trials;
  const ordinary = checks.filter(({ exhaustsLimits }) => !exhaustsLimits);
  const locking = checks.filter(({ id, exhaustsLimits }) => exhaustsLimits || id === lastAtLimits);
  const faults = listFaults(caught);
  /** The fault shows only when a limit is used up. */
  const isOfLimits = ([, ids]: (typeof faults)[number]) =>
    ids.every((id) => locking.some((check) => check.id === id));
  const grouped = new Set(together.flat());
  /**
   * The checks that run the code in which a fault is planted. To find them, all checks run against a correct
   * implementation, which records the faults that each check makes it ask about. All other checks have the same result
   * with and without the fault, so they need not run again.
   */
  const reached = new Map<string, Set<string>>();

  async function failedBy(
    planted: readonly string[],
    checksToRun: readonly Check<Context>[],
    withLimits = false,
  ) {
    const started = await start(planted, withLimits);
    try {
      return ended(await tryOn(started, checksToRun), "failed").toSorted();
    } finally {
      started.close();
    }
  }

  /**
   * The checks that run the code in which the fault is planted, and those that examine earlier responses. If no check
   * runs that code, all checks. If the fault belongs to a group for which all checks run, only the checks that catch
   * it.
   */
  const checksFor = (fault: string, expected: readonly string[]) => {
    if (grouped.has(fault)) return ordinary.filter(({ id }) => expected.includes(id));
    const ids = reached.get(fault);
    return ids ? ordinary.filter(({ id, runsLast }) => runsLast || ids.has(id)) : ordinary;
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

  describe("without faults", () => {
    test.each([
      ["of an ordinary run", false],
      ["of a run that exhausts the limits", true],
    ])("passes every check %s", async (_which, withLimits) => {
      const started = await start([], withLimits);
      const checksToRun = withLimits ? locking : ordinary;
      const passed = ended(await tryOn(started, checksToRun), "passed");
      started.close();
      expect(passed).toEqual(
        checksToRun.map(({ id }) => id).filter((id) => withLimits || !skips.includes(id)),
      );
    });
  });

  describe("with one fault", () => {
    const single = faults.filter((entry) => !isOfLimits(entry));
    // These tests run concurrently, because they spend most of their time waiting.
    test.concurrent.each(single)("fails exactly the checks that catch it: %s", async (fault, expected) => {
      expect(await failedBy([fault], checksFor(fault, expected))).toEqual(expected.toSorted());
    });

    const groups = together.map((group) => [group]);
    test.each(groups)("fails exactly the checks that catch its independent faults: %j", async (group) => {
      const expected = faults.filter(([fault]) => group.includes(fault)).flatMap(([, ids]) => ids);
      expect(await failedBy(group, ordinary)).toEqual(expected.toSorted());
    });

    test.each(faults.filter(isOfLimits))(
      "fails exactly the checks that catch it at an exhausted limit: %s",
      async (fault, expected) => {
        expect(await failedBy([fault], locking, true)).toEqual(expected.toSorted());
      },
    );
  });

  test("has a fault for every check", () => {
    expect(checks.filter(({ id }) => !caught[id]?.length)).toEqual([]);
  });
}
