import { fail, type Rule } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import { answeredIsFinal, answersOneLogin, findsNothingLike } from "../flow/spending.ts";
import type { Site } from "./site.ts";

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
      const code = await site.issue();
      const others = nearly(code.challenge).map(
        ([what, challenge]) => [`the challenge with ${what}`, { ...code, challenge }] as const,
      );
      await findsNothingLike(site, wallet, code, others);
    },
  },
  {
    id: "1.1-never-issued",
    proves: "A challenge that the site never issued gets 408, however well it is formed and signed.",
    cause: "The challenge is judged by its form and its time, and never looked up.",
    async run(site) {
      const wallet = await site.knownWallet();
      const code = await site.issue();
      const nonce = "0123456789abcdefghijABCDEFGHIJxy";
      const { hostname } = site.target.origin;
      const challenge = `svc:login:${hostname}:${Math.floor(code.answer.date / 1000)}:${nonce}`;
      await findsNothingLike(site, wallet, code, [
        ["a challenge that was never issued", { ...code, challenge }],
      ]);
    },
  },
  {
    id: "1.1-other-domain",
    proves: "A response to another domain's challenge gets 408, so that no other site can pass one on.",
    cause: "Only nonce and timestamp are compared, and the domain is not.",
    async run(site) {
      const wallet = await site.knownWallet();
      const code = await site.issue();
      const { hostname } = site.target.origin;
      const others = ["evil.example", `evil.${hostname}`, `${hostname}.evil.example`].map((domain) => {
        const challenge = code.challenge.split(":").with(2, domain).join(":");
        return [`a challenge for ${domain}`, { ...code, challenge }] as const;
      });
      await findsNothingLike(site, wallet, code, others);
    },
  },
  {
    id: "1.1-other-action",
    proves: "A login code is refused at the webhook of registration with 408, and the other way round.",
    cause: "Both webhooks share a handler that does not look at the challenge's action.",
    async run(site) {
      const wallet = await site.knownWallet();
      for (const [code, action] of [
        [await site.issue(), "register"],
        [await site.issueForNew(), "login"],
      ] as const) {
        const answer = await site.respond({ ...code, action }, wallet);
        expectStatus(answer, 408, `a ${code.action} code at the webhook of ${action}`);
      }
    },
  },
  {
    id: "1.1-refresh-keeps-previous",
    proves: "A new code does not end the one before, so that an answer under way still counts.",
    cause: "A login holds one challenge, which every refresh overwrites.",
    async run(site) {
      const wallet = await site.knownWallet();
      const first = await site.issue();
      await site.renew(first);
      expectStatus(await site.respond(first, wallet), 200, "the code before the present one");
      if (!(await site.isAnswered(first.sid))) fail("It was accepted, and nobody is authenticated.");
    },
  },
  {
    id: "1.1-authenticated-is-final",
    proves: "Once a login is authenticated, no other code of it can put another user in its place.",
    cause: "The older codes of a login stay alive after one of them has succeeded.",
    async run(site) {
      // Where nobody can register, nothing is told by a refusal.
      await site.knownWallet();
      await answeredIsFinal(site);
    },
  },
  {
    id: "1.1-one-login-alone",
    proves: "A response authenticates the login whose challenge it signs, and no other.",
    cause: "The login is found by the key, the client address or the last one that waits.",
    run: answersOneLogin,
  },
];
