import { fail, type Rule } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import type { Site } from "./site.ts";
import { Wallet } from "./wallet.ts";

/** Section 1.1: how long a challenge is good. */

const LIFETIME_SECONDS = 30;

export const CHALLENGE_LIFE_CHECKS: readonly Rule<Site>[] = [
  {
    id: "1.1-lives-30-seconds",
    proves: "A challenge is good for its whole 30 seconds.",
    cause: "A shorter lifetime, or one that is counted from the start of the login.",
    waits: true,
    async run(site) {
      const wallet = await site.knownWallet();
      const code = await site.issue();
      await site.wait(LIFETIME_SECONDS - 4);
      expectStatus(await site.respond(code, wallet), 200, "a response after 26 seconds");
    },
  },
  {
    id: "1.1-expired",
    proves: "A challenge older than 30 seconds gets 408, whatever time the wallet claims.",
    cause: "Expiry is left to a clean-up job, judged by the wallet's `timestamp`, or longer than 30 seconds.",
    waits: true,
    async run(site) {
      const wallet = await site.knownWallet();
      const code = await site.issue();
      await site.wait(LIFETIME_SECONDS + 1);
      const issued = Math.floor(code.answer.date / 1000);
      const claimed = await site.respond(code, wallet, { timestamp: issued + 1 });
      expectStatus(claimed, 408, "a response after 31 seconds that claims to be in time");
      expectStatus(await site.respond(code, wallet), 408, "a response after 31 seconds");
      if (await site.isAnswered(code.sid))
        fail(
          "A response 31 seconds after the challenge's issue authenticated its login, though it was refused.",
        );
    },
  },
  {
    id: "1.1-expired-unregistered",
    proves: "An expired register code gets 408 and makes no account.",
    cause: "Only the webhook of login looks at the time.",
    waits: true,
    async run(site) {
      const code = await site.issueForNew();
      await site.wait(LIFETIME_SECONDS + 1);
      const wallet = new Wallet();
      expectStatus(await site.respond(code, wallet), 408, "a register response after 31 seconds");
    },
  },
  {
    id: "1.1-own-lifetime",
    proves: "Each challenge lives by its own issue: a refresh gives no more time to the one before.",
    cause: "The lifetime belongs to the login, and every new code prolongs it.",
    waits: true,
    async run(site) {
      const wallet = await site.knownWallet();
      const browser = site.browser();
      const first = await site.issue(browser);
      await site.wait(LIFETIME_SECONDS / 2);
      const second = await site.issue(browser, first.sid);
      await site.wait(LIFETIME_SECONDS / 2 + 1);
      expectStatus(await site.respond(first, wallet), 408, "a code of 31 seconds ago, refreshed since");
      expectStatus(await site.respond(second, wallet), 200, "the code that replaced it, 16 seconds old");
    },
  },
];
