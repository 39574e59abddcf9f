import { fail, type Rule } from "../check.ts";
import {
  answeredIsFinal,
  answersOneLogin,
  findsNothingLike,
  oneOfManySucceeds,
  refusedIsNotSpent,
  singleUse,
} from "../flow/spending.ts";
import { changed, type FastCode, type FastSite } from "./site.ts";

/** Section 6.2: a challenge is found by its whole text in its own login, and signs in once. */

/** A code with other challenges in its place: request and message agree, so that only the challenge can be wrong. */
const withChallenges = (code: FastCode, texts: readonly string[]) =>
  texts.map((c) => [`the challenge ${JSON.stringify(c)}`, changed(code, { c })] as const);

const randomOf = ({ challenge }: FastCode) => challenge.split("_")[0] ?? "";

export const FAST_CHALLENGE_CHECKS: readonly Rule<FastSite>[] = [
  {
    id: "6.2-at-once",
    proves: "Of many responses to one challenge at once exactly one gets 200, and the others get 400.",
    cause:
      "The challenge is read, judged and marked as used in separate steps, with nothing atomic between them.",
    run: (site) => oneOfManySucceeds(site, 10, [2, 3]),
  },
  {
    id: "6.2-at-once-two-codes",
    proves: "Of responses to two codes of one login at once exactly one gets 200.",
    cause: "The challenge is locked and the login is not, so that the second address replaces the first.",
    async run(site) {
      const first = await site.issue();
      const answers = [first, await site.renew(first)].map((code) => site.respond(code));
      const accepted = (await Promise.all(answers)).filter(({ status }) => status === 200).length;
      if (accepted !== 1) fail(`Of responses to two codes of one login, ${accepted} were answered 200.`);
    },
  },
  {
    id: "6.2-single-use",
    proves: "A challenge that has signed in is not found again, by the same wallet or by any other.",
    cause: "Challenges stay in the list after they were used.",
    run: singleUse,
  },
  {
    id: "6.2-answered-is-final",
    proves: "Once a login is answered, no other challenge of it can put another address in its place.",
    cause: "The older challenges of a login stay alive after one of them has succeeded.",
    run: answeredIsFinal,
  },
  {
    id: "6.2-refused-is-not-spent",
    proves: "A response with a wrong signature leaves the challenge to the wallet that answers it rightly.",
    cause: "The challenge is deleted when it is found, before the signature is judged.",
    run: refusedIsNotSpent,
  },
  {
    id: "6.2-challenge-part",
    proves: "A part of a challenge is not found.",
    cause: "The list is one text, and `includes` or LIKE looks for the challenge in it.",
    async run(site) {
      const code = await site.issue();
      const { challenge: c } = code;
      const random = randomOf(code);
      await findsNothingLike(
        site,
        site.newWallet(),
        code,
        withChallenges(code, [c.slice(0, -1), c.slice(1), random, c.slice(random.length), ""]),
      );
    },
  },
  {
    id: "6.2-challenge-joined",
    proves: "Two live challenges joined by a comma, as the list keeps them, are not found.",
    cause: "The list is one text, and `includes` or LIKE looks for the challenge in it.",
    async run(site) {
      const first = await site.issue();
      const { challenge } = await site.issue(first.browser, first.sid);
      await findsNothingLike(
        site,
        site.newWallet(),
        first,
        withChallenges(first, [`${first.challenge},${challenge}`, `${challenge},`, ","]),
      );
    },
  },
  {
    id: "6.2-challenge-exact",
    proves: "A challenge is found by its exact text: nothing that is nearly the same is.",
    cause: "The text is trimmed or compared without case, or looked for by a pattern.",
    async run(site) {
      const code = await site.issue();
      const { challenge: c } = code;
      const swapped = [...c].map((each) =>
        each === each.toLowerCase() ? each.toUpperCase() : each.toLowerCase(),
      );
      await findsNothingLike(
        site,
        site.newWallet(),
        code,
        withChallenges(code, [swapped.join(""), ` ${c}`, `${c}\n`, "%", `${c}0`]),
      );
    },
  },
  {
    id: "6.2-challenge-unknown",
    proves: "A challenge that the site never issued, or none, is not found, however well it is formed.",
    cause: "The challenge is judged by its form and its time, or an empty one is found in every text.",
    async run(site) {
      const code = await site.issue();
      const now = Math.floor(Date.now() / 1000);
      const madeUp = { c: `${"A".repeat(randomOf(code).length)}_${now}`, t: now.toString(16) };
      await findsNothingLike(site, site.newWallet(), code, [
        ["a challenge that was made up", changed(code, madeUp)],
        ["no challenge", changed(code, { c: null })],
        ["the sid in place of the challenge", changed(code, { c: code.sid })],
      ]);
    },
  },
  {
    id: "6.2-challenge-other-login",
    proves: "A challenge is found in its own login alone.",
    cause:
      "Challenges are looked up without their sid, so a thief answers his own login with a victim's code.",
    async run(site) {
      const code = await site.issue();
      const { sid } = await site.issue();
      await findsNothingLike(site, site.newWallet(), code, [
        ["a challenge of another login", changed(code, { sid })],
        ["a challenge without a sid", changed(code, { sid: null })],
        ["an unknown sid", changed(code, { sid: `${"A".repeat(32)}_1700000000` })],
      ]);
    },
  },
  {
    id: "6.2-one-login-alone",
    proves: "A response answers the login whose code it signs, and no other.",
    cause: "The address is stored for the browser, the client's address, or the last login that waits.",
    run: answersOneLogin,
  },
];
