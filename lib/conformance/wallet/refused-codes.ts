import { NotApplicable, type Rule } from "../check.ts";
import { refuses } from "./refuses.ts";
import { expectRefusal, type Trial, webhookAt } from "./trial.ts";

/** Section 7: codes that a wallet refuses, whatever their webhook. */

export const REFUSED_CODE_CHECKS: readonly Rule<Trial>[] = [
  refuses(
    "7-expired",
    "A challenge that is older than 30 seconds is refused.",
    "The timestamp is not compared with the clock, or `ts` is, which nobody signs.",
  ),
  refuses(
    "7-future",
    "A challenge from the future is refused.",
    "Only the age is compared, and a negative one is young.",
  ),
  refuses(
    "7-parameter-twice",
    "A payload that names a parameter twice is refused.",
    "One of the two is shown, and the other is answered.",
  ),
  refuses(
    "7-no-challenge",
    "The wallet signs nothing but a challenge: every other text is refused.",
    "The text is signed as it comes, so that any site gets a signature over whatever it likes.",
  ),
  {
    id: "7-wrong-action",
    proves: "A register code is refused where the user wants to log in, and the other way round.",
    cause: "The action is shown, and not compared with what was asked for.",
    async run(trial) {
      if (!trial.knowsAction)
        throw new NotApplicable("The command has no {action}, so it cannot be told what is wanted.");
      await trial.answered();
      for (const [action, wanted] of [
        ["register", "login"],
        ["login", "register"],
      ] as const) {
        const tried = await trial.try((site) => ({ webhook: webhookAt(site), action }), { wanted });
        expectRefusal(tried, `a ${action} code for somebody who wants to ${wanted}`);
      }
    },
  },
];
