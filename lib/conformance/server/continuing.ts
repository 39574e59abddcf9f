import { bindingOf } from "../binding.ts";
import { fail, type Rule } from "../check.ts";
import { bindingCookieChecks, bindingsOf, expectWholeSite } from "../flow/binding-cookie.ts";
import { adoptsNoSid, renewsNoForeign, renewsOwn } from "../flow/renewing.ts";
import type { Site } from "./site.ts";

/** Sections 3.1 and 4.1: which browser continues which login, and what binds it. */

export const CONTINUING_CHECKS: readonly Rule<Site>[] = [
  {
    id: "3.1-refresh",
    proves: "A browser that names its own login gets a new code of the same login.",
    cause: "Every code starts a login, so that answers to the code before are lost.",
    run: renewsOwn,
  },
  {
    id: "3.1-refresh-foreign",
    proves: "A browser that names another browser's login gets a login of its own.",
    cause: "The sid alone continues a login, so a thief renews the victim's codes and binds them to himself.",
    run: renewsNoForeign,
  },
  {
    id: "3.1-refresh-authenticated",
    proves: "A login that was answered is never asked again: naming it starts another.",
    cause: "A refresh puts an authenticated login back to pending.",
    async run(site) {
      const { browser, code } = await site.answered();
      const next = await site.issueForNew(browser, code.sid);
      if (next.sid === code.sid) fail("The answered login got another code.");
      if (!(await site.isAnswered(code.sid))) fail("The answered login is pending again.");
    },
  },
  {
    id: "4.1-sid-not-adopted",
    proves: "A sid that the server did not make is never adopted.",
    cause: "An unknown sid is inserted as it came, so that an attacker can fix a victim's.",
    run: (site) => adoptsNoSid(site, ({ sid }) => "Q".repeat(sid.length)),
  },
  {
    id: "4.1-secret-not-adopted",
    proves: "A binding secret that the server did not make is never adopted.",
    cause:
      "A cookie that comes along is kept as the browser's secret, so that a neighbouring host can plant one.",
    async run(site) {
      const shape = bindingOf(await site.issue());
      const planted = "A".repeat(shape.value.length);
      const victim = site.browser();
      victim.cookies.set(shape.name, planted);
      const { code } = await site.loggedIn(await site.knownWallet(), victim);
      const attacker = site.browser();
      attacker.cookies.set(shape.name, planted);
      await site.expectNobody(attacker, code.sid, "An attacker who planted the victim's secret");
      if (victim.cookies.get(shape.name) === planted)
        fail("The browser goes on with the secret that was planted.");
    },
  },
  {
    id: "4.1-cookie",
    proves: "A code's answer sets a cookie for the whole site, and not for other hosts.",
    cause: "The binding is left out, or the cookie has a `Domain` or a narrow `Path`.",
    looksBack: true,
    async run(site) {
      const code = await site.issue();
      if (code.answer.cookies.length === 0) fail("The code's answer sets no cookie.");
      for (const cookie of bindingsOf(site)) expectWholeSite(cookie);
    },
  },
  ...bindingCookieChecks(
    "4.1",
    "binding cookie",
    ": no other site's post carries it, and a link from outside does",
  ),
];
