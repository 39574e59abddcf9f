import { bindingOf } from "../binding.ts";
import { fail, type Rule } from "../check.ts";
import { bindingCookieChecks, expectWholeSite } from "../flow/binding-cookie.ts";
import type { FastSite } from "./site.ts";

export const FAST_COOKIE_CHECKS: readonly Rule<FastSite>[] = [
  {
    id: "6.1-cookie",
    proves: "A code's answer sets a cookie for the whole site, and not for other hosts.",
    cause:
      "The binding is left out, as in the specification's short form; or it has a `Domain` or a narrow `Path`.",
    async run(site) {
      const code = await site.issue();
      if (code.answer.cookies.length === 0)
        fail("The code's answer sets no cookie: whoever sees the code can sign in.");
      expectWholeSite(bindingOf(code));
    },
  },
  ...bindingCookieChecks("6.1", "fast login's binding cookie"),
];
