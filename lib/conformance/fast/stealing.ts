import { fail, NotApplicable, type Rule } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import {
  notByForeignCookie,
  notByGuessedCookie,
  notBySid,
  redeemsOnce,
  redeemsOnceAtOnce,
} from "../flow/stealing.ts";
import { BitcoinWallet } from "./bitcoin-wallet.ts";
import type { FastSite } from "./site.ts";

/** Sections 4.2 and 6.4: an answered login signs in nobody else, nobody too early, and nobody twice. */

export const FAST_STEALING_CHECKS: readonly Rule<FastSite>[] = [
  {
    id: "6.4-not-before",
    proves: "Nobody is signed in by a login that no wallet has answered, or only with a refused response.",
    cause: "The sign-in asks whether the login exists, and not whether it has an address.",
    async run(site) {
      const code = await site.issue();
      const { browser, sid } = code;
      await site.expectNobody(browser, sid, "A browser whose login nobody has answered");
      await site.respond(code, new BitcoinWallet(), site.foreignSignature(code));
      await site.expectNobody(browser, sid, "A browser whose login was answered with a wrong signature");
    },
  },
  {
    id: "6.4-stolen-sid",
    proves: "Whoever knows the sid alone is not signed in.",
    cause: "`/dashboard?sid=` signs in whoever opens it, as the specification's short form reads.",
    run: notBySid,
  },
  {
    id: "6.4-foreign-cookie",
    proves: "A browser with the cookie of a login of its own is not signed in by another one.",
    cause: "The sign-in asks whether there is a cookie, and not whether it is this login's.",
    run: notByForeignCookie,
  },
  {
    id: "6.4-guessed-cookie",
    proves: "Cookies made from what the code shows sign nobody in.",
    cause: "The cookie holds the sid or a hash of it, or an empty value matches an empty column.",
    run: (site) => notByGuessedCookie(site, ({ challenge }) => challenge),
  },
  {
    id: "6.4-thief-spends-nothing",
    level: "SHOULD",
    proves: "A stranger who tries a login does not end it for the browser that started it.",
    cause:
      "The login is ended before its browser is compared, so whoever sees a code can lock its owner out.",
    async run(site) {
      const { browser, code } = await site.answered();
      await site.expectNobody(await site.thief(), code.sid, "A thief");
      if (!(await site.signsIn(browser, code.sid)))
        fail("After a stranger's try the browser itself is not signed in.");
    },
  },
  {
    id: "6.4-once",
    proves:
      "A login signs in once: the same browser, or a copy of its cookies, is not signed in by it again.",
    cause: "The address stays on the login, which is not ended when it is redeemed.",
    run: redeemsOnce,
  },
  {
    id: "6.4-once-at-once",
    proves: "Of several redemptions at once exactly one opens a session.",
    cause: "The login is read and ended in separate steps.",
    run: redeemsOnceAtOnce,
  },
  {
    id: "6.4-signed-out",
    proves:
      "Signing out ends the browser's other fast logins, answered or not: none of them signs in afterwards.",
    cause:
      "Sign-out knows the login that was redeemed alone, so the next person at the browser is signed in.",
    async run(site) {
      const { all, sessionCookies } = await site.entrances();
      const { browser, code, wallet } = await site.answered();
      const answered = await site.answered(wallet, browser);
      const waiting = await site.issue(browser);
      await site.enter(browser, code.sid);
      const later = browser.twin();
      if (all.length < 2 || (await browser.signOut()) === null) {
        throw new NotApplicable("This kit signs out by NextAuth alone.");
      }
      for (const name of sessionCookies) later.cookies.delete(name);
      await site.expectNobody(later, answered.code.sid, "After signing out the next person at the browser");
      expectStatus(await site.respond(waiting, wallet), 400, "a code of a browser that has signed out");
    },
  },
  {
    id: "6.4-strange-sids",
    proves: "A strange `sid` at the dashboard signs nobody in, and breaks nothing.",
    cause: "The sid reaches the database or a redirect as it came.",
    async run(site) {
      await site.answered();
      for (const sid of ["", "x", "null", "%", "' OR 1=1 --", "\u0000", "\r\nSet-Cookie: x=1"]) {
        const browser = site.browser();
        const answers = await site.enter(browser, sid);
        if (await site.isSignedIn(browser)) fail(`The sid ${JSON.stringify(sid)} signs somebody in.`);
        const failed = answers.find(({ status }) => status >= 500);
        if (failed) fail(`The sid ${JSON.stringify(sid)} is answered ${failed.status}.`);
      }
    },
  },
];
