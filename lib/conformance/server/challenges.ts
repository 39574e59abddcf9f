import { Blocked, type Check, fail } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import type { Action, Site } from "./site.ts";
import { Wallet } from "./wallet.ts";

/** Section 1.1: what a challenge is good for, how often and how long. */

/** One burst of many finds a missing lock less surely than small bursts of different wallets. */
const LARGE_BURST = 50;
const SMALL_BURSTS = [2, 3, 4, 4];
const LIFETIME_SECONDS = 30;

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

/** Texts that are nearly the challenge. */
function nearly(challenge: string): [string, string][] {
  const nonce = challenge.slice(-32);
  const swapped = [...nonce].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join("");
  const timestamp = challenge.split(":")[3] ?? "";
  const domain = challenge.split(":")[2] ?? "";
  return [
    ["letter case of the nonce changed", challenge.slice(0, -32) + swapped],
    ["all in upper case", challenge.toUpperCase()],
    ["a space in front", ` ${challenge}`],
    ["a line break behind", `${challenge}\n`],
    ["percent-encoded", encodeURIComponent(challenge)],
    ["a character more", `${challenge}A`],
    ["a character less", challenge.slice(0, -1)],
    ["another timestamp", challenge.replace(`:${timestamp}:`, `:${Number(timestamp) + 1}:`)],
    ["a leading zero", challenge.replace(`:${timestamp}:`, `:0${timestamp}:`)],
    ["a dot behind the domain", challenge.replace(`:${domain}:`, `:${domain}.:`)],
    ["the nonce alone", nonce],
  ];
}

