import { FOREIGN_URLS, RETURN_PARAMETERS } from "../addresses.ts";
import { fail, type Rules, skip } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import * as binding from "../flow/binding.ts";
import { redirectOf } from "../http-client.ts";
import type { FastId } from "../texts/fast.ts";
import { BitcoinWallet } from "./bitcoin-wallet.ts";
import { type FastSite, findSessionCookies } from "./site.ts";

/**
 * Sections 4.2 and 6.4. An answered code signs in only the browser that showed it, and only once, and redirects that
 * browser only within the site.
 */

export const FAST_SIGN_IN_CHECKS = {
  async "6.4-sign-in"(site) {
    const { all } = await site.entrances();
    for (const { name, enter } of all) {
      const { browser, code } = await site.answerNewLogin();
      await enter(browser, code.sid);
      if (!(await site.isSignedIn(browser)))
        fail(`The browser that started the login is not signed in by ${name}.`);
    }
  },
  async "6.4-right-user"(site) {
    const [ada, bob] = [new BitcoinWallet(), new BitcoinWallet()];
    const logins = [
      await site.answerNewLogin(ada),
      await site.answerNewLogin(bob),
      await site.answerNewLogin(ada),
    ];
    const identities: (string | null)[] = [];
    for (const { browser, code } of logins) {
      await site.signIn(browser, code.sid);
      identities.push(await site.identityOf(browser, [ada.address, bob.address]));
    }
    const [first, second, third] = identities;
    if (identities.includes(null)) skip("With --flow fast the kit cannot see the user here.");
    if (first === second) fail(`Two addresses are signed in as ${first}.`);
    if (first !== third) fail(`One address is signed in as ${first} and as ${third}.`);
  },
  async "6.4-redirects"(site) {
    const from = new URL(site.target.dashboard, site.target.origin);
    for (const otherPage of FOREIGN_URLS) {
      const query = Object.fromEntries(RETURN_PARAMETERS.map((name) => [name, otherPage]));
      const { browser, code } = await site.answerNewLogin();
      for (const client of [browser, site.browser()]) {
        for (const answer of await site.signIn(client, code.sid, query)) {
          const next = redirectOf(answer, from);
          if (next && next.origin !== from.origin)
            fail(`With ${otherPage} ${answer.name} leads to ${next.href}.`);
        }
      }
    }
  },
  async "6.4-new-session"(site) {
    const { sessionCookies } = await site.entrances();
    if (sessionCookies.size === 0)
      fail("The sign-in does not set a cookie, so the binding cookie is the session.");
    const browser = site.browser();
    const planted = "A".repeat(43);
    for (const name of sessionCookies) browser.cookies.set(name, planted);
    const { code } = await site.answerNewLogin(new BitcoinWallet(), browser);
    await site.signIn(browser, code.sid);
    for (const name of sessionCookies) {
      if (browser.cookies.get(name) === planted)
        fail(`The value of the cookie ${name} that was planted before is still there after the sign-in.`);
    }
  },
  async "6.4-no-store"(site) {
    const { browser, code } = await site.answerNewLogin();
    const answers = await site.signIn(browser, code.sid);
    const signing = answers.filter(({ cookies }) => cookies.length > 0);
    for (const { name, headers } of [...signing, ...answers.slice(-1)]) {
      const said = headers["cache-control"] ?? "nothing";
      if (!/\bno-store\b/.test(said)) fail(`${name} has Cache-Control: ${said}, without no-store.`);
    }
  },
  async "6.4-session-cookie"(site) {
    const entrances = await site.entrances();
    for (const { enter } of entrances.all) {
      const { browser, code } = await site.answerNewLogin();
      for (const cookie of findSessionCookies(entrances, await enter(browser, code.sid)))
        binding.expectSessionCookie(cookie, site);
    }
  },
  async "6.4-not-before"(site) {
    const code = await site.issue();
    const { browser, sid } = code;
    await site.expectSignedOut(browser, sid, "A browser with an unanswered login");
    await site.respond(code, new BitcoinWallet(), site.foreignSignature(code));
    await site.expectSignedOut(browser, sid, "A browser whose login was answered with a wrong signature");
  },
  "6.4-stolen-sid": binding.sidIsNotEnough,
  "6.4-foreign-cookie": binding.foreignCookieIsRefused,
  "6.4-guessed-cookie": binding.guessedCookieIsRefused(({ challenge }) => challenge),
  async "6.4-thief-spends-nothing"(site) {
    const { browser, code } = await site.answerNewLogin();
    await site.expectSignedOut(await site.createThief(), code.sid, "A browser with another login");
    if (!(await site.canSignIn(browser, code.sid)))
      fail("After another browser's attempt the login's own browser is not signed in.");
  },
  "6.4-once": binding.redeemsOnce,
  "6.4-once-at-once": binding.redeemsOnceConcurrently,
  async "6.4-signed-out"(site) {
    const { all, sessionCookies } = await site.entrances();
    const { browser, code, wallet } = await site.answerNewLogin();
    const answered = await site.answerNewLogin(wallet, browser);
    const waiting = await site.issue({ browser });
    await site.signIn(browser, code.sid);
    const later = browser.copy();
    if (all.length < 2 || (await browser.signOut()) === null)
      skip("With --flow fast the kit can only sign out with NextAuth.");
    for (const name of sessionCookies) later.cookies.delete(name);
    await site.expectSignedOut(later, answered.code.sid, "A browser that has signed out");
    expectStatus(await site.respond(waiting, wallet), 400, "a code of a signed-out browser");
  },
  async "6.4-strange-sids"(site) {
    await site.answerNewLogin();
    for (const sid of ["", "x", "null", "%", "' OR 1=1 --", "\u0000", "\r\nSet-Cookie: x=1"]) {
      const browser = site.browser();
      const answers = await site.signIn(browser, sid);
      if (await site.isSignedIn(browser)) fail(`The sid ${JSON.stringify(sid)} signs someone in.`);
      const failed = answers.find(({ status }) => status >= 500);
      if (failed) fail(`The sid ${JSON.stringify(sid)} is answered ${failed.status}.`);
    }
  },
} satisfies Rules<FastSite, FastId>;
