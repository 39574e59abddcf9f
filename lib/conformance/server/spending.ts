import { Blocked, type Rule } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import { oneOfManySucceeds, refusedIsNotSpent, singleUse } from "../flow/spending.ts";
import type { Site } from "./site.ts";
import { Wallet } from "./wallet.ts";

/** Section 1.1: a challenge is good for one success. */

export const SPENDING_CHECKS: readonly Rule<Site>[] = [
  {
    id: "1.1-at-once",
    proves: "Of fifty responses to one challenge at once exactly one gets 200, and the others get 408.",
    cause:
      "The challenge is read, judged and marked as used in separate steps, with nothing atomic between them.",
    run: (site) => oneOfManySucceeds(site, 50, [2, 3, 4, 4]),
  },
  {
    id: "1.1-single-use",
    proves: "A challenge that has succeeded gets 408, from the same wallet and from any other.",
    cause: "Used challenges are not marked, or the mark is kept in a cache that forgets.",
    run: singleUse,
  },
  {
    id: "1.1-refused-is-not-spent",
    proves: "A response with a wrong signature leaves the challenge to the wallet that answers it rightly.",
    cause: "The challenge is deleted when it is found, before the signature is judged.",
    run: refusedIsNotSpent,
  },
  {
    id: "1.1-unknown-key-does-not-spend",
    proves: "A response by an unknown key leaves the challenge to a wallet that has an account.",
    cause: "The challenge is spent as soon as a signature verifies, and not by success alone.",
    async run(site) {
      const wallet = await site.knownWallet();
      const code = await site.issue();
      const unknown = await site.respond(code, new Wallet());
      if (unknown.status === 200) throw new Blocked("A login with an unknown key is accepted here.");
      expectStatus(await site.respond(code, wallet), 200, "a known key's response after an unknown one's");
    },
  },
];
