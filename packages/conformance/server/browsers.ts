import { fail, NotApplicable, type Rules } from "../check.ts";
import { isRemoval } from "../cookies.ts";
import { expectStatus } from "../expect-status.ts";
import {
  adoptsNoSecret,
  adoptsNoSid,
  bindingCookieChecks,
  bindingOf,
  bindingsOf,
  expectWholeSite,
  notByForeignCookie,
  notByGuessedCookie,
  notBySid,
  redeemsOnce,
  redeemsOnceAtOnce,
  renewsNoForeign,
  renewsOwn,
} from "../flow/binding.ts";
import type { Site } from "./site.ts";

/**
 * Sections 3.1 and 4: which browser continues which login, that the public code signs in only the browser that showed
 * it, once, and what ends when somebody signs out.
 */

export const BROWSER_CHECKS: Rules<Site> = {
  "3.1-refresh": {
    proves: "A browser that names its own login gets a new code of the same login.",
    cause: "Every code starts a login, so that answers to the code before are lost.",
    run: renewsOwn,
  },
  "3.1-refresh-foreign": renewsNoForeign,
  "3.1-refresh-authenticated": {
    proves: "A login that was answered is never asked again: naming it starts another.",
    cause: "A refresh puts an authenticated login back to pending.",
    async run(site) {
      const { code } = await site.answered();
      const next = await site.issueForNew(code);
      if (next.sid === code.sid) fail("The answered login got another code.");
      if (!(await site.isAnswered(code.sid))) fail("The answered login is pending again.");
    },
  },
  "4.1-sid-not-adopted": adoptsNoSid(({ sid }) => "Q".repeat(sid.length)),
  "4.1-secret-not-adopted": adoptsNoSecret<Site>(async (site, victim, attacker) => {
    const { code } = await site.loggedIn(await site.knownWallet(), victim);
    await site.expectNobody(attacker, code.sid, "An attacker who planted the victim's secret");
  }),
  "4.1-cookie": {
    proves: "A code's answer sets a cookie for the whole site, and not for other hosts.",
    cause: "The binding is left out, or the cookie has a `Domain` or a narrow `Path`.",
    looksBack: true,
    async run(site) {
      const code = await site.issue();
      if (code.answer.cookies.length === 0) fail("The code's answer sets no cookie.");
      for (const cookie of bindingsOf(site)) expectWholeSite(cookie);
    },
  },
  ...bindingCookieChecks(
    "4.1",
    "binding cookie",
    ": no other site's post carries it, and a link from outside does",
  ),
  "4.2-stolen-sid": {
    ...notBySid,
    cause: "The sign-in looks the login up by its sid and asks for nothing else.",
  },
  "4.2-foreign-cookie": notByForeignCookie,
  "4.2-guessed-cookie": notByGuessedCookie(({ challenge }) => challenge.slice(-32)),
  "4.2-dashboard": {
    proves: "A link with the sid signs in nobody but the bound browser.",
    cause: "`/dashboard?sid=` redeems a login for whoever opens it.",
    async run(site) {
      await site.knownBrowser();
      const { code } = await site.answered();
      const stranger = await site.thief();
      const held = new Set(stranger.cookies.keys());
      const link = `/dashboard?sid=${encodeURIComponent(code.sid.toWellFormed())}`;
      for (const { name: asked, cookies } of await stranger.follow(link)) {
        // Of two cookies with one name a browser keeps the last.
        for (const [name, cookie] of new Map(cookies.map((each) => [each.name, each]))) {
          if (isRemoval(cookie)) held.delete(name);
          else if (/session/i.test(name) && !held.has(name))
            fail(`${asked}, after ${link}, gives a stranger the cookie ${name}.`);
          else held.add(name);
        }
      }
      const user = await stranger.user();
      if (user !== null && user !== undefined) fail(`A stranger is signed in as ${JSON.stringify(user)}.`);
    },
  },
  "4.2-once": {
    proves: "A login is redeemed once: the same browser is not signed in by it again.",
    cause: "The login is not ended when it is redeemed.",
    run: redeemsOnce,
  },
  "4.2-once-at-once": redeemsOnceAtOnce,
  "4.2-new-session": {
    proves: "Each redemption opens a new session: a token that was there before is not carried on.",
    cause: "The session of before is given a user instead of being replaced (session fixation).",
    async run(site) {
      const first = await site.signedIn();
      const planted = first.session.value;
      const next = await site.answered(first.wallet, first.browser);
      const session = await site.enter(first.browser, next.code.sid);
      if (session.value === planted) fail("The second login has the first one's token.");
      const fixed = site.browser();
      fixed.cookies.set(session.name, "A".repeat(43));
      const login = await site.answered(undefined, fixed);
      const opened = await fixed.signIn(login.code.sid);
      if (!opened.session || opened.session.value === "A".repeat(43))
        fail("A token that was planted is carried on.");
    },
  },
  "4.3-sign-out": {
    proves: "Signing out ends the browser session: its token is good for nothing afterwards.",
    cause: "Only the cookie is deleted, and the token lives until it expires.",
    async run(site) {
      const { browser } = await site.signedIn();
      const copy = browser.twin();
      if ((await browser.user()) === undefined)
        throw new NotApplicable("The site does not tell who is signed in: name the path with --session.");
      await browser.signOut();
      for (const [who, each] of [
        ["the browser", browser],
        ["a copy of its cookies", copy],
      ] as const) {
        const user = await each.user();
        if (user !== null) fail(`After signing out, ${who} is signed in as ${JSON.stringify(user)}.`);
      }
    },
  },
  "4.3-binding-removed": {
    proves: "Signing out removes the binding cookie.",
    cause: "Sign-out knows the session's cookie alone.",
    async run(site) {
      const { browser, code } = await site.signedIn();
      const { name } = bindingOf(code);
      await browser.signOut();
      if (browser.cookies.has(name)) fail(`After signing out, the browser still has the cookie ${name}.`);
    },
  },
  "4.3-pending-ended": {
    proves: "Signing out ends the browser's logins in progress: a code that still waits gets 408.",
    cause: "The logins of the browser are not looked at when it signs out.",
    async run(site) {
      const { browser, wallet } = await site.signedIn();
      const waiting = await site.issue({ browser });
      await browser.signOut();
      expectStatus(await site.respond(waiting, wallet), 408, "a code of a browser that has signed out");
    },
  },
  "4.3-answered-ended": {
    proves: "Signing out ends the browser's answered logins too: nobody is signed in by them.",
    cause:
      "Only logins that wait are ended, so the next person at the browser is signed in by one that was answered.",
    async run(site) {
      const { browser, wallet, session } = await site.signedIn();
      const { code } = await site.loggedIn(wallet, browser);
      const later = browser.twin();
      await browser.signOut();
      later.cookies.delete(session.name);
      await site.expectNobody(later, code.sid, "A browser that has signed out");
    },
  },
};
