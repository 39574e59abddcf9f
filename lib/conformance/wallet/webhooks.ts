import { fail, NotApplicable, type Rule } from "../check.ts";
import { type Answering, answerJson, openHostileSite } from "./hostile-site.ts";
import { refuses } from "./refuses.ts";
import { expectRefusal, type Outer, outerAddress, type Trial, webhookAt } from "./trial.ts";

/** Section 7: where a wallet sends its answer, and where it must not. */

/** Where the kit listens in these cases. Many wallets trust `localhost` by hand, and none this. */
const LISTENING = "127.0.0.1";
export const WEBHOOK_CHECKS: readonly Rule<Trial>[] = [
  refuses(
    "7-webhook-host",
    "A webhook on another host than the challenge's domain is refused: nothing is sent.",
    "Hosts are compared by `endsWith`, `startsWith` or `includes`, or not at all.",
    LISTENING,
  ),
  refuses(
    "7-webhook-credentials",
    "A webhook with user name or password is refused.",
    "The host is read from the text in front of the first slash.",
  ),
  refuses(
    "7-webhook-disguised",
    "A webhook whose host is written in disguise is refused.",
    "The URL parser turns the host into another text than the one that was shown.",
  ),
  {
    id: "7-webhook-https",
    proves: "A webhook over http is refused, except on this very machine.",
    cause: "The scheme is not looked at, so the answer travels in clear text.",
    async run(trial) {
      await trial.answered();
      const name = await trial.outerName();
      const isRefused = async ({ domain, address }: Outer) => {
        const listener = await openHostileSite(undefined, address);
        try {
          const tried = await trial.try(() => ({ webhook: webhookAt(listener, domain), domain }));
          expectRefusal({ ...tried, ...listener }, `http to ${domain}, which others reach`);
        } finally {
          listener.close();
        }
      };
      if (name) await isRefused(name);
      const address = outerAddress();
      await isRefused({ domain: address, address });
      // A wallet that takes no address for a domain refuses it for that.
      const local = await trial.try((site) => ({ webhook: webhookAt(site, LISTENING), domain: LISTENING }));
      if (!name && local.arrivals.length === 0)
        throw new NotApplicable(
          "The wallet takes no address for a domain, and this machine has no name that leads to an address which others reach.",
        );
    },
  },
  {
    id: "7-redirect",
    proves: "The wallet follows no redirect, and does not take one for success.",
    cause: 'The HTTP client follows redirects by default: `redirect: "manual"` or its like is missing.',
    async run(trial) {
      await trial.answered();
      for (const status of [301, 302, 303, 307, 308]) {
        const elsewhere = await openHostileSite();
        try {
          const answer: Answering = (response) =>
            answerJson(response, status, {}, { Location: `http://localhost:${elsewhere.port}/stolen` });
          const { said } = await trial.try((site) => ({ webhook: webhookAt(site) }), { answer });
          if (elsewhere.arrivals.length > 0) fail(`The wallet follows a ${status}.`);
          if (said.status === 0) fail(`The wallet takes a ${status} for success.`);
        } finally {
          elsewhere.close();
        }
      }
    },
  },
];
