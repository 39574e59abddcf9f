import { ELSEWHERE, RETURN_PARAMETERS } from "../addresses.ts";
import { Failure, fail, NotApplicable, type Rule } from "../check.ts";
import { complaintAboutSession } from "../cookies.ts";
import { BitcoinWallet } from "./bitcoin-wallet.ts";
import { NotSignedIn, redirectOf } from "./entrances.ts";
import type { FastSite } from "./site.ts";

/** Section 6.4: the browser that showed an answered code is signed in, and stays on this site. */

export const FAST_SIGN_IN_CHECKS: readonly Rule<FastSite>[] = [
  {
    id: "6.4-sign-in",
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
  {
    id: "6.4-right-user",
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
  {
    id: "6.4-redirects",
    proves: "Every redirect on the way stays on this site, whatever page a parameter names.",
    cause: "A parameter of the page is passed on without being judged: an open redirect after every login.",
    async run(site) {
      const from = new URL(site.target.dashboard, site.target.origin);
      for (const elsewhere of ELSEWHERE) {
        const query = Object.fromEntries(RETURN_PARAMETERS.map((name) => [name, elsewhere]));
        const { browser, code } = await site.answered();
        const answers = [
          ...(await site.enter(browser, code.sid, query)),
          ...(await site.enter(site.browser(), code.sid, query)),
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
  {
    id: "6.4-no-store",
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
  {
    id: "6.4-session-cookie",
    proves: "The session cookie is `HttpOnly`, `SameSite=Lax` or stricter, and on https `Secure`.",
    cause: "The redirect sets its cookie by hand, beside the framework's own.",
    async run(site) {
      const entrances = await site.entrances();
      for (const { name: entrance, enter } of entrances.all) {
        const { browser, code } = await site.answered();
        for (const cookie of entrances.sessionCookiesOf(await enter(browser, code.sid))) {
          const complaint = complaintAboutSession(cookie, site.isSecure);
          if (complaint) fail(`${entrance}: the ${complaint}`);
        }
      }
    },
  },
];
