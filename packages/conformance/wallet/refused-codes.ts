import { fail, NotApplicable, type Rules } from "../check.ts";
import { checkOf, HOSTILE_CODES } from "./hostile-codes.ts";
import { answerJson, withHostileSite } from "./hostile-site.ts";
import { expectRefusal, type Outer, outerAddress, type Trial, webhookAt } from "./trial.ts";

/** Section 7: codes that a wallet refuses, and where it must not send its answer. */

/**
 * Shows a wallet the hostile codes of a check.
 * @param host where the kit listens for them
 * @param questions how often the wallet may ask who is asking
 * @throws {Failure} unless it refuses each
 */
function refuses(check: string, host = "localhost", questions = 0) {
  return async (trial: Trial): Promise<void> => {
    // Silence proves something only of a wallet that reaches us otherwise.
    await trial.answered();
    for (const { id, what, make } of HOSTILE_CODES) {
      const parts = make(new URL(webhookAt({ port: 0 }, host)));
      if (checkOf({ id }) !== check || parts === null) continue;
      expectRefusal(
        await trial.try((site) => make(new URL(webhookAt(site, host))) ?? parts),
        what,
        questions,
      );
    }
  };
}

/** Where the kit listens in these cases. Users of many wallets trust `localhost` by hand, but not this. */
const LISTENING = "127.0.0.1";

export const WEBHOOK_CHECKS: Rules<Trial> = {
  "7-webhook-host": {
    proves: "A webhook on another host than the challenge's domain is refused: nothing is sent.",
    cause: "Hosts are compared by `endsWith`, `startsWith` or `includes`, or not at all.",
    run: refuses("7-webhook-host", LISTENING),
  },
  "7-webhook-credentials": {
    proves: "A webhook with user name or password is refused.",
    cause: "The host is read from the text in front of the first slash.",
    run: refuses("7-webhook-credentials"),
  },
  "7-webhook-disguised": {
    proves: "A webhook whose host is written in disguise is refused.",
    cause: "The URL parser turns the host into another text than the one that was shown.",
    run: refuses("7-webhook-disguised"),
  },
  "7-webhook-https": {
    proves: "A webhook over http is refused, except on this very machine.",
    cause: "The scheme is not looked at, so the answer travels in clear text.",
    async run(trial) {
      await trial.answered();
      const name = await trial.outerName();
      const isRefused = ({ domain, address }: Outer) =>
        withHostileSite({ address }, async (listener) => {
          const tried = await trial.try(() => ({ webhook: webhookAt(listener, domain), domain }));
          expectRefusal({ ...tried, ...listener }, `http to ${domain}, which others reach`);
        });
      if (name) await isRefused(name);
      const address = outerAddress();
      await isRefused({ domain: address, address });
      // A wallet that takes no address for a domain refuses the code for that reason.
      const local = await trial.try((site) => ({ webhook: webhookAt(site, LISTENING), domain: LISTENING }));
      if (!name && local.arrivals.length === 0)
        throw new NotApplicable(
          "The wallet takes no address for a domain, and this machine has no name that leads to an address which others reach.",
        );
    },
  },
  "7-redirect": {
    proves: "The wallet follows no redirect, and does not take one for success.",
    cause: 'The HTTP client follows redirects by default: `redirect: "manual"` or its like is missing.',
    async run(trial) {
      await trial.answered();
      for (const status of [301, 302, 303, 307, 308]) {
        await withHostileSite({}, async (elsewhere) => {
          const Location = `http://localhost:${elsewhere.port}/stolen`;
          const { said } = await trial.try((site) => ({ webhook: webhookAt(site) }), {
            answer: (response) => answerJson(response, status, {}, { Location }),
          });
          if (elsewhere.arrivals.length > 0) fail(`The wallet follows a ${status}.`);
          if (said.status === 0) fail(`The wallet takes a ${status} for success.`);
        });
      }
    },
  },
};

export const REFUSED_CODE_CHECKS: Rules<Trial> = {
  "7-expired": {
    proves: "A challenge that is older than 30 seconds is refused.",
    cause: "The timestamp is not compared with the clock, or `ts` is, which nobody signs.",
    // A wallet may ask the site what time it is: its own clock may be wrong.
    run: refuses("7-expired", "localhost", 1),
  },
  "7-future": {
    proves: "A challenge from the future is refused.",
    cause: "Only the age is compared, and a negative one is young.",
    run: refuses("7-future", "localhost", 1),
  },
  "7-parameter-twice": {
    proves: "A payload that names a parameter twice is refused.",
    cause: "One of the two is shown, and the other is answered.",
    run: refuses("7-parameter-twice"),
  },
  "7-no-challenge": {
    proves: "The wallet signs nothing but a challenge: every other text is refused.",
    cause: "The text is signed as it comes, so that any site gets a signature over whatever it likes.",
    run: refuses("7-no-challenge"),
  },
  "7-wrong-action": {
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
};
