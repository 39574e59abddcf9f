import { posix } from "node:path";
import { fail, type Rules } from "../check.ts";
import {
  expectCodeFits,
  expectNoFault,
  expectNothingInner,
  INNER,
  isErrorBody,
  isNoPage,
  ofAllAnswers,
  refusesRequests,
} from "../flow/errors.ts";
import {
  allowsPreflight,
  expectNoCredentials,
  FOREIGN,
  noStore,
  ownRequestIds,
  readByAnyOrigin,
  readByNobodyElse,
} from "../flow/headers.ts";
import { expectCounted, isLimited, saysWhenToComeBack, untilLimited } from "../flow/limits.ts";
import type { Site } from "./site.ts";
import { readEvents } from "./status.ts";

/** Sections 2.1, 2.3 and 2.4: errors, what answers tell caches, browsers and support, and how many a caller gets. */

export const ERROR_CHECKS: Rules<Site> = {
  "2.1-error-body": {
    proves: "Every refusal is JSON: `error` with `code`, `message` and `details`, which is an object.",
    cause: "Some refusals are the framework's own, or a library's.",
    ...ofAllAnswers<Site>((site) => {
      for (const { answer, request } of site.ownAnswers()) {
        if (answer.status >= 400 && request.method !== "HEAD") site.expectRefusal(answer, "a refusal");
      }
    }),
  },
  "2.1-error-code": {
    proves: "The code in a refusal is the one that belongs to its status.",
    cause: "Codes and statuses are written at each refusal instead of in one table.",
    ...ofAllAnswers<Site>((site) => {
      for (const { answer } of site.ownAnswers()) expectCodeFits(answer);
    }),
  },
  "2.1-which-404": {
    proves: "A 404 says what is missing: `user_not_found` at the webhook, `session_not_found` at the status.",
    cause: "One code for every 404, so a wallet cannot tell a missing account from a wrong address.",
    async run(site) {
      const code = await site.issue();
      for (const [answer, expected] of [
        [await site.respond(code, site.newWallet()), "user_not_found"],
        [await site.check("A".repeat(40)), "session_not_found"],
      ] as const) {
        if (answer.status !== 404 || !isErrorBody(answer.json)) continue;
        const { code: given } = answer.json.error;
        if (given !== expected)
          fail(`${answer.name} answers 404 with the code ${given} instead of ${expected}.`);
      }
    },
  },
  "2.1-tells-nothing-inner": {
    proves: "No error holds a stack, SQL, or a path of the server.",
    cause: "The message of an exception is sent to the caller.",
    ...ofAllAnswers<Site>(({ run }) => expectNothingInner(run.answers.filter(isNoPage), INNER)),
  },
  "2.1-server-fault": {
    proves: "Nothing that this run has sent made the site fail: no answer was a 5xx.",
    cause: "An exception that nobody catches: look at the exchange, it is the input that does it.",
    ...ofAllAnswers<Site>(({ run }) => expectNoFault(run.answers.filter(({ request }) => !request.hostile))),
  },
  "2.1-unknown-path": {
    proves: "Unknown paths below the login's own are 404 in the same shape.",
    cause: "The framework's own page answers.",
    run(site) {
      const { qr, webhook } = site.target;
      return refusesRequests(site, [
        [404, "GET", posix.join(posix.dirname(qr), "nothing-here")],
        [404, "GET", `${webhook}/nothing-here`],
      ]);
    },
  },
  "2.1-method": {
    proves: "Another method gets 405 in the same shape, with `Allow`.",
    cause: "The framework's own 405 has no body, or the method is not looked at.",
    run: (site) =>
      refusesRequests(site, [
        [405, "POST", site.target.qr],
        [405, "DELETE", site.target.check],
        [405, "PUT", site.webhook("login")],
      ]),
  },
};

