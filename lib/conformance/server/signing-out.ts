import { bindingOf } from "../binding.ts";
import { fail, NotApplicable, type Rule } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import type { Site } from "./site.ts";

/** Section 4.3: what ends when somebody signs out. */

export const SIGN_OUT_CHECKS: readonly Rule<Site>[] = [
  {
    id: "4.3-sign-out",
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
  {
    id: "4.3-binding-removed",
    proves: "Signing out removes the binding cookie.",
    cause: "Sign-out knows the session's cookie alone.",
    async run(site) {
      const { browser, code } = await site.signedIn();
      const { name } = bindingOf(code);
      await browser.signOut();
      if (browser.cookies.has(name)) fail(`After signing out, the browser still has the cookie ${name}.`);
    },
  },
  {
    id: "4.3-pending-ended",
    proves: "Signing out ends the browser's logins in progress: a code that still waits gets 408.",
    cause: "The logins of the browser are not looked at when it signs out.",
    async run(site) {
      const { browser, wallet } = await site.signedIn();
      const waiting = await site.issue(browser);
      await browser.signOut();
      expectStatus(await site.respond(waiting, wallet), 408, "a code of a browser that has signed out");
    },
  },
  {
    id: "4.3-answered-ended",
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
];
