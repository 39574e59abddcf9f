import { randomBytes } from "node:crypto";
import { posix } from "node:path";
import { isOwnPath } from "../addresses.ts";
import { block, fail, type Rules, skip } from "../check.ts";
import { complaintAboutSession } from "../cookies.ts";
import { expectStatus } from "../expect-status.ts";
import { bindingOf, isMadeFrom } from "../flow/binding.ts";
import { Wallet } from "../flow/wallet.ts";
import { bodyOf } from "../http-client.ts";
import type { SiteId } from "../texts/site.ts";
import { type Site, whyNoSession } from "./site.ts";

/** Section 3.5: the browser that a login signs in, and the time at which it does. */

/** The headers of a request from another site's page; older browsers send only `Origin`. */
const OTHER_SITES: readonly Record<string, string>[] = [
  { Origin: "https://evil.example" },
  { "Sec-Fetch-Site": "cross-site" },
  { "Sec-Fetch-Site": "same-site" },
];

export const SIGN_IN_CHECKS = {
  async "3.5-sign-in"(site) {
    const { browser, code } = await site.answered();
    const { session, answer } = await browser.signIn(code.sid);
    if (!session) fail(`The browser that started the login does not get a session: ${whyNoSession(answer)}`);
    if ((await browser.user()) === null)
      fail(
        'After the sign-in, the site reports no signed-in user. Its session endpoint has to answer {"user":{"id":…}} or {"user_id":…}.',
      );
  },
  async "3.5-right-user"(site) {
    const first = await site.answered();
    const second = await site.answered();
    const users = await Promise.all([first, second].map(({ code }) => site.userOf(code.sid)));
    await site.enter(first.browser, first.code.sid);
    const user = await first.browser.user();
    if (user === undefined || user === true)
      skip(
        'The site does not report which user is signed in. Pass the path that answers {"user":{"id":…}} or {"user_id":…} with --session.',
      );
    if (String(user) !== String(users[0])) fail(`User ${user} is signed in instead of ${users[0]}.`);
  },
  async "3.5-callback"(site) {
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
  async "3.5-session-cookie"(site) {
    const { session } = await site.signedIn();
    const complaint = complaintAboutSession(session, site.isSecure);
    if (complaint) fail(`The ${complaint}`);
  },
  async "3.5-session-token"(site) {
    const { browser, code } = await site.loggedIn(await site.knownWallet());
    const { name, value } = await site.enter(browser, code.sid);
    if (isMadeFrom(value, [code.sid, bindingOf(code).value]))
      fail(`The cookie ${name} can be derived from the login's sid or its binding cookie.`);
  },
  async "3.5-other-site"(site) {
    const { browser, code } = await site.loggedIn(await site.knownWallet());
    const { qr, signIn } = site.target;
    const path = signIn.includes("/callback/") ? posix.join(posix.dirname(qr), "sign-in") : signIn;
    const body = JSON.stringify({ sid: code.sid });
    for (const asking of OTHER_SITES) {
      const headers = { "Content-Type": "application/json", ...asking };
      const answer = await browser.send({ method: "POST", path, headers, body });
      if (answer.status === 404 && path !== signIn)
        skip(`The site has no ${path}: its page signs in by ${signIn}.`);
      expectStatus(answer, 403, `a sign-in with ${JSON.stringify(asking)}`);
    }
    if (!(await site.signsIn(browser, code.sid)))
      fail("After the refused requests from another site's page, the browser itself is not signed in.");
  },
  async "3.5-not-before"(site) {
    const browser = site.browser();
    const { sid } = await site.issue({ browser });
    await site.expectNobody(browser, sid, "A browser with an unanswered login");
  },
  async "3.5-not-refused"(site) {
    const browser = site.browser();
    const code = await site.issue({ browser });
    const answer = await site.respond(code, new Wallet());
    if (answer.status === 200) block("A login by an unknown key is accepted here.");
    await site.expectNobody(browser, code.sid, "A browser whose login was refused");
  },
  async "3.5-attempt"(site) {
    const { browser, code } = await site.answered();
    const lost = browser.twin();
    const attempt = randomBytes(16).toString("hex");
    await site.enter(browser, code.sid, { attempt });
    const other = await lost.signIn(code.sid, { attempt: randomBytes(16).toString("hex") });
    if (other.session) fail("Another attempt opens a second session.");
    if (!(await lost.signIn(code.sid, { attempt })).session) fail("The same attempt is refused.");
  },
  async "3.5-attempt-of-a-stranger"(site) {
    const { browser, code } = await site.answered();
    const attempt = randomBytes(16).toString("hex");
    await browser.signIn(code.sid, { attempt });
    const stranger = await site.thief();
    await site.expectNobody(stranger, code.sid, "A thief who knows the attempt", { attempt });
  },
} satisfies Rules<Site, SiteId>;
