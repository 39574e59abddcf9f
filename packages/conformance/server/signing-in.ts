import { randomBytes } from "node:crypto";
import { posix } from "node:path";
import { block, fail, type Rules, runsLast, skip } from "../check.ts";
import { isRemoval } from "../cookies.ts";
import { expectStatus } from "../expect-status.ts";
import * as binding from "../flow/binding.ts";
import { Wallet } from "../flow/wallet.ts";
import { bodyOf } from "../http-client.ts";
import type { SiteId } from "../texts/site.ts";
import { missingSessionReason, NO_SESSION_PATH, type Site } from "./site.ts";

/**
 * Sections 3.1, 3.5 and 4: which browser can continue a login, which browser it signs in and when, and what a sign-out
 * ends. Everyone can read a code, but it signs in only the browser that showed it, and only once.
 */

/** From a page on another site. Older browsers send only `Origin`. */
const OTHER_SITES: readonly Record<string, string>[] = [
  { Origin: "https://evil.example" },
  { "Sec-Fetch-Site": "cross-site" },
  { "Sec-Fetch-Site": "same-site" },
];

export const SIGN_IN_CHECKS = {
  async "3.5-sign-in"(site) {
    const { browser, code } = await site.answerNewLogin();
    const { session, answer } = await browser.signIn(code.sid);
    if (!session)
      fail(`The browser that started the login does not get a session: ${missingSessionReason(answer)}`);
    if ((await browser.user()) === null)
      fail(
        'After the sign-in, the site reports no signed-in user. Its session endpoint must return {"user":{"id":…}} or {"user_id":…}.',
      );
  },
  async "3.5-right-user"(site) {
    const first = await site.answerNewLogin();
    const second = await site.answerNewLogin();
    const users = await Promise.all([first, second].map(({ code }) => site.userOf(code.sid)));
    await site.signIn(first.browser, first.code.sid);
    const user = await first.browser.user();
    if (user === undefined || user === true) skip(NO_SESSION_PATH);
    if (String(user) !== String(users[0])) fail(`User ${user} is signed in instead of ${users[0]}.`);
  },
  async "3.5-callback"(site) {
    await site.knownBrowser();
    for (const callbackUrl of ["https://evil.example/", "//evil.example/"]) {
      const { browser, code } = await site.answerNewLogin();
      const { answer } = await browser.signIn(code.sid, { callbackUrl });
      const { origin } = site.target;
      for (const target of [bodyOf(answer).url, answer.headers.location]) {
        if (typeof target === "string" && URL.parse(target, origin)?.origin !== origin.origin)
          fail(`With callbackUrl=${callbackUrl} the sign-in leads to ${target}.`);
      }
    }
  },
  async "3.5-session-cookie"(site) {
    const { session } = await site.signInNewUser();
    binding.expectSessionCookie(session, site);
  },
  async "3.5-session-token"(site) {
    const { browser, code } = await site.logIn(await site.knownWallet());
    const { name, value } = await site.signIn(browser, code.sid);
    if (binding.isDerivedFrom(value, [code.sid, binding.bindingOf(code).value]))
      fail(`The cookie ${name} can be derived from the login's sid or its binding cookie.`);
  },
  async "3.5-other-site"(site) {
    const { browser, code } = await site.logIn(await site.knownWallet());
    const { qr, signIn } = site.target;
    const path = signIn.includes("/callback/") ? posix.join(posix.dirname(qr), "sign-in") : signIn;
    const body = JSON.stringify({ sid: code.sid });
    for (const asking of OTHER_SITES) {
      const headers = { "Content-Type": "application/json", ...asking };
      const answer = await browser.send({ method: "POST", path, headers, body });
      if (answer.status === 404 && path !== signIn) skip(`The site has no ${path}, only ${signIn}.`);
      expectStatus(answer, 403, `a sign-in with ${Object.entries(asking).flat().join(": ")}`);
    }
    if (!(await site.canSignIn(browser, code.sid)))
      fail("After the refused requests from another site's page, the browser itself is not signed in.");
  },
  async "3.5-not-before"(site) {
    const browser = site.browser();
    const { sid } = await site.issue({ browser });
    await site.expectSignedOut(browser, sid, "A browser with an unanswered login");
  },
  async "3.5-not-refused"(site) {
    const browser = site.browser();
    const code = await site.issue({ browser });
    const answer = await site.respond(code, new Wallet());
    if (answer.status === 200) block("A login with an unknown key is accepted", undefined, "3.2-unknown-key");
    await site.expectSignedOut(browser, code.sid, "A browser whose login was refused");
  },
  async "3.5-attempt"(site) {
    const { browser, code } = await site.answerNewLogin();
    const twin = browser.copy();
    const attempt = randomBytes(16).toString("hex");
    await site.signIn(browser, code.sid, { attempt });
    const other = await twin.signIn(code.sid, { attempt: randomBytes(16).toString("hex") });
    if (other.session) fail("A repeated sign-in with another `attempt` opens a second session.");
    if (!(await twin.signIn(code.sid, { attempt })).session) fail("The same `attempt` is refused.");
  },
  async "3.5-attempt-of-a-stranger"(site) {
    const { browser, code } = await site.answerNewLogin();
    const attempt = randomBytes(16).toString("hex");
    await browser.signIn(code.sid, { attempt });
    const stranger = await site.createThief();
    await site.expectSignedOut(stranger, code.sid, "A browser that knows the `attempt` of another browser", {
      attempt,
    });
  },
  "3.1-refresh": binding.renewsOwnLogin,
  "3.1-refresh-foreign": binding.renewsNoForeignLogin,
  async "3.1-refresh-authenticated"(site) {
    const { code } = await site.answerNewLogin();
    const next = await site.issueForNew(code);
    if (next.sid === code.sid) fail("An answered login gets another code.");
    if (!(await site.isAnswered(code.sid))) fail("A new code request resets the login.");
  },
  "4.1-sid-not-adopted": binding.preventsSidFixation(({ sid }) => "Q".repeat(sid.length)),
  "4.1-secret-not-adopted": binding.preventsSecretFixation<Site>(async (site, victim, attacker) => {
    const { code } = await site.logIn(await site.knownWallet(), victim);
    await site.expectSignedOut(attacker, code.sid, "An attacker who planted the victim's secret");
  }),
  "4.1-cookie": runsLast(async (site) => {
    const code = await site.issue();
    if (code.answer.cookies.length === 0) fail("The response with the code does not set a cookie.");
    for (const cookie of binding.bindingsOf(site)) binding.expectHostOnlyCookie(cookie);
  }),
  "4.1-cookie-httponly": binding.cookieIsHttpOnly,
  "4.1-cookie-samesite": binding.cookieIsLax,
  "4.1-cookie-secure": binding.cookieIsSecure,
  "4.1-cookie-lifetime": binding.cookieIsShortLived,
  "4.1-secret": binding.secretIsRandom,
  "4.2-stolen-sid": binding.sidIsNotEnough,
  "4.2-foreign-cookie": binding.foreignCookieIsRefused,
  "4.2-guessed-cookie": binding.guessedCookieIsRefused(({ challenge }) => challenge.slice(-32)),
  async "4.2-dashboard"(site) {
    await site.knownBrowser();
    const { code } = await site.answerNewLogin();
    const stranger = await site.createThief();
    const plantedNames = new Set(stranger.cookies.keys());
    const link = `/dashboard?sid=${encodeURIComponent(code.sid.toWellFormed())}`;
    for (const { name: pageName, cookies } of await stranger.follow(link)) {
      // Of several cookies with the same name, a browser stores only the last one.
      for (const [name, cookie] of new Map(cookies.map((pair) => [pair.name, pair]))) {
        if (isRemoval(cookie)) plantedNames.delete(name);
        else if (/session/i.test(name) && !plantedNames.has(name))
          fail(`${pageName}, after ${link}, gives a stranger the cookie ${name}.`);
        else plantedNames.add(name);
      }
    }
    const user = await stranger.user();
    if (user !== null && user !== undefined) fail(`A stranger is signed in as ${JSON.stringify(user)}.`);
  },
  "4.2-once": binding.redeemsOnce,
  "4.2-once-at-once": binding.redeemsOnceConcurrently,
  async "4.2-new-session"(site) {
    const first = await site.signInNewUser();
    const planted = first.session.value;
    const next = await site.answerNewLogin(first.wallet, first.browser);
    const session = await site.signIn(first.browser, next.code.sid);
    if (session.value === planted) fail("A second login keeps the first login's session token.");
    const fixed = site.browser();
    fixed.cookies.set(session.name, "A".repeat(43));
    const login = await site.answerNewLogin(undefined, fixed);
    const opened = await fixed.signIn(login.code.sid);
    if (!opened.session || opened.session.value === "A".repeat(43))
      fail("A session token that was planted in the browser is still valid after the sign-in.");
  },
  async "4.3-sign-out"(site) {
    const { browser } = await site.signInNewUser();
    const copy = browser.copy();
    if ((await browser.user()) === undefined) skip(NO_SESSION_PATH);
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
    const { browser, code } = await site.signInNewUser();
    const { name } = binding.bindingOf(code);
    await browser.signOut();
    if (browser.cookies.has(name)) fail(`After signing out, the browser still has the cookie ${name}.`);
  },
  async "4.3-pending-ended"(site) {
    const { browser, wallet } = await site.signInNewUser();
    const waiting = await site.issue({ browser });
    await browser.signOut();
    expectStatus(await site.respond(waiting, wallet), 408, "a code of a signed-out browser");
  },
  async "4.3-answered-ended"(site) {
    const { browser, wallet, session } = await site.signInNewUser();
    const { code } = await site.logIn(wallet, browser);
    const later = browser.copy();
    await browser.signOut();
    later.cookies.delete(session.name);
    await site.expectSignedOut(later, code.sid, "A browser that has signed out");
  },
} satisfies Rules<Site, SiteId>;
