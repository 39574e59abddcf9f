import { randomBytes } from "node:crypto";
import { posix } from "node:path";
import { isOwnPath } from "../addresses.ts";
import { Blocked, fail, NotApplicable, type Rules } from "../check.ts";
import { complaintAboutSession } from "../cookies.ts";
import { expectStatus } from "../expect-status.ts";
import { bindingOf, isMadeFrom } from "../flow/binding.ts";
import { bodyOf } from "../http-client.ts";
import { type Site, whyNoSession } from "./site.ts";
import { Wallet } from "./wallet.ts";

/** Section 3.5: whom a login signs in, and when. */

/** The headers of a request from another site's page; older browsers send only `Origin`. */
const OTHER_SITES: readonly Record<string, string>[] = [
  { Origin: "https://evil.example" },
  { "Sec-Fetch-Site": "cross-site" },
  { "Sec-Fetch-Site": "same-site" },
];

export const SIGN_IN_CHECKS: Rules<Site> = {
  "3.5-sign-in": {
    proves: "The browser that started a login is signed in once a wallet was accepted.",
    cause:
      "The cookie is not sent back (its path or `Secure` on http), or the page signs in by another way: see --sign-in.",
    async run(site) {
      const { browser, code } = await site.answered();
      const { session, answer } = await browser.signIn(code.sid);
      if (!session) fail(`The browser that started the login gets no session: ${whyNoSession(answer)}`);
      if ((await browser.user()) === null)
        fail(
          'Afterwards the site says that nobody is signed in. What tells that answers {"user":{"id":…}}, or {"user_id":…}.',
        );
    },
  },
  "3.5-right-user": {
    proves: "The user who is signed in is the one whom the status named.",
    cause: "The session is opened for the user of another login, such as the last one.",
    async run(site) {
      const first = await site.answered();
      const second = await site.answered();
      const users = await Promise.all([first, second].map(({ code }) => site.userOf(code.sid)));
      await site.enter(first.browser, first.code.sid);
      const user = await first.browser.user();
      if (user === undefined || user === true)
        throw new NotApplicable(
          'The site does not tell which user is signed in. --session names a path that answers {"user":{"id":…}}, or {"user_id":…}.',
        );
      if (String(user) !== String(users[0])) fail(`User ${user} is signed in instead of ${users[0]}.`);
    },
  },
  "3.5-callback": {
    proves: "A sign-in leads to a page of this site, whatever callback the caller names.",
    cause: "NextAuth's `redirect` callback was replaced by one that returns the URL as it came.",
    async run(site) {
      await site.knownBrowser();
      for (const callbackUrl of ["https://evil.example/", "//evil.example/"]) {
        const { browser, code } = await site.answered();
        const { answer } = await browser.signIn(code.sid, { callbackUrl });
        const { url } = bodyOf(answer);
        for (const target of [url, answer.headers.location]) {
          if (typeof target !== "string") continue;
          const { origin } = site.target;
          const isOwn = URL.canParse(target)
            ? new URL(target).origin === origin.origin
            : isOwnPath(target, origin);
          if (!isOwn) fail(`With callbackUrl=${callbackUrl} the sign-in leads to ${target}.`);
        }
      }
    },
  },
  "3.5-session-cookie": {
    proves: "The session cookie is `HttpOnly`, `SameSite=Lax` or stricter, and on https `Secure`.",
    cause: "The session's cookie is configured by hand.",
    async run(site) {
      const { session } = await site.signedIn();
      const complaint = complaintAboutSession(session, site.isSecure);
      if (complaint) fail(`The ${complaint}`);
    },
  },
  "3.5-session-token": {
    proves: "The session cookie holds neither the sid nor the binding secret, nor a hash of one of them.",
    cause: "The login is the session: its sid, or the cookie that bound it, is kept as the token.",
    async run(site) {
      const { browser, code } = await site.loggedIn(await site.knownWallet());
      const { name, value } = await site.enter(browser, code.sid);
      if (isMadeFrom(value, [code.sid, bindingOf(code).value]))
        fail(`The cookie ${name} can be told from the login's sid or its binding cookie.`);
    },
  },
  "3.5-other-site": {
    proves:
      "A sign-in that another site's page asks for gets 403 and redeems nothing: its own browser is signed in afterwards.",
    cause: "Nothing but the cookie is looked at, which the pages of a neighbouring host send along.",
    async run(site) {
      const { browser, code } = await site.loggedIn(await site.knownWallet());
      const { qr, signIn } = site.target;
      const path = signIn.includes("/callback/") ? posix.join(posix.dirname(qr), "sign-in") : signIn;
      const body = JSON.stringify({ sid: code.sid });
      for (const asking of OTHER_SITES) {
        const headers = { "Content-Type": "application/json", ...asking };
        const answer = await browser.send({ method: "POST", path, headers, body });
        if (answer.status === 404 && path !== signIn)
          throw new NotApplicable(`The site has no ${path}: its page signs in by ${signIn}.`);
        expectStatus(answer, 403, `a sign-in with ${JSON.stringify(asking)}`);
      }
      if (!(await site.signsIn(browser, code.sid)))
        fail("After another site's page has asked, the browser itself is not signed in.");
    },
  },
  "3.5-not-before": {
    proves: "Nobody is signed in by a login that no wallet has answered.",
    cause: "The sign-in asks whether the login exists, and not whether it is authenticated.",
    async run(site) {
      const browser = site.browser();
      const { sid } = await site.issue({ browser });
      await site.expectNobody(browser, sid, "A browser whose login nobody has answered");
    },
  },
  "3.5-not-refused": {
    proves: "Nobody is signed in by a login that an unknown key has answered.",
    cause: "The key is kept with the login before it is clear that it has an account.",
    async run(site) {
      const browser = site.browser();
      const code = await site.issue({ browser });
      const answer = await site.respond(code, new Wallet());
      if (answer.status === 200) throw new Blocked("A login by an unknown key is accepted here.");
      await site.expectNobody(browser, code.sid, "A browser whose login was refused");
    },
  },
  "3.5-attempt": {
    level: "SHOULD",
    proves: "A sign-in whose answer was lost can be repeated with the same `attempt`, and with no other.",
    cause: "The page's `attempt` is ignored, so a lost answer is a lost login.",
    async run(site) {
      const { browser, code } = await site.answered();
      const lost = browser.twin();
      const attempt = randomBytes(16).toString("hex");
      await site.enter(browser, code.sid, { attempt });
      const other = await lost.signIn(code.sid, { attempt: randomBytes(16).toString("hex") });
      if (other.session) fail("Another attempt opens a second session.");
      if (!(await lost.signIn(code.sid, { attempt })).session) fail("The same attempt is refused.");
    },
  },
  "3.5-attempt-of-a-stranger": {
    proves: "Whoever knows the sid and the attempt, and has not the cookie, is not signed in.",
    cause: "The attempt is taken for a proof.",
    async run(site) {
      const { browser, code } = await site.answered();
      const attempt = randomBytes(16).toString("hex");
      await browser.signIn(code.sid, { attempt });
      const stranger = await site.thief();
      await site.expectNobody(stranger, code.sid, "A thief who knows the attempt", { attempt });
    },
  },
};
