import { fail, type Rule } from "../check.ts";
import { bindingCookieChecks, bindingsOf, expectWholeSite } from "../flow/binding-cookie.ts";
import type { Site } from "./site.ts";

export const BINDING_COOKIE_CHECKS: readonly Rule<Site>[] = [
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