export const CHALLENGE_CHECKS: readonly Check<Site>[] = [
  {
    id: "1.1-at-once",
    level: "MUST",
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
    level: "MUST",
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
    level: "MUST",
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
    level: "MUST",
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
  {
    id: "1.1-exact-text",
    level: "MUST",
    proves: "A challenge is found by its exact text: nothing that is nearly the same is accepted.",
    cause:
      "The text is trimmed, decoded or compared without case, or found by its nonce or its session alone.",
    async run(site) {
      const wallet = await site.knownWallet();
      const code = await site.issue(site.browser());
      for (const [what, challenge] of nearly(code.challenge)) {
        expectStatus(await site.respond("login", wallet, { challenge }), 408, `the challenge with ${what}`);
      }
      const { status } = await site.statusOf(code.sid);
      if (status === "authenticated") fail("A refused response authenticated the login.");
    },
  },
  {
    id: "1.1-never-issued",
    level: "MUST",
    proves: "A challenge that the site never issued gets 408, however well it is formed and signed.",
    cause: "The challenge is judged by its form and its time, and never looked up.",
    async run(site) {
      const wallet = await site.knownWallet();
      const seconds = Math.floor((await site.issue(site.browser())).answer.date / 1000);
      const nonce = "0123456789abcdefghijABCDEFGHIJxy";
      const challenge = `svc:login:${site.target.origin.hostname}:${seconds}:${nonce}`;
      expectStatus(
        await site.respond("login", wallet, { challenge }),
        408,
        "a challenge that was never issued",
      );
    },
  },
  {
    id: "1.1-other-domain",
    level: "MUST",
    proves: "A response to another domain's challenge gets 408, so that no other site can pass one on.",
    cause: "Only nonce and timestamp are compared, and the domain is not.",
    async run(site) {
      const wallet = await site.knownWallet();
      const code = await site.issue(site.browser());
      const { hostname } = site.target.origin;
      for (const domain of ["evil.example", `evil.${hostname}`, `${hostname}.evil.example`]) {
        const challenge = code.challenge.split(":").with(2, domain).join(":");
        expectStatus(await site.respond("login", wallet, { challenge }), 408, `a challenge for ${domain}`);
      }
    },
  },
  {
    id: "1.1-other-action",
    level: "MUST",
    proves: "A login code is refused at the webhook of registration with 408, and the other way round.",
    cause: "Both webhooks share a handler that does not look at the challenge's action.",
    async run(site) {
      const wallet = await site.knownWallet();
      const login = await site.issue(site.browser(), "login");
      expectStatus(
        await site.respond("register", wallet, login),
        408,
        "a login code at the webhook of registration",
      );
      const register = await site.issue(site.browser(), "register");
      expectStatus(
        await site.respond("login", wallet, register),
        408,
        "a register code at the webhook of login",
      );
    },
  },
  {
    id: "1.1-refresh-keeps-previous",
    level: "MUST",
    proves: "A new code does not end the one before, so that an answer under way still counts.",
    cause: "A login holds one challenge, which every refresh overwrites.",
    async run(site) {
      const wallet = await site.knownWallet();
      const browser = site.browser();
      const first = await site.issue(browser);
      const second = await site.issue(browser, "login", first.sid);
      if (second.sid !== first.sid) throw new Blocked("A refresh starts another login here.");
      expectStatus(await site.respond("login", wallet, first), 200, "the code before the present one");
      if ((await site.statusOf(first.sid)).status !== "authenticated")
        fail("It was accepted, and nobody is authenticated.");
    },
  },
  {
    id: "1.1-authenticated-is-final",
    level: "MUST",
    proves: "Once a login is authenticated, no other code of it can put another user in its place.",
    cause: "The older codes of a login stay alive after one of them has succeeded.",
    async run(site) {
      const browser = site.browser();
      const first = await site.issue(browser, "register");
      const second = await site.issue(browser, "register", first.sid);
      if (second.sid !== first.sid) throw new Blocked("A refresh starts another login here.");
      await site.knownWallet();
      const accepted = await site.respond("register", new Wallet(), second);
      if (accepted.status !== 200)
        throw new Blocked(`A correct response is answered ${accepted.status} here.`);
      const user = await site.userOf(first.sid);
      expectStatus(
        await site.respond("register", new Wallet(), first),
        408,
        "another wallet's answer to an older code",
      );
      if ((await site.userOf(first.sid)) !== user) fail("The login belongs to another user now.");
    },
  },
  {
    id: "1.1-one-login-alone",
    level: "MUST",
    proves: "A response authenticates the login whose challenge it signs, and no other.",
    cause: "The login is found by the key, the client address or the last one that waits.",
    async run(site) {
      const wallet = await site.knownWallet();
      const [before, asked, after] = [site.browser(), site.browser(), site.browser()];
      const codes = [await site.issue(before), await site.issue(asked), await site.issue(after)] as const;
      expectAccepted((await site.respond("login", wallet, codes[1])).status);
      const statuses = await Promise.all(codes.map(async ({ sid }) => (await site.statusOf(sid)).status));
      const expected = ["pending", "authenticated", "pending"];
      if (statuses[0] === "authenticated" || statuses[2] === "authenticated" || statuses[1] !== expected[1]) {
        fail(`Of three logins the second was answered; they are ${statuses.join(", ")}.`);
      }
    },
  },
  {
    id: "1.1-lives-30-seconds",
    level: "MUST",
    proves: "A challenge is good for its whole 30 seconds.",
    cause: "A shorter lifetime, or one that is counted from the start of the login.",
    waits: true,
    async run(site) {
      const wallet = await site.knownWallet();
      const code = await site.issue(site.browser());
      await site.wait(LIFETIME_SECONDS - 4);
      expectStatus(await site.respond("login", wallet, code), 200, "a response after 26 seconds");
    },
  },
  {
    id: "1.1-expired",
    level: "MUST",
    proves: "A challenge older than 30 seconds gets 408, whatever time the wallet claims.",
    cause: "Expiry is left to a clean-up job, judged by the wallet's `timestamp`, or longer than 30 seconds.",
    waits: true,
    async run(site) {
      const wallet = await site.knownWallet();
      const code = await site.issue(site.browser());
      await site.wait(LIFETIME_SECONDS + 1);
      const issued = Math.floor(code.answer.date / 1000);
      const claimed = await site.respond("login", wallet, code, { timestamp: issued + 1 });
      expectStatus(claimed, 408, "a response after 31 seconds that claims to be in time");
      expectStatus(await site.respond("login", wallet, code), 408, "a response after 31 seconds");
      if ((await site.statusOf(code.sid)).status === "authenticated")
        fail("An expired challenge authenticated its login.");
    },
  },
  {
    id: "1.1-expired-unregistered",
    level: "MUST",
    proves: "An expired register code gets 408 and makes no account.",
    cause: "Only the webhook of login looks at the time.",
    waits: true,
    async run(site) {
      const code = await site.issue(site.browser(), "register");
      await site.wait(LIFETIME_SECONDS + 1);
      const wallet = new Wallet();
      expectStatus(await site.respond("register", wallet, code), 408, "a register response after 31 seconds");
    },
  },
  {
    id: "1.1-own-lifetime",
    level: "MUST",
    proves: "Each challenge lives by its own issue: a refresh gives no more time to the one before.",
    cause: "The lifetime belongs to the login, and every new code prolongs it.",
    waits: true,
    async run(site) {
      const wallet = await site.knownWallet();
      const browser = site.browser();
      const first = await site.issue(browser);
      await site.wait(LIFETIME_SECONDS / 2);
      const second = await site.issue(browser, "login", first.sid);
      await site.wait(LIFETIME_SECONDS / 2 + 1);
      expectStatus(
        await site.respond("login", wallet, first),
        408,
        "a code of 31 seconds ago, refreshed since",
      );
      expectStatus(
        await site.respond("login", wallet, second),
        200,
        "the code that replaced it, 16 seconds old",
      );
    },
  },
];

function expectAccepted(status: number): void {
  if (status !== 200) throw new Blocked(`A correct response is answered ${status} here.`);
}
