import { createHash, randomBytes } from "node:crypto";
import { Blocked, type Check, fail, NotApplicable } from "../check.ts";
import type { Cookie } from "../cookies.ts";
import type { Browser, SignedIn } from "./browser.ts";
import { type Code, expectStatus, type Site } from "./site.ts";
import { isOwnPath } from "./status.ts";
import { Wallet } from "./wallet.ts";

/** Sections 3.5 and 4: the code is public, and signs in nobody but the browser that showed it. */

const COOKIE = "svc-browser";
const LIFETIME_SECONDS = 10 * 60;
const AT_ONCE = 6;

/** The cookie that binds the browser to the login. @throws {Blocked} where the answer sets none */
function bindingOf({ answer }: Code): Cookie {
  const named = answer.cookies.find(({ name }) => name.endsWith(COOKIE));
  const cookie = named ?? answer.cookies.find(({ value }) => value.length >= 16) ?? answer.cookies[0];
  if (!cookie) throw new Blocked("The code's answer sets no cookie.");
  return cookie;
}

/** @throws {Failure} where anything signs this browser in */
async function expectNobody(browser: Browser, attempt: SignedIn, what: string): Promise<void> {
  if (attempt.session) fail(`${what} is signed in: it gets the cookie ${attempt.session.name}.`);
  const user = await browser.user();
  if (user !== null && user !== undefined) fail(`${what} is signed in as ${JSON.stringify(user)}.`);
}

/** A browser that is signed in as a new user. @throws {Blocked} where that does not work */
async function signedIn(site: Site) {
  const login = await site.register();
  const { session, answer } = await login.browser.signIn(login.code.sid);
  if (!session)
    throw new Blocked(`The browser that started a login is not signed in here: ${answer.status}.`);
  return { ...login, session };
}

/** A thief knows what the code shows, and has a browser of its own with a login of its own. */
async function thief(site: Site): Promise<Browser> {
  const browser = site.browser();
  await site.issue(browser);
  return browser;
}

/** A check of one attribute of the binding cookie. */
function cookieCheck(
  id: string,
  proves: string,
  cause: string,
  judge: (cookie: Cookie, site: Site) => string | null,
): Check<Site> {
  return {
    ...{ id, level: "MUST", proves, cause, looksBack: true },
    async run(site) {
      if (site.run.codes.length === 0) await site.issue(site.browser());
      // A renewal may leave the cookie as it is; if it writes one, it has to be as good.
      const cookies = site.run.codes.filter(({ answer }) => answer.cookies.length > 0).map(bindingOf);
      if (cookies.length === 0) throw new Blocked("No code's answer sets a cookie.");
      for (const cookie of cookies) {
        const complaint = judge(cookie, site);
        if (complaint) fail(complaint);
      }
    },
  };
}

const ownLogin: Check<Site> = {
  id: "3.5-sign-in",
  level: "MUST",
  proves: "The browser that started a login is signed in once a wallet was accepted.",
  cause:
    "The cookie is not sent back (its path or `Secure` on http), or the page signs in by another way: see --sign-in.",
  async run(site) {
    const { browser, code } = await site.register();
    const { session, answer } = await browser.signIn(code.sid);
    if (!session)
      fail(`The browser that started the login is answered ${answer.status} and gets no session.`);
    if ((await browser.user()) === null) fail("The site says that nobody is signed in.");
  },
};

