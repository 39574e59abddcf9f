import { fail, type Rule } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import type { FastCode, FastSite } from "./site.ts";

/** Section 6.1: how many challenges of a login are good, and how long. */

const KEPT = 4;
const AT_ONCE = 6;

/** Whether a challenge is known, without using it up: a wrong signature over it is refused for another reason. */
async function isKnown(site: FastSite, code: FastCode): Promise<boolean> {
  const answer = await site.respond(code, undefined, site.foreignSignature(code));
  if (answer.status === 200) fail("A wrong signature is accepted.");
  return answer.status !== 400;
}

export const FAST_KEPT_CHECKS: readonly Rule<FastSite>[] = [
  {
    id: "6.1-refresh-keeps",
    proves: "A new challenge does not end the ones before it: the fourth-newest still signs in.",
    cause: "A login holds one challenge, which every refresh overwrites.",
    async run(site) {
      const browser = site.browser();
      const codes = [await site.issue(browser)];
      while (codes.length < KEPT) codes.push(await site.issue(browser, codes[0]?.sid));
      for (const code of codes.slice(1)) {
        if (!(await isKnown(site, code))) fail("A challenge among the last four is not found.");
      }
      const oldest = codes[0] as FastCode;
      expectStatus(await site.respond(oldest), 200, "the fourth-newest challenge");
    },
  },
  {
    id: "6.1-last-four",
    proves: "Only the last four challenges of a login are kept: the fifth-newest is not found.",
    cause: "The list is never cut, or one too late.",
    async run(site) {
      const browser = site.browser();
      const first = await site.issue(browser);
      for (let count = 0; count < KEPT; count++) await site.issue(browser, first.sid);
      expectStatus(await site.respond(first), 400, "the fifth-newest challenge");
    },
  },
  {
    id: "6.1-last-four-at-once",
    proves: "Of challenges that are asked for at once, only four are good as well.",
    cause: "The list is read, appended to and written in separate steps.",
    async run(site) {
      const browser = site.browser();
      const { sid } = await site.issue(browser);
      const codes = await Promise.all(Array.from({ length: AT_ONCE }, () => site.issue(browser.twin(), sid)));
      const known = await Promise.all(codes.map((code) => isKnown(site, code)));
      const count = known.filter(Boolean).length;
      if (count !== KEPT) fail(`Of ${AT_ONCE} challenges that were asked for at once, ${count} are good.`);
    },
  },
  {
    id: "6.1-slow-lives",
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
  {
    id: "6.1-slow-expired",
    proves: "A challenge that is older than two minutes is not found, though its login goes on.",
    cause: "Expiry is left to a clean-up job, or only the number of challenges is limited.",
    waits: true,
    async run(site) {
      site.needsSlow();
      const browser = site.browser();
      const code = await site.issue(browser);
      await site.wait(100);
      await site.issue(browser, code.sid);
      await site.wait(22);
      expectStatus(await site.respond(code), 400, "a challenge of more than two minutes");
    },
  },
];
