import { Blocked, fail, type Rule } from "../check.ts";
import { expectAccepted, expectStatus } from "../expect-status.ts";
import type { Site } from "./site.ts";
import { Wallet } from "./wallet.ts";

/** Section 1.1: which challenge, and which login, a response answers. */

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

export const CHALLENGE_MATCH_CHECKS: readonly Rule<Site>[] = [
  {
    id: "1.1-exact-text",
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
    proves: "Once a login is authenticated, no other code of it can put another user in its place.",
    cause: "The older codes of a login stay alive after one of them has succeeded.",
    async run(site) {
      const browser = site.browser();
      const first = await site.issue(browser, "register");
      const second = await site.issue(browser, "register", first.sid);
      if (second.sid !== first.sid) throw new Blocked("A refresh starts another login here.");
      await site.knownWallet();
      expectAccepted(await site.respond("register", new Wallet(), second));
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
    proves: "A response authenticates the login whose challenge it signs, and no other.",
    cause: "The login is found by the key, the client address or the last one that waits.",
    async run(site) {
      const wallet = await site.knownWallet();
      const [before, asked, after] = [site.browser(), site.browser(), site.browser()];
      const codes = [await site.issue(before), await site.issue(asked), await site.issue(after)] as const;
      expectAccepted(await site.respond("login", wallet, codes[1]));
      const statuses = await Promise.all(codes.map(async ({ sid }) => (await site.statusOf(sid)).status));
      const expected = ["pending", "authenticated", "pending"];
      if (statuses[0] === "authenticated" || statuses[2] === "authenticated" || statuses[1] !== expected[1]) {
        fail(`Of three logins the second was answered; they are ${statuses.join(", ")}.`);
      }
    },
  },
];
