import type { Browser } from "../browser.ts";
import { fail, looksBack, type Rules } from "../check.ts";
import { expectNoMore, expectStatus, expectType } from "../expect-status.ts";
import { refusesQueries } from "../flow/binding.ts";
import { ofEveryCode, unpredictableBits } from "../flow/codes.ts";
import { bodyOf } from "../http-client.ts";
import type { SiteId } from "../texts/site.ts";
import { partsOf, SAMPLES } from "./codes.ts";
import type { Site } from "./site.ts";

/** Sections 1.7, 3.1 and 3.6: the site's answers to a page that requests a code. */

const LIFETIME_SECONDS = 30;

/** True also for twins, which share their cookies. */
function isOneBrowser(one: Browser, other: Browser): boolean {
  const values = [...other.cookies.values()];
  return one === other || [...one.cookies.values()].some((value) => values.includes(value));
}

export const CODE_ANSWER_CHECKS = {
  "1.7-sid-random": looksBack(async (site) => {
    await site.manyCodes(SAMPLES);
    const owners = new Map<string, Browser>();
    for (const { sid, browser } of site.run.codes) {
      const owner = owners.get(sid) ?? browser;
      if (!isOneBrowser(owner, browser)) fail("Two browsers were given the same sid.");
      owners.set(sid, owner);
    }
    const sids = [...owners.keys()];
    while (sids.length < SAMPLES / 2) sids.push((await site.issue()).sid);
    const bits = unpredictableBits(sids, 64);
    // A UUID of version 4 has 122.
    if (bits < 120) fail(`About ${Math.round(bits)} bits of a sid vary: ${sids.slice(-2).join(", ")}.`);
  }),
  async "3.1-answer"(site) {
    const answer = await site.askForCode(undefined, { mode: "login" });
    expectStatus(answer, 200, "a code");
    expectType(answer, "application/json", "the answer");
    const { sid, challenge, qr, expiresAt } = bodyOf(answer);
    for (const [name, value] of Object.entries({ sid, challenge, qr })) {
      if (typeof value !== "string" || value === "")
        fail(`\`${name}\` is ${JSON.stringify(value)} instead of a text.`);
    }
    if (!Number.isInteger(expiresAt))
      fail(`\`expiresAt\` is ${JSON.stringify(expiresAt)} instead of an integer, in Unix seconds.`);
  },
  "3.1-answer-tells-no-more": ofEveryCode<Site>(({ body }) =>
    expectNoMore(body, ["sid", "challenge", "qr", "expiresAt"], "The answer"),
  ),
  "3.1-expires-at": ofEveryCode<Site>((code) => {
    const expected = Number(partsOf(code).timestamp) + LIFETIME_SECONDS;
    // Rounding may go either way.
    if (!(Math.abs(Number(code.body.expiresAt) - expected) <= 1))
      fail(`\`expiresAt\` is ${code.body.expiresAt} instead of ${expected}.`);
  }),
  async "3.1-mode-default"(site) {
    const answer = await site.askForCode();
    expectStatus(answer, 200, "a code without a mode");
    const { challenge } = bodyOf(answer);
    if (!String(challenge).startsWith("svc:login:"))
      fail(`Without a mode the challenge is ${challenge} instead of svc:login:….`);
  },
  "3.1-mode-unknown": refusesQueries(
    ["admin", "LOGIN", "login:evil.example", "login register"].map((mode) => ({ mode })),
    [400],
  ),
  "3.6-intent-unknown": refusesQueries([{ mode: "login", intent: "steal" }], [400]),
  "3.6-intent-of-a-stranger": refusesQueries(
    ["add", "approve"].map((intent) => ({ mode: "login", intent })),
    [400, 401, 403],
  ),
} satisfies Rules<Site, SiteId>;
