import type { Check } from "../check.ts";
import type { Result } from "../run-checks.ts";

/**
 * The checks that come past the place where a fault would make a difference. Any other check meets the same site with
 * the fault as without it, so it need not run again. Nobody declares which ones those are: a correct site is tried,
 * and it notes what it was asked about during each check.
 */
export class Passing<Context> {
  readonly #checks: readonly Check<Context>[];
  readonly #reached = new Map<string, Set<string>>();

  constructor(checks: readonly Check<Context>[]) {
    this.#checks = checks;
  }

  /** The checks, for a correct site that adds to `asked` which faults it was asked about. */
  noting(asked: Set<string>): readonly Check<Context>[] {
    return this.#checks.map((check) => ({
      ...check,
      run: async (context: Context) => {
        asked.clear();
        await check.run(context).finally(() => {
          for (const fault of asked)
            this.#reached.set(fault, (this.#reached.get(fault) ?? new Set()).add(check.id));
        });
      },
    }));
  }

  /** Those that judge what others have seen always run; and all of them where no check came past the fault's place. */
  checksFor(fault: string): readonly Check<Context>[] {
    const reached = this.#reached.get(fault);
    return reached ? this.#checks.filter(({ id, looksBack }) => looksBack || reached.has(id)) : this.#checks;
  }
}

/** The checks that ended so. */
export function ended(results: readonly Result[], outcome: Result["outcome"]): string[] {
  return results.filter((result) => result.outcome === outcome).map(({ check }) => check.id);
}
