import { type Check, fail } from "../check.ts";
import { type Answering, answerJson, openHostileSite } from "./hostile-site.ts";
import { refuses } from "./refuses.ts";
import { expectRefusal, outerAddress, type Trial, webhookAt } from "./trial.ts";

/** Section 7: where a wallet sends its answer, and where it must not. */

/** Where the kit listens in these cases. Many wallets trust `localhost` by hand, and none this. */
const LISTENING = "127.0.0.1";
/** Domains that a careless comparison takes for it. */
const NEARLY: readonly [what: string, domain: string][] = [
  ["another domain", "shop.example"],
  ["the other name of this machine", "localhost"],
  ["a parent domain", "0.0.1"],
  ["a domain that the host ends with", "27.0.0.1"],
  ["a domain that begins with the host", "127.0.0.1.evil.example"],
  ["a domain that contains the host", "my-127.0.0.1-shop.example"],
  ["a name in punycode", "xn--lcalhost-6xa.example"],
];

export const WEBHOOK_CHECKS: readonly Check<Trial>[] = [
  refuses(
    "7-webhook-host",
    "A webhook on another host than the challenge's domain is refused: nothing is sent.",
    "Hosts are compared by `endsWith`, `startsWith` or `includes`, or not at all.",
    (trial) =>
      NEARLY.map(([what, domain]) => [
        what,
        () => trial.try((site) => ({ webhook: webhookAt(site, LISTENING), domain })),
      ]),
  ),
  refuses(
    "7-webhook-credentials",
    "A webhook with user name or password is refused.",
    "The host is read from the text in front of the first slash.",
    (trial) => [
      ["a password", () => trial.try((site) => ({ webhook: webhookAt(site, "shop:secret@localhost") }))],
      [
        "a domain as user name",
        () =>
          trial.try((site) => ({
            webhook: webhookAt(site, "shop.example@localhost"),
            domain: "shop.example",
          })),
      ],
    ],
  ),
  refuses(
    "7-webhook-disguised",
    "A webhook whose host is written in disguise is refused.",
    "The URL parser turns the host into another text than the one that was shown.",
    (trial) => [
      [
        "a hexadecimal address",
        () => trial.try((site) => ({ webhook: webhookAt(site, "0x7f.1"), domain: "127.0.0.1" })),
      ],
      [
        "an address as one number",
        () => trial.try((site) => ({ webhook: webhookAt(site, "2130706433"), domain: "127.0.0.1" })),
      ],
      ["a dot behind the host", () => trial.try((site) => ({ webhook: webhookAt(site, "localhost.") }))],
      ["percent-encoding", () => trial.try((site) => ({ webhook: webhookAt(site, "%6cocalhost") }))],
    ],
  ),
  {
    id: "7-webhook-https",
    level: "MUST",
    proves: "A webhook over http is refused, except on this very machine.",
    cause: "The scheme is not looked at, so the answer travels in clear text.",
    async run(trial) {
      const domain = outerAddress();
      await trial.answered();
      const listener = await openHostileSite(undefined, domain);
      try {
        const tried = await trial.try(() => ({ webhook: webhookAt(listener, domain), domain }));
        expectRefusal({ ...tried, arrivals: listener.arrivals }, "http to an address that others reach");
      } finally {
        listener.close();
      }
    },
  },
  {
    id: "7-redirect",
    level: "MUST",
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
