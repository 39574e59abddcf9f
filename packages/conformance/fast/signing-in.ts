import { ELSEWHERE, RETURN_PARAMETERS } from "../addresses.ts";
import { Failure, fail, NotApplicable, type Rules } from "../check.ts";
import { complaintAboutSession } from "../cookies.ts";
import { expectStatus } from "../expect-status.ts";
import {
  notByForeignCookie,
  notByGuessedCookie,
  notBySid,
  redeemsOnce,
  redeemsOnceAtOnce,
} from "../flow/binding.ts";
import { redirectOf } from "../http-client.ts";
import { BitcoinWallet } from "./bitcoin-wallet.ts";
import { NotSignedIn, sessionCookiesIn } from "./entrances.ts";
import type { FastSite } from "./site.ts";

/**
 * Sections 4.2 and 6.4: the browser that showed an answered code is signed in, and stays on this site; nobody else is,
 * nobody too early, and nobody twice.
 */

export const FAST_SIGN_IN_CHECKS: Rules<FastSite> = {
  "6.4-sign-in": {
    proves: "The browser that started a login is signed in once a wallet has answered, by plain redirects.",
    cause:
      "The cookie is not sent back (its path, or `Secure` on http), or signing in needs a script; see --dashboard.",
    async run(site) {
      const { all } = await site.entrances().catch((error) => {
        throw error instanceof NotSignedIn ? new Failure(error.message) : error;
      });
      for (const { name, enter } of all) {
        const { browser, code } = await site.answered();
        await enter(browser, code.sid);
        if (!(await site.isSignedIn(browser)))
          fail(`The browser that started the login is not signed in by ${name}.`);
      }
    },
  },
  "6.4-right-user": {
    proves:
      "The user who is signed in is the one who holds the address: another address is another user, the same the same.",
    cause:
      "The session is opened for the user of another login, such as the last one, or for a new one every time.",
    async run(site) {
      const [ada, bob] = [new BitcoinWallet(), new BitcoinWallet()];
      const logins = [await site.answered(ada), await site.answered(bob), await site.answered(ada)];
      const identities: (string | null)[] = [];
      for (const { browser, code } of logins) {
        await site.enter(browser, code.sid);
        identities.push(await site.identityOf(browser, [ada.address, bob.address]));
      }
      const [first, second, third] = identities;
      if (identities.includes(null)) throw new NotApplicable("The site does not tell who is signed in.");
      if (first === second) fail(`Two addresses are signed in as ${first}.`);
      if (first !== third) fail(`One address is signed in as ${first} and as ${third}.`);
    },
  },
  "6.4-redirects": {
    proves: "Every redirect on the way stays on this site, whatever page a parameter names.",
    cause: "A parameter of the page is passed on without being judged: an open redirect after every login.",
    async run(site) {
      const from = new URL(site.target.dashboard, site.target.origin);
      for (const elsewhere of ELSEWHERE) {
        const query = Object.fromEntries(RETURN_PARAMETERS.map((name) => [name, elsewhere]));
        const { browser, code } = await site.answered();
        for (const who of [browser, site.browser()]) {
          for (const answer of await site.enter(who, code.sid, query)) {
            const next = redirectOf(answer, from);
            if (next && next.origin !== from.origin)
              fail(`With ${elsewhere} ${answer.name} leads to ${next.href}.`);
          }
        }
      }
    },
  },
  "6.4-new-session": {
    proves: "Each sign-in opens a new session: a token that was planted is not carried on.",
    cause: "The session of before is given a user instead of being replaced (session fixation).",
    async run(site) {
      const { sessionCookies } = await site.entrances();
      if (sessionCookies.size === 0)
        fail("A sign-in sets no cookie: the binding cookie itself is the session.");
      const browser = site.browser();
      const planted = "A".repeat(43);
      for (const name of sessionCookies) browser.cookies.set(name, planted);
      const { code } = await site.answered(new BitcoinWallet(), browser);
      await site.enter(browser, code.sid);
      for (const name of sessionCookies) {
        if (browser.cookies.get(name) === planted) fail(`The cookie ${name} that was planted is carried on.`);
      }
    },
  },
  "6.4-no-store": {
    proves: "The page of whoever is signed in, and the answer that signs in, say `Cache-Control: no-store`.",
    cause:
      "A redirect is cacheable, or the dashboard is: the next browser behind the same cache is shown it.",
    async run(site) {
      const { browser, code } = await site.answered();
      const answers = await site.enter(browser, code.sid);
      const signing = answers.filter(({ cookies }) => cookies.length > 0);
      for (const { name, headers } of [...signing, ...answers.slice(-1)]) {
        const said = headers["cache-control"] ?? "nothing";
        if (!/\bno-store\b/.test(said)) fail(`${name} says Cache-Control: ${said}.`);
      }
    },
  },
  "6.4-session-cookie": {
    proves: "The session cookie is `HttpOnly`, `SameSite=Lax` or stricter, and on https `Secure`.",
    cause: "The redirect sets its cookie by hand, beside the framework's own.",
    async run(site) {
      const entrances = await site.entrances();
      for (const { name: entrance, enter } of entrances.all) {
        const { browser, code } = await site.answered();
        for (const cookie of sessionCookiesIn(entrances, await enter(browser, code.sid))) {
          const complaint = complaintAboutSession(cookie, site.isSecure);
          if (complaint) fail(`${entrance}: the ${complaint}`);
        }
      }
    },
  },
  "6.4-not-before": {
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
  "6.4-stolen-sid": {
    ...notBySid,
    cause: "`/dashboard?sid=` signs in whoever opens it, as the specification's short form reads.",
  },
  "6.4-foreign-cookie": notByForeignCookie,
  "6.4-guessed-cookie": notByGuessedCookie(({ challenge }) => challenge),
  "6.4-thief-spends-nothing": {
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
  "6.4-once": {
    proves:
      "A login signs in once: the same browser, or a copy of its cookies, is not signed in by it again.",
    cause: "The address stays on the login, which is not ended when it is redeemed.",
    run: redeemsOnce,
  },
  "6.4-once-at-once": redeemsOnceAtOnce,
  "6.4-signed-out": {
    proves:
      "Signing out ends the browser's other fast logins, answered or not: none of them signs in afterwards.",
    cause:
      "Sign-out knows the login that was redeemed alone, so the next person at the browser is signed in.",
    async run(site) {
      const { all, sessionCookies } = await site.entrances();
      const { browser, code, wallet } = await site.answered();
      const answered = await site.answered(wallet, browser);
      const waiting = await site.issue({ browser });
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
  "6.4-strange-sids": {
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
};
