import type { Rule } from "../check.ts";
import { checkOf, HOSTILE_CODES } from "./hostile-codes.ts";
import { expectRefusal, type Trial, webhookAt } from "./trial.ts";

/**
 * A check that the hostile codes of this id are refused.
 * @param host where the kit listens for them
 */
export function refuses(id: string, proves: string, cause: string, host = "localhost"): Rule<Trial> {
  return {
    ...{ id, proves, cause },
    async run(trial) {
      // Silence proves something only of a wallet that reaches us otherwise.
      await trial.answered();
      for (const { id: name, what, make } of HOSTILE_CODES) {
        const parts = make(new URL(webhookAt({ port: 0 }, host)));
        if (checkOf({ id: name }) !== id || parts === null) continue;
        expectRefusal(await trial.try((site) => make(new URL(webhookAt(site, host))) ?? parts), what);
      }
    },
  };
}
