import { fail, looksBack, type Rules, skip } from "../check.ts";
import { isRemoval } from "../cookies.ts";
import { expectStatus } from "../expect-status.ts";
import * as binding from "../flow/binding.ts";
import type { SiteId } from "../texts/site.ts";
import type { Site } from "./site.ts";

/**
 * Sections 3.1 and 4: which browser continues which login, that the public code signs in only the browser that showed
 * it, once, and what a sign-out ends.
 */

export const BROWSER_CHECKS = {
  "3.1-refresh": binding.renewsOwn,
  "3.1-refresh-foreign": binding.renewsNoForeign,
  async "3.1-refresh-authenticated"(site) {
    const { code } = await site.answered();
    const next = await site.issueForNew(code);
    if (next.sid === code.sid) fail("The answered login got another code.");
    if (!(await site.isAnswered(code.sid))) fail("The answered login is pending again.");
  },
  "4.1-sid-not-adopted": binding.adoptsNoSid(({ sid }) => "Q".repeat(sid.length)),
  "4.1-secret-not-adopted": binding.adoptsNoSecret<Site>(async (site, victim, attacker) => {
    const { code } = await site.loggedIn(await site.knownWallet(), victim);
    await site.expectNobody(attacker, code.sid, "An attacker who planted the victim's secret");
  }),
  "4.1-cookie": looksBack(async (site) => {
    const code = await site.issue();
    if (code.answer.cookies.length === 0) fail("The answer with the code does not set a cookie.");
    for (const cookie of binding.bindingsOf(site)) binding.expectWholeSite(cookie);
  }),
  "4.1-cookie-httponly": binding.cookieIsHttpOnly,
  "4.1-cookie-samesite": binding.cookieIsLax,
  "4.1-cookie-secure": binding.cookieIsSecure,
  "4.1-cookie-lifetime": binding.cookieIsBrief,
  "4.1-secret": binding.secretIsRandom,
  "4.2-stolen-sid": binding.notBySid,
  "4.2-foreign-cookie": binding.notByForeignCookie,
  "4.2-guessed-cookie": binding.notByGuessedCookie(({ challenge }) => challenge.slice(-32)),
  async "4.2-dashboard"(site) {
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
  "4.2-once": binding.redeemsOnce,
  "4.2-once-at-once": binding.redeemsOnceAtOnce,
  async "4.2-new-session"(site) {
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
  async "4.3-sign-out"(site) {
    const { browser } = await site.signedIn();
    const copy = browser.twin();
    if ((await browser.user()) === undefined)
      skip("The site does not return the signed-in user. Pass its path with --session.");
    await browser.signOut();
    for (const [who, each] of [
      ["the browser", browser],
      ["a copy of its cookies", copy],
    ] as const) {
      const user = await each.user();
      if (user !== null) fail(`After signing out, ${who} is signed in as ${JSON.stringify(user)}.`);
    }
  },
  async "4.3-binding-removed"(site) {
    const { browser, code } = await site.signedIn();
    const { name } = binding.bindingOf(code);
    await browser.signOut();
    if (browser.cookies.has(name)) fail(`After signing out, the browser still has the cookie ${name}.`);
  },
  async "4.3-pending-ended"(site) {
    const { browser, wallet } = await site.signedIn();
    const waiting = await site.issue({ browser });
    await browser.signOut();
    expectStatus(await site.respond(waiting, wallet), 408, "a code of a browser that has signed out");
  },
  async "4.3-answered-ended"(site) {
    const { browser, wallet, session } = await site.signedIn();
    const { code } = await site.loggedIn(wallet, browser);
    const later = browser.twin();
    await browser.signOut();
    later.cookies.delete(session.name);
    await site.expectNobody(later, code.sid, "A browser that has signed out");
  },
} satisfies Rules<Site, SiteId>;
