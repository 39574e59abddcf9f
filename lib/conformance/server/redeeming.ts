import { fail, type Rule } from "../check.ts";
import {
  notByForeignCookie,
  notByGuessedCookie,
  notBySid,
  redeemsOnce,
  redeemsOnceAtOnce,
} from "../flow/stealing.ts";
import type { Site } from "./site.ts";

/** Section 4.2: the code is public, and signs in nobody but the browser that showed it; once. */

export const REDEEMING_CHECKS: readonly Rule<Site>[] = [
  {
    id: "4.2-stolen-sid",
    proves: "Whoever knows the sid alone is not signed in.",
    cause: "The sign-in looks the login up by its sid and asks for nothing else.",
    run: notBySid,
  },
  {
    id: "4.2-foreign-cookie",
    proves: "A browser with the cookie of a login of its own is not signed in by another one.",
    cause: "The sign-in asks whether there is a cookie, and not whether it is this login's.",
    run: notByForeignCookie,
  },
  {
    id: "4.2-guessed-cookie",
    proves: "Cookies made from what the code shows sign nobody in.",
    cause: "The cookie holds the sid or a hash of it, or an empty value matches an empty column.",
    run: (site) => notByGuessedCookie(site, ({ challenge }) => challenge.slice(-32)),
  },
  {
    id: "4.2-dashboard",
    proves: "A link with the sid signs in nobody but the bound browser.",
    cause: "`/dashboard?sid=` redeems a login for whoever opens it.",
    async run(site) {
      await site.expectSignIn();
      const { code } = await site.answered();
      const stranger = await site.thief();
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
    proves: "A login is redeemed once: the same browser is not signed in by it again.",
    cause: "The login is not ended when it is redeemed.",
    run: redeemsOnce,
  },
  {
    id: "4.2-once-at-once",
    proves: "Of several redemptions at once exactly one opens a session.",
    cause: "The login is read and ended in separate steps.",
    run: redeemsOnceAtOnce,
  },
  {
    id: "4.2-new-session",
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
];
