import { Blocked, fail, type Rule } from "../check.ts";
import { bindingOf, hashesOf } from "./binding.ts";
import type { LoginCode, LoginSite } from "./flow.ts";

/** Sections 4.2 and 6.4: the code is public, and signs in nobody but the browser that showed it; once. */

const AT_ONCE = 6;

export const notBySid = {
  proves: "Whoever knows the sid alone is not signed in.",
  async run(site: LoginSite): Promise<void> {
    const { code } = await site.answered();
    await site.expectNobody(site.browser(), code.sid, "A browser that knows the sid");
  },
};

export const notByForeignCookie: Rule<LoginSite> = {
  proves: "A browser with the cookie of a login of its own is not signed in by another one.",
  cause: "The sign-in asks whether there is a cookie, and not whether it is this login's.",
  async run(site) {
    const thief = await site.thief();
    const { code } = await site.answered();
    await site.expectNobody(thief, code.sid, "A thief with a login of his own");
  },
};

/** @param shown the text beside the sid that a thief would make a cookie from */
export const notByGuessedCookie = (shown: (code: LoginCode) => string): Rule<LoginSite> => ({
  proves: "Cookies made from what the code shows sign nobody in.",
  cause: "The cookie holds the sid or a hash of it, or an empty value matches an empty column.",
  async run(site) {
    const { code } = await site.answered();
    const { name } = bindingOf(code);
    for (const value of [code.sid, shown(code), ...hashesOf(code.sid), "null", "undefined"]) {
      const stranger = site.browser();
      stranger.cookies.set(name, value);
      if (await site.signsIn(stranger, code.sid)) fail(`A browser with the cookie ${value} is signed in.`);
    }
  },
});

/** The same browser is not signed in again by a login that was redeemed. */
export async function redeemsOnce(site: LoginSite): Promise<void> {
  const { browser, code } = await site.answered();
  const copy = browser.twin();
  if (!(await site.signsIn(browser, code.sid))) throw new Blocked("The browser is not signed in here.");
  await site.expectNobody(copy, code.sid, "A copy of the browser, by a login that was redeemed,");
}

export const redeemsOnceAtOnce: Rule<LoginSite> = {
  proves: "Of several redemptions at once exactly one opens a session.",
  cause: "The login is read and ended in separate steps.",
  async run(site) {
    const { browser, code } = await site.answered();
    const twins = Array.from({ length: AT_ONCE }, () => browser.twin());
    const opened = await Promise.all(twins.map((twin) => site.signsIn(twin, code.sid)));
    const count = opened.filter(Boolean).length;
    if (count === 0) throw new Blocked("The browser that started a login is not signed in here.");
    if (count > 1) fail(`Of ${AT_ONCE} sign-ins at once ${count} opened a session.`);
  },
};
