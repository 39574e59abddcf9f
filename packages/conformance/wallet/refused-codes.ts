import { fail, type Rules, skip } from "../check.ts";
import type { WalletId } from "../texts/wallet.ts";
import { checkOf, HOSTILE_CODES } from "./hostile-codes.ts";
import { answerJson, withHostileSite } from "./hostile-site.ts";
import { expectRefusal, type Outer, outerAddress, type Trial, webhookAt } from "./trial.ts";

/** Section 7: codes that a wallet must refuse, and hosts to which it must not send its answer. */

/**
 * Shows a wallet the hostile codes of a check.
 * @param host where the kit listens for them
 * @param questions how often the wallet may ask who is asking
 * @throws {Failure} unless it refuses each
 */
function refuses(check: string, host = "localhost", questions = 0) {
  return async (trial: Trial): Promise<void> => {
    // Silence is only a result if the wallet otherwise reaches the kit.
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

export const WEBHOOK_CHECKS = {
  "7-webhook-host": refuses("7-webhook-host", LISTENING),
  "7-webhook-credentials": refuses("7-webhook-credentials"),
  "7-webhook-disguised": refuses("7-webhook-disguised"),
  async "7-webhook-https"(trial) {
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
    // A wallet that accepts no IP address as a domain refuses the code for that reason.
    const local = await trial.try((site) => ({ webhook: webhookAt(site, LISTENING), domain: LISTENING }));
    if (!name && local.arrivals.length === 0)
      skip(
        "The wallet does not accept an IP address as a domain, and this machine does not have a name that other machines can reach.",
      );
  },
  async "7-redirect"(trial) {
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
} satisfies Rules<Trial, WalletId>;

export const REFUSED_CODE_CHECKS = {
  "7-expired": refuses("7-expired", "localhost", 1),
  "7-future": refuses("7-future", "localhost", 1),
  "7-parameter-twice": refuses("7-parameter-twice"),
  "7-no-challenge": refuses("7-no-challenge"),
  async "7-wrong-action"(trial) {
    if (!trial.knowsAction)
      skip("The command has no {action}, so the wallet does not know what its user wants.");
    await trial.answered();
    for (const [action, wanted] of [
      ["register", "login"],
      ["login", "register"],
    ] as const) {
      const tried = await trial.try((site) => ({ webhook: webhookAt(site), action }), { wanted });
      expectRefusal(tried, `a ${action} code for somebody who wants to ${wanted}`);
    }
  },
} satisfies Rules<Trial, WalletId>;
