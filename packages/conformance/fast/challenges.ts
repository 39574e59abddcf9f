import { fail, type Rules } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import {
  answeredIsFinal,
  answersOneLogin,
  findsNothingLike,
  oneOfManySucceeds,
  oneOfTwoCodesSucceeds,
  refusedIsNotSpent,
  singleUse,
  swapCase,
} from "../flow/spending.ts";
import { changed, type FastCode, type FastSite } from "./site.ts";

/**
 * Sections 6.1 and 6.2: a challenge is found by its whole text in its own login, and signs in once; how many challenges
 * of a login are valid, and for how long.
 */

/** Expects no other challenge to be found in a code's place. Request and message agree: only the challenge is wrong. */
const findsNoChallenges = (
  textsOf: (code: FastCode, site: FastSite) => readonly string[] | Promise<readonly string[]>,
) =>
  findsNothingLike<FastSite>(async (code, site) =>
    (await textsOf(code, site)).map((c) => [`the challenge ${JSON.stringify(c)}`, changed(code, { c })]),
  );

const randomOf = ({ challenge }: FastCode) => challenge.split("_")[0] ?? "";

const KEPT = 4;
const AT_ONCE = 6;

/** Whether a challenge is known, without using it up: a wrong signature over it is refused for another reason. */
async function isKnown(site: FastSite, code: FastCode): Promise<boolean> {
  const answer = await site.respond(code, undefined, site.foreignSignature(code));
  if (answer.status === 200) fail("A wrong signature is accepted.");
  return answer.status !== 400;
}

export const FAST_CHALLENGE_CHECKS: Rules<FastSite> = {
  "6.2-at-once": {
    proves: "Of many responses to one challenge at once exactly one gets 200, and the others get 400.",
    cause:
      "The challenge is read, judged and marked as used in separate steps, with nothing atomic between them.",
    run: (site) => oneOfManySucceeds(site, 10, [2, 3]),
  },
  "6.2-at-once-two-codes": {
    proves: "Of responses to two codes of one login at once exactly one gets 200.",
    cause: "The challenge is locked and the login is not, so that the second address replaces the first.",
    async run(site) {
      await oneOfTwoCodesSucceeds(site, [site.newWallet(), site.newWallet()]);
    },
  },
  "6.2-single-use": {
    proves: "A challenge that has signed in is not found again, by the same wallet or by any other.",
    cause: "Challenges stay in the list after they were used.",
    run: singleUse,
  },
  "6.2-answered-is-final": {
    proves: "Once a login is answered, no other challenge of it can put another address in its place.",
    cause: "The older challenges of a login stay alive after one of them has succeeded.",
    run: answeredIsFinal,
  },
  "6.2-refused-is-not-spent": refusedIsNotSpent,
  "6.2-challenge-part": {
    proves: "A part of a challenge is not found.",
    cause: "The list is one text, and `includes` or LIKE looks for the challenge in it.",
    run: findsNoChallenges((code) => {
      const { challenge: c } = code;
      const random = randomOf(code);
      return [c.slice(0, -1), c.slice(1), random, c.slice(random.length), ""];
    }),
  },
  "6.2-challenge-joined": {
    proves: "Two live challenges joined by a comma, as the list keeps them, are not found.",
    cause: "The list is one text, and `includes` or LIKE looks for the challenge in it.",
    run: findsNoChallenges(async (first, site) => {
      const { challenge } = await site.issue(first);
      return [`${first.challenge},${challenge}`, `${challenge},`, ","];
    }),
  },
  "6.2-challenge-exact": {
    proves: "A challenge is found by its exact text: nothing that is nearly the same is.",
    cause: "The text is trimmed or compared without case, or looked for by a pattern.",
    run: findsNoChallenges(({ challenge: c }) => [swapCase(c), ` ${c}`, `${c}\n`, "%", `${c}0`]),
  },
  "6.2-challenge-unknown": {
    proves: "A challenge that the site never issued, or none, is not found, however well it is formed.",
    cause: "The challenge is judged by its form and its time, or an empty one is found in every text.",
    run: findsNothingLike<FastSite>((code) => {
      const now = Math.floor(Date.now() / 1000);
      const madeUp = { c: `${"A".repeat(randomOf(code).length)}_${now}`, t: now.toString(16) };
      return [
        ["a challenge that was made up", changed(code, madeUp)],
        ["no challenge", changed(code, { c: null })],
        ["the sid in place of the challenge", changed(code, { c: code.sid })],
      ];
    }),
  },
  "6.2-challenge-other-login": {
    proves: "A challenge is found in its own login alone.",
    cause:
      "Challenges are looked up without their sid, so a thief answers his own login with a victim's code.",
    run: findsNothingLike<FastSite>(async (code, site) => {
      const { sid } = await site.issue();
      return [
        ["a challenge of another login", changed(code, { sid })],
        ["a challenge without a sid", changed(code, { sid: null })],
        ["an unknown sid", changed(code, { sid: `${"A".repeat(32)}_1700000000` })],
      ];
    }),
  },
  "6.2-one-login-alone": {
    proves: "A response answers the login whose code it signs, and no other.",
    cause: "The address is stored for the browser, the client's address, or the last login that waits.",
    run: answersOneLogin,
  },
};