export const BINDING_CHECKS: readonly Check<Site>[] = [
  ownLogin,
  {
    id: "3.5-right-user",
    level: "MUST",
    proves: "The user who is signed in is the one whom the status named.",
    cause: "The session is opened for the user of another login, such as the last one.",
    async run(site) {
      const first = await site.register();
      const second = await site.register();
      const users = await Promise.all([first, second].map(({ code }) => site.userOf(code.sid)));
      const { session } = await first.browser.signIn(first.code.sid);
      if (!session) throw new Blocked("The browser that started a login is not signed in here.");
      const user = await first.browser.user();
      if (user === undefined) throw new NotApplicable("The site does not tell who is signed in.");
      if (user !== true && String(user) !== String(users[0]))
        fail(`User ${user} is signed in instead of ${users[0]}.`);
    },
  },
  {
    id: "3.5-callback",
    level: "MUST",
    proves: "A sign-in leads to a page of this site, whatever callback the caller names.",
    cause: "NextAuth's `redirect` callback was replaced by one that returns the URL as it came.",
    async run(site) {
      for (const callbackUrl of ["https://evil.example/", "//evil.example/"]) {
        const { browser, code } = await site.register();
        const { answer } = await browser.signIn(code.sid, { callbackUrl });
        const { url } = (answer.json ?? {}) as { url?: unknown };
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
  {
    id: "3.5-session-cookie",
    level: "MUST",
    proves: "The session cookie is `HttpOnly`, `SameSite=Lax` or stricter, and on https `Secure`.",
    cause: "The session's cookie is configured by hand.",
    async run(site) {
      const { session } = await signedIn(site);
      const complaint = complaintAbout(session, site);
      if (complaint) fail(complaint);
    },
  },
  {
    id: "3.5-not-before",
    level: "MUST",
    proves: "Nobody is signed in by a login that no wallet has answered.",
    cause: "The sign-in asks whether the login exists, and not whether it is authenticated.",
    async run(site) {
      const browser = site.browser();
      const { sid } = await site.issue(browser);
      await expectNobody(browser, await browser.signIn(sid), "A browser whose login nobody has answered");
    },
  },
  {
    id: "3.5-not-refused",
    level: "MUST",
    proves: "Nobody is signed in by a login that an unknown key has answered.",
    cause: "The key is kept with the login before it is clear that it has an account.",
    async run(site) {
      const browser = site.browser();
      const code = await site.issue(browser);
      const answer = await site.respond("login", new Wallet(), code);
      if (answer.status === 200) throw new Blocked("A login by an unknown key is accepted here.");
      await expectNobody(browser, await browser.signIn(code.sid), "A browser whose login was refused");
    },
  },
  {
    id: "3.5-attempt",
    level: "SHOULD",
    proves: "A sign-in whose answer was lost can be repeated with the same `attempt`, and with no other.",
    cause: "The page's `attempt` is ignored, so a lost answer is a lost login.",
    async run(site) {
      const { browser, code } = await site.register();
      const lost = browser.twin();
      const attempt = randomBytes(16).toString("hex");
      if (!(await browser.signIn(code.sid, { attempt })).session)
        throw new Blocked("The browser is not signed in here.");
      const other = await lost.signIn(code.sid, { attempt: randomBytes(16).toString("hex") });
      if (other.session) fail("Another attempt opens a second session.");
      if (!(await lost.signIn(code.sid, { attempt })).session) fail("The same attempt is refused.");
    },
  },
  {
    id: "3.5-attempt-of-a-stranger",
    level: "MUST",
    proves: "Whoever knows the sid and the attempt, and has not the cookie, is not signed in.",
    cause: "The attempt is taken for a proof.",
    async run(site) {
      const { browser, code } = await site.register();
      const attempt = randomBytes(16).toString("hex");
      await browser.signIn(code.sid, { attempt });
      const stranger = await thief(site);
      await expectNobody(
        stranger,
        await stranger.signIn(code.sid, { attempt }),
        "A thief who knows the attempt",
      );
    },
  },
  {
    id: "3.1-refresh",
    level: "MUST",
    proves: "A browser that names its own login gets a new code of the same login.",
    cause: "Every code starts a login, so that answers to the code before are lost.",
    async run(site) {
      const browser = site.browser();
      const first = await site.issue(browser);
      const second = await site.issue(browser, "login", first.sid);
      if (second.sid !== first.sid) fail("The new code has another sid.");
      if (second.challenge === first.challenge) fail("The new code has the same challenge.");
    },
  },
  {
    id: "3.1-refresh-foreign",
    level: "MUST",
    proves: "A browser that names another browser's login gets a login of its own.",
    cause: "The sid alone continues a login, so a thief renews the victim's codes and binds them to himself.",
    async run(site) {
      const { sid } = await site.issue(site.browser());
      for (const stranger of [site.browser(), await thief(site)]) {
        const code = await site.issue(stranger, "login", sid);
        if (code.sid === sid) fail("Another browser continues the login.");
      }
    },
  },
  {
    id: "3.1-refresh-authenticated",
    level: "MUST",
    proves: "A login that was answered is never asked again: naming it starts another.",
    cause: "A refresh puts an authenticated login back to pending.",
    async run(site) {
      const { browser, code } = await site.register();
      const next = await site.issue(browser, "register", code.sid);
      if (next.sid === code.sid) fail("The answered login got another code.");
      if ((await site.statusOf(code.sid)).status !== "authenticated")
        fail("The answered login is pending again.");
    },
  },
  {
    id: "4.1-sid-not-adopted",
    level: "MUST",
    proves: "A sid that the server did not make is never adopted.",
    cause: "An unknown sid is inserted as it came, so that an attacker can fix a victim's.",
    async run(site) {
      const { sid: shape } = await site.issue(site.browser());
      for (const sid of ["attacker-chosen", "Q".repeat(shape.length)]) {
        const answer = await site.askForCode(site.browser(), { mode: "login", sid });
        if (answer.status === 400) continue;
        const { sid: given } = (answer.json ?? {}) as { sid?: unknown };
        if (given === sid) fail(`The sid ${sid} was adopted.`);
      }
    },
  },
  {
    id: "4.1-secret-not-adopted",
    level: "MUST",
    proves: "A binding secret that the server did not make is never adopted.",
    cause:
      "A cookie that comes along is kept as the browser's secret, so that a neighbouring host can plant one.",
    async run(site) {
      const shape = bindingOf(await site.issue(site.browser()));
      const planted = "A".repeat(shape.value.length);
      const victim = site.browser();
      victim.cookies.set(shape.name, planted);
      const { code } = await site.answered("login", await site.knownWallet(), victim);
      const attacker = site.browser();
      attacker.cookies.set(shape.name, planted);
      await expectNobody(
        attacker,
        await attacker.signIn(code.sid),
        "An attacker who planted the victim's secret",
      );
      if (victim.cookies.get(shape.name) === planted)
        fail("The browser goes on with the secret that was planted.");
    },
  },
  {
    id: "4.1-cookie",
    level: "MUST",
    proves: "A code's answer sets a cookie for the whole site, and not for other hosts.",
    cause: "The binding is left out, or the cookie has a `Domain` or a narrow `Path`.",
    async run(site) {
      const code = await site.issue(site.browser());
      if (code.answer.cookies.length === 0) fail("The code's answer sets no cookie.");
      const { name, attributes } = bindingOf(code);
      if (attributes.domain !== undefined) fail(`The cookie ${name} has Domain=${attributes.domain}.`);
      if (attributes.path !== "/") fail(`The cookie ${name} has Path=${attributes.path}.`);
    },
  },
  cookieCheck(
    "4.1-cookie-httponly",
    "The binding cookie is `HttpOnly`: no script reads it.",
    "The page reads the cookie, or the attribute was forgotten.",
    ({ attributes, name }) => (attributes.httponly ? null : `The cookie ${name} is not HttpOnly.`),
  ),
  cookieCheck(
    "4.1-cookie-samesite",
    "The binding cookie is `SameSite=Lax`: no other site's post carries it, and a link from outside does.",
    "`None`, for a frame; or nothing, which browsers read differently.",
    ({ attributes, name }) =>
      String(attributes.samesite).toLowerCase() === "lax"
        ? null
        : `The cookie ${name} has SameSite=${attributes.samesite}.`,
  ),
  cookieCheck(
    "4.1-cookie-secure",
    "On https the binding cookie is `Secure` and has the prefix `__Host-`; on http it has neither.",
    "The site does not know that it is reached by https, since a proxy ends it.",
    ({ attributes, name }, { isSecure }) => {
      if (!isSecure) {
        return attributes.secure || name.startsWith("__")
          ? `The cookie ${name} cannot be set over http.`
          : null;
      }
      if (!attributes.secure) return `The cookie ${name} is not Secure.`;
      return name.startsWith("__Host-") ? null : `The cookie ${name} has no prefix __Host-.`;
    },
  ),
  cookieCheck(
    "4.1-cookie-lifetime",
    "The binding cookie lasts ten minutes.",
    "The cookie lasts as long as the browser or a year, and with it what a thief of the device can do.",
    ({ attributes, name }) => {
      const age = Number(attributes["max-age"] ?? Number.NaN);
      return age > 0 && age <= LIFETIME_SECONDS
        ? null
        : `The cookie ${name} has Max-Age=${attributes["max-age"]}.`;
    },
  ),
  {
    id: "4.1-secret",
    level: "MUST",
    proves:
      "The binding secret has 256 bits, is another for every browser, and stands nowhere but in the cookie.",
    cause: "The cookie holds the sid, its hash, or a short random text.",
    async run(site) {
      const codes = await Promise.all(Array.from({ length: 4 }, () => site.issue(site.browser())));
      const values = codes.map((code) => bindingOf(code).value);
      if (new Set(values).size < values.length) fail("Two browsers have the same secret.");
      for (const [index, { sid, challenge, answer }] of codes.entries()) {
        const value = values[index] ?? "";
        const isHex = /^[0-9a-f]+$/i.test(value);
        if (value.length < (isHex ? 64 : 43)) fail(`The secret has ${value.length} characters.`);
        const derived = [sid, challenge].flatMap((text) => [text, ...hashesOf(text)]);
        if (derived.some((text) => value.includes(text)))
          fail("The secret can be told from what the code shows.");
        if (answer.text.includes(value)) fail("The answer's body holds the secret.");
      }
      const prefix = values[0]?.slice(0, 8);
      if (values.every((value) => value.startsWith(prefix ?? ""))) fail("All secrets begin alike.");
    },
  },
  {
    id: "4.2-stolen-sid",
    level: "MUST",
    proves: "Whoever knows the sid alone is not signed in.",
    cause: "The sign-in looks the login up by its sid and asks for nothing else.",
    async run(site) {
      const { code } = await site.register();
      const stranger = site.browser();
      await expectNobody(stranger, await stranger.signIn(code.sid), "A browser that knows the sid");
    },
  },
  {
    id: "4.2-foreign-cookie",
    level: "MUST",
    proves: "A browser with the cookie of a login of its own is not signed in by another one.",
    cause: "The sign-in asks whether there is a cookie, and not whether it is this login's.",
    async run(site) {
      const stranger = await thief(site);
      const { code } = await site.register();
      await expectNobody(stranger, await stranger.signIn(code.sid), "A thief with a login of his own");
    },
  },
  {
    id: "4.2-guessed-cookie",
    level: "MUST",
    proves: "Cookies made from what the code shows sign nobody in.",
    cause: "The cookie holds the sid or a hash of it, or an empty value matches an empty column.",
    async run(site) {
      const { code } = await site.register();
      const { name } = bindingOf(code);
      for (const value of [code.sid, code.challenge.slice(-32), ...hashesOf(code.sid), "null", "undefined"]) {
        const stranger = site.browser();
        stranger.cookies.set(name, value);
        await expectNobody(stranger, await stranger.signIn(code.sid), `A browser with the cookie ${value}`);
      }
    },
  },
  {
    id: "4.2-dashboard",
    level: "MUST",
    proves: "A link with the sid signs in nobody but the bound browser.",
    cause: "`/dashboard?sid=` redeems a login for whoever opens it.",
    async run(site) {
      const { code } = await site.register();
      const stranger = await thief(site);
      let path = `/dashboard?sid=${encodeURIComponent(code.sid)}`;
      for (let hops = 0; hops < 5; hops++) {
        const before = new Set(stranger.cookies.keys());
        const answer = await stranger.send({ path, headers: { Accept: "text/html" } });
        const fresh = answer.cookies.find(
          ({ name }) => /session/i.test(name) && stranger.cookies.has(name) && !before.has(name),
        );
        if (fresh) fail(`${path} gives a stranger the cookie ${fresh.name}.`);
        const { location } = answer.headers;
        const next =
          location && URL.canParse(location, site.target.origin)
            ? new URL(location, site.target.origin)
            : null;
        if (next?.origin !== site.target.origin.origin) break;
        path = next.pathname + next.search;
      }
      const user = await stranger.user();
      if (user !== null && user !== undefined) fail(`A stranger is signed in as ${JSON.stringify(user)}.`);
    },
  },
  {
    id: "4.2-once",
    level: "MUST",
    proves: "A login is redeemed once: the same browser is not signed in by it again.",
    cause: "The login is not ended when it is redeemed.",
    async run(site) {
      const { browser, code } = await site.register();
      const again = browser.twin();
      if (!(await browser.signIn(code.sid)).session) throw new Blocked("The browser is not signed in here.");
      await expectNobody(again, await again.signIn(code.sid), "A login that was redeemed before");
    },
  },
  {
    id: "4.2-once-at-once",
    level: "MUST",
    proves: "Of several redemptions at once exactly one opens a session.",
    cause: "The login is read and ended in separate steps.",
    async run(site) {
      const { browser, code } = await site.register();
      const twins = Array.from({ length: AT_ONCE }, () => browser.twin());
      const attempts = await Promise.all(twins.map((twin) => twin.signIn(code.sid)));
      const opened = attempts.filter(({ session }) => session !== null).length;
      if (opened === 0) throw new Blocked("The browser that started a login is not signed in here.");
      if (opened > 1) fail(`Of ${AT_ONCE} sign-ins at once ${opened} opened a session.`);
    },
  },
  {
    id: "4.2-new-session",
    level: "MUST",
    proves: "Each redemption opens a new session: a token that was there before is not carried on.",
    cause: "The session of before is given a user instead of being replaced (session fixation).",
    async run(site) {
      const first = await signedIn(site);
      const planted = first.session.value;
      const next = await site.answered("register", first.wallet, first.browser);
      const { session } = await first.browser.signIn(next.code.sid);
      if (!session) throw new Blocked("A second login of the same browser is not signed in here.");
      if (session.value === planted) fail("The second login has the first one's token.");
      const fixed = site.browser();
      fixed.cookies.set(session.name, "A".repeat(43));
      const login = await site.register(undefined, fixed);
      const opened = await fixed.signIn(login.code.sid);
      if (!opened.session || opened.session.value === "A".repeat(43))
        fail("A token that was planted is carried on.");
    },
  },
  {
    id: "4.3-sign-out",
    level: "MUST",
    proves: "Signing out ends the browser session: its token is good for nothing afterwards.",
    cause: "Only the cookie is deleted, and the token lives until it expires.",
    async run(site) {
      const { browser } = await signedIn(site);
      const copy = browser.twin();
      await signOut(browser);
      for (const [who, each] of [
        ["the browser", browser],
        ["a copy of its cookies", copy],
      ] as const) {
        const user = await each.user();
        if (user !== null) fail(`After signing out, ${who} is signed in as ${JSON.stringify(user)}.`);
      }
    },
  },
  {
    id: "4.3-binding-removed",
    level: "MUST",
    proves: "Signing out removes the binding cookie.",
    cause: "Sign-out knows the session's cookie alone.",
    async run(site) {
      const { browser, code } = await signedIn(site);
      const { name } = bindingOf(code);
      await signOut(browser);
      if (browser.cookies.has(name)) fail(`After signing out, the browser still has the cookie ${name}.`);
    },
  },
  {
    id: "4.3-pending-ended",
    level: "MUST",
    proves: "Signing out ends the browser's logins in progress: a code that still waits gets 408.",
    cause: "The logins of the browser are not looked at when it signs out.",
    async run(site) {
      const { browser, wallet } = await signedIn(site);
      const waiting = await site.issue(browser);
      await signOut(browser);
      expectStatus(
        await site.respond("login", wallet, waiting),
        408,
        "a code of a browser that has signed out",
      );
    },
  },
  {
    id: "4.3-answered-ended",
    level: "MUST",
    proves: "Signing out ends the browser's answered logins too: nobody is signed in by them.",
    cause:
      "Only logins that wait are ended, so the next person at the browser is signed in by one that was answered.",
    async run(site) {
      const { browser, wallet } = await signedIn(site);
      const { code } = await site.answered("login", wallet, browser);
      const later = browser.twin();
      await signOut(browser);
      const session = [...later.cookies.keys()].filter((name) => /session/i.test(name));
      for (const name of session) later.cookies.delete(name);
      await expectNobody(later, await later.signIn(code.sid), "A browser that has signed out");
    },
  },
];

async function signOut(browser: Browser): Promise<void> {
  if ((await browser.signOut()) === null) throw new NotApplicable("This kit signs out by NextAuth alone.");
}

function complaintAbout({ name, attributes }: Cookie, { isSecure }: Site): string | null {
  if (!attributes.httponly) return `The cookie ${name} is not HttpOnly.`;
  const sameSite = String(attributes.samesite).toLowerCase();
  if (sameSite !== "lax" && sameSite !== "strict")
    return `The cookie ${name} has SameSite=${attributes.samesite}.`;
  return isSecure && !attributes.secure ? `The cookie ${name} is not Secure.` : null;
}

function hashesOf(text: string): string[] {
  const digest = createHash("sha256").update(text).digest();
  return [digest.toString("hex"), digest.toString("base64url")];
}
