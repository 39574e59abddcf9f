import { Blocked, fail, type Rule } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import type { Action, Site } from "./site.ts";
import { Wallet } from "./wallet.ts";

/** Section 1.1: a challenge is good for one success. */

/** One burst of many finds a missing lock less surely than small bursts of different wallets. */
const LARGE_BURST = 50;
const SMALL_BURSTS = [2, 3, 4, 4];

/** Sends responses at the same moment; exactly one of them may succeed. */
async function burst(
  site: Site,
  action: Action,
  challenge: string,
  wallets: readonly Wallet[],
): Promise<void> {
  const bodies = wallets.map((wallet) => JSON.stringify(wallet.response(challenge)));
  const answers = await Promise.all(bodies.map((body) => site.post(action, body)));
  const statuses = answers.map(({ status }) => status);
  const accepted = statuses.filter((status) => status === 200).length;
  if (accepted !== 1) fail(`Of ${wallets.length} responses at once, ${accepted} were answered 200.`);
  const others = statuses.filter((status) => status !== 200 && status !== 408);
  if (others.length > 0)
    fail(`Of ${wallets.length} responses at once, some were answered ${[...new Set(others)]}.`);
}

export const SPENDING_CHECKS: readonly Rule<Site>[] = [
  {
    id: "1.1-at-once",
    proves: "Of fifty responses to one challenge at once exactly one gets 200, and the others get 408.",
    cause:
      "The challenge is read, judged and marked as used in separate steps, with nothing atomic between them.",
    async run(site) {
      const total = LARGE_BURST + SMALL_BURSTS.reduce((sum, size) => sum + size, 0);
      site.http.leaveRoom({ method: "POST", path: site.webhook("register") }, total);
      const wallet = new Wallet();
      const { challenge } = await site.issue(site.browser(), "register");
      await burst(site, "register", challenge, Array(LARGE_BURST).fill(wallet));
      for (const size of SMALL_BURSTS) {
        const code = await site.issue(site.browser(), "register");
        await burst(
          site,
          "register",
          code.challenge,
          Array.from({ length: size }, () => new Wallet()),
        );
      }
    },
  },
  {
    id: "1.1-single-use",
    proves: "A challenge that has succeeded gets 408, from the same wallet and from any other.",
    cause: "Used challenges are not marked, or the mark is kept in a cache that forgets.",
    async run(site) {
      const { code, wallet } = await site.register();
      expectStatus(await site.respond("register", wallet, code), 408, "the same response again");
      expectStatus(await site.respond("register", new Wallet(), code), 408, "another wallet's response");
    },
  },
  {
    id: "1.1-refused-is-not-spent",
    proves: "A response with a wrong signature leaves the challenge to the wallet that answers it rightly.",
    cause: "The challenge is deleted when it is found, before the signature is judged.",
    async run(site) {
      const wallet = await site.knownWallet();
      const code = await site.issue(site.browser());
      const refused = await site.respond("login", wallet, code, {
        signature: new Wallet().sign(code.challenge),
      });
      if (refused.status === 200) throw new Blocked("A wrong signature is accepted here.");
      expectStatus(await site.respond("login", wallet, code), 200, "a correct response after a wrong one");
    },
  },
  {
    id: "1.1-unknown-key-does-not-spend",
    proves: "A response by an unknown key leaves the challenge to a wallet that has an account.",
    cause: "The challenge is spent as soon as a signature verifies, and not by success alone.",
    async run(site) {
      const wallet = await site.knownWallet();
      const code = await site.issue(site.browser());
      const unknown = await site.respond("login", new Wallet(), code);
      if (unknown.status === 200) throw new Blocked("A login with an unknown key is accepted here.");
      expectStatus(
        await site.respond("login", wallet, code),
        200,
        "a known key's response after an unknown one's",
      );
    },
  },
];
