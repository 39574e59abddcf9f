import { block, fail, type Rules, startsEarly } from "../check.ts";
import { expectEqual, expectStatus } from "../expect-status.ts";
import { LIFETIME_SECONDS } from "../flow/codes.ts";
import * as spending from "../flow/responses.ts";
import { Wallet } from "../flow/wallet.ts";
import type { SiteId } from "../texts/site.ts";
import type { Code, Site } from "./site.ts";

/** Section 1.1: a challenge can be answered once, only for its own login, and only within 30 seconds. */

const findsNoChallenges = (textsOf: (code: Code, hostname: string) => Record<string, string>) =>
  spending.refusesSimilarChallenges<Site>((code, { target }) => {
    const texts = Object.entries(textsOf(code, target.origin.hostname));
    return texts.map(([what, challenge]) => [what, { ...code, challenge }]);
  });

export const SPENDING_CHECKS = {
  "1.1-at-once": (site) => spending.oneOfManySucceeds(site, 30, [2, 3, 4, 4]),
  async "1.1-at-once-two-codes"(site) {
    // If the site refused every wallet, a refusal would prove nothing.
    await site.knownWallet();
    const { sid, winner } = await spending.oneOfTwoCodesSucceeds(site, [site.newWallet(), site.newWallet()]);
    const { code } = await site.logIn(winner);
    const owner = await site.userOf(code.sid);
    expectEqual(await site.userOf(sid), owner, "After two simultaneous responses the login's user");
  },
  "1.1-single-use": spending.challengeIsSingleUse,
  "1.1-refused-is-not-spent": spending.refusedChallengeStaysValid,
  async "1.1-unknown-key-does-not-spend"(site) {
    const wallet = await site.knownWallet();
    const code = await site.issue();
    const unknown = await site.respond(code, new Wallet());
    if (unknown.status === 200)
      block("A login with an unknown key is accepted", undefined, "3.2-unknown-key");
    expectStatus(await site.respond(code, wallet), 200, "a known key's response after an unknown key's");
  },
} satisfies Rules<Site, SiteId>;

export const CHALLENGE_CHECKS = {
  "1.1-exact-text": findsNoChallenges(({ challenge }) => {
    const [, , domain = "", timestamp = ""] = challenge.split(":");
    const nonce = challenge.slice(-32);
    return {
      "the challenge with the letter case of its nonce swapped":
        challenge.slice(0, -32) + spending.swapCase(nonce),
      "the challenge in upper case": challenge.toUpperCase(),
      "the challenge after a space": ` ${challenge}`,
      "the challenge followed by a line break": `${challenge}\n`,
      "the challenge, percent-encoded": encodeURIComponent(challenge.toWellFormed()),
      "the challenge with an additional character": `${challenge}A`,
      "the challenge without its last character": challenge.slice(0, -1),
      "the challenge with another timestamp": challenge.replace(
        `:${timestamp}:`,
        `:${Number(timestamp) + 1}:`,
      ),
      "the challenge with a leading zero in its timestamp": challenge.replace(
        `:${timestamp}:`,
        `:0${timestamp}:`,
      ),
      "the challenge with a dot after its domain": challenge.replace(`:${domain}:`, `:${domain}.:`),
      "only the challenge's nonce": nonce,
    };
  }),
  "1.1-never-issued": findsNoChallenges(({ answer }, hostname) => ({
    "a challenge that was never issued": `svc:login:${hostname}:${Math.floor(answer.date / 1000)}:0123456789abcdefghijABCDEFGHIJxy`,
  })),
  "1.1-other-domain": findsNoChallenges(({ challenge }, hostname) => {
    const domains = ["evil.example", `evil.${hostname}`, `${hostname}.evil.example`];
    const textFor = (domain: string) => challenge.split(":").with(2, domain).join(":");
    return Object.fromEntries(domains.map((domain) => [`a challenge for ${domain}`, textFor(domain)]));
  }),
  async "1.1-other-action"(site) {
    const wallet = await site.knownWallet();
    for (const [code, action] of [
      [await site.issue(), "register"],
      [await site.issueForNew(), "login"],
    ] as const) {
      const answer = await site.respond({ ...code, action }, wallet);
      expectStatus(answer, 408, `a response to a ${code.action} code at the webhook of ${action}`);
    }
  },
  async "1.1-refresh-keeps-previous"(site) {
    const wallet = await site.knownWallet();
    const first = await site.issue();
    await site.renew(first);
    expectStatus(await site.respond(first, wallet), 200, "a response to the previous code");
    if (!(await site.isAnswered(first.sid))) fail("The accepted response did not authenticate the login.");
  },
  async "1.1-authenticated-is-final"(site) {
    // If the site refused every wallet, a refusal would prove nothing.
    await site.knownWallet();
    await spending.answeredLoginIsFinal(site);
  },
  "1.1-one-login-alone": spending.answersOneLogin,
  "1.1-lives-30-seconds": startsEarly(async (site) => {
    const wallet = await site.knownWallet();
    const code = await site.issue();
    await site.wait(LIFETIME_SECONDS - 4);
    expectStatus(await site.respond(code, wallet), 200, "a response after 26 seconds");
  }),
  "1.1-expired": startsEarly(async (site) => {
    const wallet = await site.knownWallet();
    const code = await site.issue();
    await site.wait(LIFETIME_SECONDS + 1);
    const issued = Math.floor(code.answer.date / 1000);
    const claimed = await site.respond(code, wallet, { timestamp: issued + 1 });
    expectStatus(claimed, 408, "a response after 31 seconds whose timestamp claims to be in time");
    expectStatus(await site.respond(code, wallet), 408, "a response after 31 seconds");
    if (await site.isAnswered(code.sid))
      fail("A response 31 seconds after the challenge was issued was refused, but authenticated its login.");
  }),
  "1.1-expired-unregistered": startsEarly(async (site) => {
    const code = await site.issueForNew();
    await site.wait(LIFETIME_SECONDS + 1);
    expectStatus(await site.respond(code, new Wallet()), 408, "a register response after 31 seconds");
  }),
  "1.1-own-lifetime": startsEarly(async (site) => {
    const wallet = await site.knownWallet();
    const first = await site.issue();
    await site.wait(LIFETIME_SECONDS / 2);
    const second = await site.issue(first);
    await site.wait(LIFETIME_SECONDS / 2 + 1);
    expectStatus(await site.respond(first, wallet), 408, "a code that is 31 seconds old and refreshed");
    expectStatus(await site.respond(second, wallet), 200, "a 16-second-old code that replaced it");
  }),
} satisfies Rules<Site, SiteId>;
