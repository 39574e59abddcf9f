import { fail, type Rules } from "../check.ts";
import {
  expectNoFault,
  expectNothingInner,
  INNER_OF_WORDS,
  isNoPage,
  ofAllAnswers,
  refusesRequests,
} from "../flow/errors.ts";
import {
  allowsPreflight,
  expectAnyOrigin,
  expectNoCredentials,
  noStore,
  ownRequestIds,
  readByNobodyElse,
} from "../flow/headers.ts";
import { expectLimitHeaders, isLimited, untilLimited } from "../flow/limits.ts";
import { redirectOf } from "../http-client.ts";
import { type FastSite, FORM, isText } from "./site.ts";

/** Sections 2 and 6, as far as they bind every answer: words, headers, and how many a minute. */

/** The words that answers of the webhook begin with. */
const WORDS: Record<number, RegExp> = {
  200: /^successfully authenticated/i,
  400: /^(no challenge found|Error:)/i,
  401: /^could not verify/i,
  500: /^Error:/,
};

export const FAST_RULE_CHECKS: Rules<FastSite> = {
  "6.2-words": {
    proves:
      "Answers are plain text that begins with the words of their status: authenticated 200, no challenge 400, not verified 401.",
    cause: "JSON or HTML by the framework's default, or one text for every refusal.",
    ...ofAllAnswers<FastSite>((site) => {
      for (const { answer } of site.walletAnswers()) {
        const { status, headers, text } = answer;
        const what = `The ${status} of ${answer.name}`;
        const words = WORDS[status];
        if (!words) continue;
        if (!isText(answer))
          fail(`${what} is ${headers["content-type"] ?? "of no type"} instead of text/plain.`);
        const said = JSON.stringify(text.slice(0, 80));
        if (!words.test(text))
          fail(`${what} says ${said}, which begins with other words than its status has.`);
      }
    }),
  },
  "6.2-server-fault": {
    proves: "Nothing that this run has sent made the site fail: no answer was a 5xx.",
    cause: "A library throws at malformed input, and nobody catches it: look at the exchange.",
    ...ofAllAnswers<FastSite>(({ run }) => expectNoFault(run.answers)),
  },
  "6.2-tells-nothing-inner": {
    proves: "No answer holds a stack, SQL, a path of the server, or a library's exception.",
    cause: "The message of an exception behind `Error:`, as the specification's short form suggests.",
    ...ofAllAnswers<FastSite>((site) =>
      expectNothingInner(site.ownAnswers().filter(isNoPage), INNER_OF_WORDS),
    ),
  },
  "6-other-errors": {
    proves:
      "Every other refusal is plain text that begins with `Error:`: a wrong method, which names `Allow`, and no sid.",
    cause: "The framework's own answer has no body, or is HTML.",
    run(site) {
      const { qr, check, webhook } = site.target;
      return refusesRequests(site, [
        [405, "DELETE", webhook],
        [405, "POST", qr],
        [405, "PUT", check],
        [400, "GET", check],
      ]);
    },
  },
  "6-no-store": {
    proves: "No answer of a fast login may be stored: each says `Cache-Control: no-store`, refusals too.",
    cause: "The framework's default lets a proxy keep codes and statuses.",
    ...noStore(),
  },
  "6-request-id": {
    proves: "Every answer of a fast login carries an `X-Request-Id` of its own.",
    cause: "Only successful answers carry it, or it is made once a process.",
    ...ownRequestIds,
  },
  "6-cors-wallets": {
    proves:
      "Any origin may read the answer to a wallet, refusals too: `Access-Control-Allow-Origin: *`, without credentials.",
    cause:
      "The header is set where the handler succeeds, so a wallet in a browser cannot read why it was refused.",
    ...ofAllAnswers<FastSite>((site) => {
      for (const { answer } of site.walletAnswers()) expectAnyOrigin(answer);
      expectNoCredentials(site.run.answers);
    }),
  },
  "6-cors-preflight": {
    proves: "A wallet in a browser may post JSON: the preflight allows POST and `Content-Type`.",
    cause: "OPTIONS is answered by the framework, without the headers.",
    run: (site) => allowsPreflight(site, [site.target.webhook]),
  },
  "6-cors-elsewhere": {
    proves: "No other path of a fast login lets another origin read it: neither code nor status.",
    cause: "CORS is switched on for the whole site, so that any page reads codes and statuses.",
    async run(site) {
      const { qr, check, dashboard } = site.target;
      const { browser, sid } = await site.issue();
      await readByNobodyElse(browser, [qr, `${check}?${new URLSearchParams({ sid })}`, dashboard]);
    },
  },
  "6-limit-headers": {
    proves: "Code, status and webhook say what is left: `RateLimit-Limit`, `-Remaining` and `-Reset`.",
    cause: "The headers are set by the limiter's refusal alone.",
    async run(site) {
      const code = await site.issue();
      expectLimitHeaders(code.answer);
      expectLimitHeaders(await site.check(code.sid));
      expectLimitHeaders(await site.postForm(site.target.webhook, {}));
    },
  },
  "6-codes-limited": {
    proves: "One address gets at most 120 fast codes a minute, whatever addresses it claims.",
    cause: "Nothing counts, or the client is told apart by a header that the client writes.",
    ...isLimited<FastSite>(120, ({ http, target }, forged) => http.send({ path: target.qr, ...forged })),
  },
  "6-responses-limited": {
    proves: "One address sends at most 120 fast responses a minute, whatever addresses it claims.",
    cause: "Only pages are limited, so signatures can be tried without end.",
    ...isLimited<FastSite>(120, (site, { headers, ...forged }) =>
      site.post(
        `${site.target.webhook}?sid=x&c=x&t=1`,
        "msg=x&sig=x&addr=x",
        { ...FORM, ...headers },
        forged,
      ),
    ),
  },
  "6-sign-ins-limited": {
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
};
