import { fail, type Rules, startsEarly } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import * as spending from "../flow/responses.ts";
import type { FastId } from "../texts/fast.ts";
import { type FastCode, type FastSite, withQuery } from "./site.ts";

/**
 * Sections 6.1 and 6.2. A site accepts a challenge only with its complete text, only for its own login, and only once.
 * These checks also test how many challenges of one login are valid at a time, and for how long.
 */

/** The wallet signs the altered challenge, so the signature is valid and nothing else is wrong. */
const findsNoChallenges = (
  textsOf: (code: FastCode, site: FastSite) => readonly string[] | Promise<readonly string[]>,
) =>
  spending.refusesSimilarChallenges<FastSite>(async (code, site) =>
    (await textsOf(code, site)).map((c) => [
      `a response with the challenge ${JSON.stringify(c)}`,
      withQuery(code, { c }),
    ]),
  );

const randomOf = ({ challenge }: FastCode) => challenge.split("_")[0] ?? "";

const KEPT = 4;
const AT_ONCE = 6;

/**
 * Does not use up the challenge. A response with a wrong signature is refused for that signature if the challenge is
 * known, and for a different reason if it is unknown.
 */
async function isKnown(site: FastSite, code: FastCode): Promise<boolean> {
  const answer = await site.respond(code, undefined, site.foreignSignature(code));
  if (answer.status === 200) fail("A wrong signature is accepted.");
  return answer.status !== 400;
}

export const FAST_CHALLENGE_CHECKS = {
  "6.2-at-once": (site) => spending.oneOfManySucceeds(site, 10, [2, 3]),
  async "6.2-at-once-two-codes"(site) {
    await spending.oneOfTwoCodesSucceeds(site, [site.newWallet(), site.newWallet()]);
  },
  "6.2-single-use": spending.challengeIsSingleUse,
  "6.2-answered-is-final": spending.answeredLoginIsFinal,
  "6.2-refused-is-not-spent": spending.refusedChallengeStaysValid,
  "6.2-challenge-part": findsNoChallenges((code) => {
    const { challenge: c } = code;
    const random = randomOf(code);
    return [c.slice(0, -1), c.slice(1), random, c.slice(random.length), ""];
  }),
  "6.2-challenge-joined": findsNoChallenges(async (first, site) => {
    const { challenge } = await site.issue(first);
    return [`${first.challenge},${challenge}`, `${challenge},`, ","];
  }),
  "6.2-challenge-exact": findsNoChallenges(({ challenge: c }) => [
    spending.swapCase(c),
    ` ${c}`,
    `${c}\n`,
    "%",
    `${c}0`,
  ]),
  "6.2-challenge-unknown": spending.refusesSimilarChallenges<FastSite>((code) => {
    const now = Math.floor(Date.now() / 1000);
    const inventedTokens = { c: `${"A".repeat(randomOf(code).length)}_${now}`, t: now.toString(16) };
    return [
      ["a response with a made-up challenge", withQuery(code, inventedTokens)],
      ["a response without a challenge", withQuery(code, { c: null })],
      ["a response with the sid as its challenge", withQuery(code, { c: code.sid })],
    ];
  }),
  "6.2-challenge-other-login": spending.refusesSimilarChallenges<FastSite>(async (code, site) => {
    const { sid } = await site.issue();
    return [
      ["a response with a challenge of another login", withQuery(code, { sid })],
      ["a response without a sid", withQuery(code, { sid: null })],
      ["an unknown sid", withQuery(code, { sid: `${"A".repeat(32)}_1700000000` })],
    ];
  }),
  "6.2-one-login-alone": spending.answersOneLogin,
} satisfies Rules<FastSite, FastId>;

export const FAST_RETENTION_CHECKS = {
  async "6.1-refresh-keeps"(site) {
    const oldest = await site.issue();
    const newer: FastCode[] = [];
    while (newer.length < KEPT - 1) newer.push(await site.issue(oldest));
    for (const code of newer) {
      if (!(await isKnown(site, code))) fail("A challenge among the last four is not found.");
    }
    expectStatus(await site.respond(oldest), 200, "a response to the fourth-newest challenge");
  },
  async "6.1-last-four"(site) {
    const first = await site.issue();
    for (let count = 0; count < KEPT; count++) await site.issue(first);
    expectStatus(await site.respond(first), 400, "a response to the fifth-newest challenge");
  },
  async "6.1-last-four-at-once"(site) {
    const { browser, sid } = await site.issue();
    const codes = await Promise.all(
      Array.from({ length: AT_ONCE }, () => site.issue({ browser: browser.copy(), sid })),
    );
    const knownCodes = await Promise.all(codes.map((code) => isKnown(site, code)));
    const count = knownCodes.filter(Boolean).length;
    if (count !== KEPT) fail(`${count} of ${AT_ONCE} simultaneously requested challenges are accepted.`);
  },
  "6.1-slow-lives": startsEarly(async (site) => {
    site.requireSlowRun();
    const code = await site.issue();
    await site.wait(90);
    expectStatus(await site.respond(code), 200, "a response after 90 seconds");
  }),
  "6.1-slow-expired": startsEarly(async (site) => {
    site.requireSlowRun();
    const code = await site.issue();
    await site.wait(100);
    await site.issue(code);
    await site.wait(22);
    expectStatus(await site.respond(code), 400, "a response after more than two minutes");
  }),
} satisfies Rules<FastSite, FastId>;
