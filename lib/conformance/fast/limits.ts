import type { Rule } from "../check.ts";
import { expectLimitHeaders, forgedAddress, untilLimited } from "../flow/limits.ts";
import { redirectOf } from "./entrances.ts";
import { type FastSite, FORM } from "./site.ts";

/** Section 2.4, for the paths of a fast login. */

export const FAST_LIMIT_CHECKS: readonly Rule<FastSite>[] = [
  {
    id: "6-limit-headers",
    proves: "Code, status and webhook say what is left: `RateLimit-Limit`, `-Remaining` and `-Reset`.",
    cause: "The headers are set by the limiter's refusal alone.",
    async run(site) {
      const code = await site.issue();
      expectLimitHeaders(code.answer);
      expectLimitHeaders(await site.check(code.sid));
      expectLimitHeaders(await site.postForm(site.target.webhook, {}));
    },
  },
  {
    id: "6-codes-limited",
    proves: "One address gets at most 120 fast codes a minute, whatever addresses it claims.",
    cause: "Nothing counts, or the client is told apart by a header that the client writes.",
    locksOut: true,
    async run(site) {
      const refusal = await untilLimited(120, (index) =>
        site.http.send({ path: site.target.qr, headers: forgedAddress(index), expectsLimit: true }),
      );
      site.expectLimited(refusal);
    },
  },
  {
    id: "6-responses-limited",
    proves: "One address sends at most 120 fast responses a minute, whatever addresses it claims.",
    cause: "Only pages are limited, so signatures can be tried without end.",
    locksOut: true,
    async run(site) {
      const path = `${site.target.webhook}?sid=x&c=x&t=1`;
      const refusal = await untilLimited(120, (index) =>
        site.post(path, "msg=x&sig=x&addr=x", { ...FORM, ...forgedAddress(index) }, { expectsLimit: true }),
      );
      site.expectLimited(refusal);
    },
  },
  {
    id: "6-sign-ins-limited",
    proves: "One address fails at most 60 sign-ins a minute at the dashboard.",
    cause: "Only the endpoints of the login are limited, and the page that redeems it is not.",
    locksOut: true,
    async run(site) {
      const { dashboard, origin } = site.target;
      const path = `${dashboard}?${new URLSearchParams({ sid: `${"A".repeat(32)}_1700000000` })}`;
      const signIn = async () => {
        const answer = await site.http.send({ path, expectsLimit: true });
        const next = redirectOf(answer, new URL(path, origin));
        if (next?.origin !== origin.origin) return answer;
        return site.http.send({ path: next.pathname + next.search, expectsLimit: true });
      };
      await untilLimited(60, signIn, "failed sign-ins");
    },
  },
];