export const FAST_KEPT_CHECKS: Rules<FastSite> = {
  "6.1-refresh-keeps": {
    proves: "A new challenge does not end the ones before it: the fourth-newest still signs in.",
    cause: "A login holds one challenge, which every refresh overwrites.",
    async run(site) {
      const oldest = await site.issue();
      const newer: FastCode[] = [];
      while (newer.length < KEPT - 1) newer.push(await site.issue(oldest));
      for (const code of newer) {
        if (!(await isKnown(site, code))) fail("A challenge among the last four is not found.");
      }
      expectStatus(await site.respond(oldest), 200, "the fourth-newest challenge");
    },
  },
  "6.1-last-four": {
    proves: "Only the last four challenges of a login are kept: the fifth-newest is not found.",
    cause: "The list is never cut, or one too late.",
    async run(site) {
      const first = await site.issue();
      for (let count = 0; count < KEPT; count++) await site.issue(first);
      expectStatus(await site.respond(first), 400, "the fifth-newest challenge");
    },
  },
  "6.1-last-four-at-once": {
    proves: "Of challenges that are asked for at once, only four are good as well.",
    cause: "The list is read, appended to and written in separate steps.",
    async run(site) {
      const { browser, sid } = await site.issue();
      const codes = await Promise.all(
        Array.from({ length: AT_ONCE }, () => site.issue({ browser: browser.twin(), sid })),
      );
      const known = await Promise.all(codes.map((code) => isKnown(site, code)));
      const count = known.filter(Boolean).length;
      if (count !== KEPT) fail(`Of ${AT_ONCE} challenges that were asked for at once, ${count} are good.`);
    },
  },
  "6.1-slow-lives": {
    level: "SHOULD",
    proves: "A challenge is good for a minute and a half: a page renews it every 30 seconds, and keeps four.",
    cause: "The 30 seconds of the other logins.",
    waits: true,
    async run(site) {
      site.needsSlow();
      const code = await site.issue();
      await site.wait(90);
      expectStatus(await site.respond(code), 200, "a challenge of 90 seconds");
    },
  },
  "6.1-slow-expired": {
    proves: "A challenge that is older than two minutes is not found, though its login goes on.",
    cause: "Expiry is left to a clean-up job, or only the number of challenges is limited.",
    waits: true,
    async run(site) {
      site.needsSlow();
      const code = await site.issue();
      await site.wait(100);
      await site.issue(code);
      await site.wait(22);
      expectStatus(await site.respond(code), 400, "a challenge of more than two minutes");
    },
  },
};
