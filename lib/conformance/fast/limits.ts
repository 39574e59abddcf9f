import { fail, type Rule } from "../check.ts";
import type { Outgoing } from "../http-client.ts";
import { expectLimitHeaders, forgedAddress, retryAfterOf, untilLimited } from "../rate-limits.ts";
import { redirectOf } from "./entrances.ts";
import type { FastSite } from "./site.ts";

/** Section 2.4, for the paths of a fast login. */

const A_MINUTE = 120;
const FAILED_SIGN_INS = 60;
/** A check that one address is refused after its share, with 429 and when to come back. */
function limitCheck(
  id: string,
  proves: string,
  cause: string,
  requestOf: (site: FastSite) => Outgoing,
): Rule<FastSite> {
  return {
    ...{ id, proves, cause, locksOut: true },
    async run(site) {
      const request = requestOf(site);
      const answer = await untilLimited(A_MINUTE, (index) =>
        site.http.send({
          ...request,
          headers: { ...request.headers, ...forgedAddress(index) },
          expectsLimit: true,
        }),
      );
      retryAfterOf(answer);
      const { text, name } = answer;
      if (!/^Error: /.test(text)) fail(`The 429 of ${name} says ${JSON.stringify(text.slice(0, 80))}.`);
    },
  };
}

export const FAST_LIMIT_CHECKS: readonly Rule<FastSite>[] = [
  {
    id: "6-limit-headers",
    proves: "Code, status and webhook say what is left: `RateLimit-Limit`, `-Remaining` and `-Reset`.",
    cause: "The headers are set by the limiter's refusal alone.",
    async run(site) {
      const code = await site.issue();
      const answers = [code.answer, await site.check(code.sid), await site.postForm(site.target.webhook, {})];
      for (const answer of answers) expectLimitHeaders(answer);
    },
  },
  limitCheck(
    "6-codes-limited",
    "One address gets at most 120 fast codes a minute, whatever addresses it claims.",
    "Nothing counts, or the client is told apart by a header that the client writes.",
    ({ target }) => ({ path: target.qr }),
  ),
  limitCheck(
    "6-responses-limited",
    "One address sends at most 120 fast responses a minute, whatever addresses it claims.",
    "Only pages are limited, so signatures can be tried without end.",
    ({ target }) => ({
      method: "POST",
      path: `${target.webhook}?sid=x&c=x&t=1`,
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: "msg=x&sig=x&addr=x",
    }),
  ),
  {
    id: "6-sign-ins-limited",
    proves: "One address fails at most 60 sign-ins a minute at the dashboard.",
    cause: "Only the endpoints of the login are limited, and the page that redeems it is not.",
    locksOut: true,
    async run(site) {
      const path = `${site.target.dashboard}?${new URLSearchParams({ sid: `${"A".repeat(32)}_1700000000` })}`;
      const signIn = async () => {
        const answer = await site.http.send({ path, expectsLimit: true });
        const next = redirectOf(answer, new URL(path, site.target.origin));
        if (next?.origin !== site.target.origin.origin) return answer;
        return site.http.send({ path: next.pathname + next.search, expectsLimit: true });
      };
      await untilLimited(FAILED_SIGN_INS, signIn, "failed sign-ins");
    },
  },
];
