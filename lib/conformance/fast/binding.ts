import { type Check, Failure, fail, NotApplicable } from "../check.ts";
import type { Cookie } from "../cookies.ts";
import { BitcoinWallet } from "./bitcoin-wallet.ts";
import {
  entrancesOf,
  expectRefused,
  identityOf,
  isSignedIn,
  NotSignedIn,
  redirectOf,
  sessionCookiesOf,
} from "./entrances.ts";
import type { FastSite } from "./site.ts";
import { bindingOf, guessesOf, thief } from "./thief.ts";

/** Sections 4 and 6.4: an answered login signs in the browser that showed the code, once. */

const AT_ONCE = 6;
const ELSEWHERE = ["https://evil.example/", "//evil.example/", "/\\evil.example/"];
/** Names under which sites take the page to return to. */
const RETURN_PARAMETERS = ["redirect", "callbackUrl", "return_url", "next", "returnTo"];

export const FAST_BINDING_CHECKS: readonly Check<FastSite>[] = [
  {
    id: "6.4-sign-in",
    level: "MUST",
    proves: "The browser that started a login is signed in once a wallet has answered, by plain redirects.",
    cause:
      "The cookie is not sent back (its path, or `Secure` on http), or signing in needs a script; see --dashboard.",
    async run(site) {
      const { all } = await entrancesOf(site).catch((error) => {
        throw error instanceof NotSignedIn ? new Failure(error.message) : error;
      });
      for (const { name, enter } of all) {
        const { browser, code } = await site.answered();
        await enter(browser, code.sid);
        if (!(await isSignedIn(site, browser)))
          fail(`The browser that started the login is not signed in by ${name}.`);
      }
    },
  },
  {
    id: "6.4-right-user",
    level: "MUST",
    proves:
      "The user who is signed in is the one who holds the address: another address is another user, the same the same.",
    cause:
      "The session is opened for the user of another login, such as the last one, or for a new one every time.",
    async run(site) {
      const { all } = await entrancesOf(site);
      const [ada, bob] = [new BitcoinWallet(), new BitcoinWallet()];
      const logins = [await site.answered(ada), await site.answered(bob), await site.answered(ada)];
      const identities: (string | null)[] = [];
      for (const { browser, code } of logins) {
        await all[0]?.enter(browser, code.sid);
        identities.push(await identityOf(site, browser, [ada.address, bob.address]));
      }
      const [first, second, third] = identities;
      if (identities.includes(null)) throw new NotApplicable("The site does not tell who is signed in.");
      if (first === second) fail(`Two addresses are signed in as ${first}.`);
      if (first !== third) fail(`One address is signed in as ${first} and as ${third}.`);
    },
  },
  {
    id: "6.4-not-before",
    level: "MUST",
    proves: "Nobody is signed in by a login that no wallet has answered, or only with a refused response.",
    cause: "The sign-in asks whether the login exists, and not whether it has an address.",
    async run(site) {
      const browser = site.browser();
      const code = await site.issue(browser);
      await expectRefused(site, browser, code.sid, "A browser whose login nobody has answered");
      await site.respond(code, new BitcoinWallet(), { sig: new BitcoinWallet().sign(code.qr) });
      await expectRefused(
        site,
        browser,
        code.sid,
        "A browser whose login was answered with a wrong signature",
      );
    },
  },
  {
    id: "6.4-stolen-sid",
    level: "MUST",
    proves: "Whoever knows the sid alone is not signed in.",
    cause: "`/dashboard?sid=` signs in whoever opens it, as the specification's short form reads.",
    async run(site) {
      const { code } = await site.answered();
      await expectRefused(site, site.browser(), code.sid, "A browser that knows the sid");
    },
  },
  {
    id: "6.4-foreign-cookie",
    level: "MUST",
    proves: "A browser with the cookie of a login of its own is not signed in by another one.",
    cause: "The sign-in asks whether there is a cookie, and not whether it is this login's.",
    async run(site) {
      const stranger = await thief(site);
      const { code } = await site.answered();
      await expectRefused(site, stranger, code.sid, "A thief with a login of his own");
    },
  },
  {
    id: "6.4-guessed-cookie",
    level: "MUST",
    proves: "Cookies made from what the code shows sign nobody in.",
    cause: "The cookie holds the sid or a hash of it, or an empty value matches an empty column.",
    async run(site) {
      const { code } = await site.answered();
      const { name } = bindingOf(code);
      const [dashboard] = (await entrancesOf(site)).all;
      for (const value of guessesOf(code)) {
        const stranger = site.browser();
        stranger.cookies.set(name, value);
        await dashboard?.enter(stranger, code.sid);
        if (await isSignedIn(site, stranger)) fail(`A browser with the cookie ${value} is signed in.`);
      }
    },
  },
  {
    id: "6.4-thief-spends-nothing",
    level: "SHOULD",
    proves: "A stranger who tries a login does not end it for the browser that started it.",
    cause:
      "The login is ended before its browser is compared, so whoever sees a code can lock its owner out.",
    async run(site) {
      const { browser, code } = await site.answered();
      await expectRefused(site, await thief(site), code.sid, "A thief");
      await (await entrancesOf(site)).all[0]?.enter(browser, code.sid);
      if (!(await isSignedIn(site, browser)))
        fail("After a stranger's try the browser itself is not signed in.");
    },
  },
  {
    id: "6.4-once",
    level: "MUST",
    proves:
      "A login signs in once: the same browser, or a copy of its cookies, is not signed in by it again.",
    cause: "The address stays on the login, which is not ended when it is redeemed.",
    async run(site) {
      const { browser, code } = await site.answered();
      const copy = browser.twin();
      const { all } = await entrancesOf(site);
      await all[0]?.enter(browser, code.sid);
      if (!(await isSignedIn(site, browser))) fail("The browser is not signed in.");
      await expectRefused(site, copy, code.sid, "A copy of the browser, by a login that was redeemed,");
    },
  },
  {
    id: "6.4-once-at-once",
    level: "MUST",
    proves: "Of several redemptions at once exactly one opens a session.",
    cause: "The login is read and ended in separate steps.",
    async run(site) {
      const { browser, code } = await site.answered();
      const { all } = await entrancesOf(site);
      const twins = Array.from({ length: AT_ONCE }, () => browser.twin());
      await Promise.all(twins.map((twin) => all[0]?.enter(twin, code.sid)));
      const signedIn = await Promise.all(twins.map((twin) => isSignedIn(site, twin)));
      const count = signedIn.filter(Boolean).length;
      if (count !== 1) fail(`Of ${AT_ONCE} redemptions at once ${count} opened a session.`);
    },
  },
  {
    id: "6.4-redirects",
    level: "MUST",
    proves: "Every redirect on the way stays on this site, whatever page a parameter names.",
    cause: "A parameter of the page is passed on without being judged: an open redirect after every login.",
    async run(site) {
      const [dashboard] = (await entrancesOf(site)).all;
      const from = new URL(site.target.dashboard, site.target.origin);
      for (const elsewhere of ELSEWHERE) {
        const query = Object.fromEntries(RETURN_PARAMETERS.map((name) => [name, elsewhere]));
        const { browser, code } = await site.answered();
        const answers = [
          ...((await dashboard?.enter(browser, code.sid, query)) ?? []),
          ...((await dashboard?.enter(site.browser(), code.sid, query)) ?? []),
        ];
        for (const answer of answers) {
          const target = redirectOf(answer, from);
          if (target && target.origin !== site.target.origin.origin)
            fail(`With ${elsewhere} ${answer.name} leads to ${target.href}.`);
        }
      }
    },
  },
  {
    id: "6.4-new-session",
    level: "MUST",
    proves: "Each sign-in opens a new session: a token that was planted is not carried on.",
    cause: "The session of before is given a user instead of being replaced (session fixation).",
    async run(site) {
      const { sessionCookies, all } = await entrancesOf(site);
      if (sessionCookies.size === 0)
        fail("A sign-in sets no cookie: the binding cookie itself is the session.");
      const browser = site.browser();
      const planted = "A".repeat(43);
      for (const name of sessionCookies) browser.cookies.set(name, planted);
      const { code } = await site.answered(new BitcoinWallet(), browser);
      await all[0]?.enter(browser, code.sid);
      for (const name of sessionCookies) {
        if (browser.cookies.get(name) === planted) fail(`The cookie ${name} that was planted is carried on.`);
      }
    },
  },
  {
    id: "6.4-session-cookie",
    level: "MUST",
    proves: "The session cookie is `HttpOnly`, `SameSite=Lax` or stricter, and on https `Secure`.",
    cause: "The redirect sets its cookie by hand, beside the framework's own.",
    async run(site) {
      for (const { name: entrance, enter } of (await entrancesOf(site)).all) {
        const { browser, code } = await site.answered();
        const cookies = await sessionCookiesOf(site, await enter(browser, code.sid));
        for (const cookie of cookies) {
          const complaint = complaintAbout(cookie, site);
          if (complaint) fail(`${entrance}: ${complaint}`);
        }
      }
    },
  },
  {
    id: "6.4-strange-sids",
    level: "MUST",
    proves: "A strange `sid` at the dashboard signs nobody in, and breaks nothing.",
    cause: "The sid reaches the database or a redirect as it came.",
    async run(site) {
      await site.answered();
      const { all } = await entrancesOf(site);
      for (const sid of ["", "x", "null", "%", "' OR 1=1 --", "\u0000", "\r\nSet-Cookie: x=1"]) {
        const browser = site.browser();
        const answers = (await all[0]?.enter(browser, sid)) ?? [];
        if (await isSignedIn(site, browser)) fail(`The sid ${JSON.stringify(sid)} signs somebody in.`);
        const failed = answers.find(({ status }) => status >= 500);
        if (failed) fail(`The sid ${JSON.stringify(sid)} is answered ${failed.status}.`);
      }
    },
  },
];

function complaintAbout({ name, attributes }: Cookie, { isSecure }: FastSite): string | null {
  if (!attributes.httponly) return `the cookie ${name} is not HttpOnly.`;
  const sameSite = String(attributes.samesite).toLowerCase();
  if (sameSite !== "lax" && sameSite !== "strict")
    return `the cookie ${name} has SameSite=${attributes.samesite}.`;
  return isSecure && !attributes.secure ? `the cookie ${name} is not Secure.` : null;
}
