import type { Check } from "../check.ts";
import { expectRefusal, type Trial } from "./trial.ts";

/** A check that a code is refused. */
export function refuses(
  id: string,
  proves: string,
  cause: string,
  codes: (trial: Trial) => readonly [what: string, run: () => ReturnType<Trial["try"]>][],
): Check<Trial> {
  return {
    ...{ id, level: "MUST", proves, cause },
    async run(trial) {
      // Silence proves something only of a wallet that reaches us otherwise.
      await trial.answered();
      for (const [what, run] of codes(trial)) expectRefusal(await run(), what);
    },
  };
}