export const HEADER_CHECKS: Rules<Site> = {
  "2.3-no-store": {
    proves: "No answer of a login may be stored: each says `Cache-Control: no-store`, refusals too.",
    cause: "The framework's default lets a proxy keep codes and statuses.",
    ...noStore(),
  },
  "2.3-request-id": {
    proves: "Every answer carries an `X-Request-Id` of its own.",
    cause: "Only successful answers carry it, or it is made once a process.",
    ...ownRequestIds,
  },
  "2.3-cors-wallets": {
    proves:
      "Any origin may read the answer to a wallet's post, refusals too: `Access-Control-Allow-Origin: *`.",
    cause:
      "The header is set where the handler succeeds, so a wallet in a browser cannot read why it was refused.",
    ...readByAnyOrigin,
  },
  "2.3-cors-preflight": {
    proves: "A wallet in a browser may post JSON: the preflight allows POST and `Content-Type` for a day.",
    cause: "OPTIONS is answered by the framework, without the headers.",
    run: (site) => allowsPreflight(site, [site.webhook("login"), site.webhook("register")], "86400"),
  },
  "2.3-cors-elsewhere": {
    proves: "No other path lets another origin read it: not the code, the status, the stream or the session.",
    cause: "CORS is switched on for the whole site, so that any page reads codes and statuses.",
    async run(site) {
      const { qr, check, signIn } = site.target;
      const { browser, sid } = await site.issue();
      const session = `${signIn.split("/callback/")[0]}/session`;
      const status = `${check}?${new URLSearchParams({ sid })}`;
      const paths = [`${qr}?mode=login`, status, session, "/login", "/dashboard"];
      await readByNobodyElse(browser, paths, ["GET", "OPTIONS"]);
      const { allowedOrigin, close } = await readEvents(site, browser, sid, FOREIGN);
      close();
      if (allowedOrigin !== undefined)
        fail(`The event stream has Access-Control-Allow-Origin: ${allowedOrigin} instead of none.`);
    },
  },
  "2.3-no-credentials": {
    proves: "No answer allows another origin to use the browser's cookies.",
    cause: "A CORS library with `credentials: true`.",
    looksBack: true,
    async run(site) {
      await site.provoke();
      // A page in a sandboxed frame says "null", which lists of allowed origins may let through.
      for (const headers of [FOREIGN, { Origin: "null" }])
        await site.http.send({ path: `${site.target.qr}?mode=login`, headers });
      expectNoCredentials(site.run.answers);
    },
  },
  "2.4-headers": {
    proves:
      "Limited endpoints say what is left: `RateLimit-Limit`, `-Remaining` and `-Reset`, and count down.",
    cause: "The headers are set by the limiter's refusal alone.",
    async run(site) {
      const code = await site.issue();
      expectCounted(code.answer);
      expectCounted(await site.check(code.sid));
      expectCounted(await site.post(site.webhook("login"), "{"));
    },
  },
  "2.4-retry-after": {
    proves: "A 429 says when to come back: `Retry-After`, and the same as `details.retry_after`.",
    ...saysWhenToComeBack,
  },
  "2.4-codes-limited": {
    proves: "One address gets at most 120 codes a minute, whatever addresses it claims.",
    cause: "Nothing counts, or the client is told apart by a header that the client writes.",
    ...isLimited<Site>(120, ({ http, target }, forged) =>
      http.send({ path: `${target.qr}?mode=login`, ...forged }),
    ),
  },
  "2.4-responses-limited": {
    proves: "One address posts at most 120 wallet responses a minute, whatever addresses it claims.",
    cause: "Only pages are limited, so signatures can be tried without end.",
    ...isLimited<Site>(120, (site, { headers, ...forged }) =>
      site.post(site.webhook("login"), "{}", headers, forged),
    ),
  },
  "2.4-sign-ins-limited": {
    proves: "One address fails at most 60 sign-ins a minute.",
    cause: "The sign-in is the framework's own, and nothing counts in front of it.",
    locksOut: true,
    async run(site) {
      const browser = site.browser();
      const signIn = () => browser.signIn("A".repeat(40), {}, { expectsLimit: true });
      await untilLimited(60, async () => (await signIn()).answer, "failed sign-ins");
    },
  },
};
