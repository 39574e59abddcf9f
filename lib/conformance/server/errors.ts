import { fail, type Rule } from "../check.ts";
import {
  expectCodeFits,
  expectNoFault,
  expectNothingInner,
  INNER,
  isErrorBody,
  isNoPage,
  refusesRequests,
} from "../flow/errors.ts";
import type { Site } from "./site.ts";

/** Section 2.1: errors have one shape and tell nothing of what is inside. */

export const ERROR_CHECKS: readonly Rule<Site>[] = [
  {
    id: "2.1-error-body",
    proves: "Every refusal is JSON: `error` with `code`, `message` and `details`, which is an object.",
    cause: "Some refusals are the framework's own, or a library's.",
    looksBack: true,
    async run(site) {
      await site.provoke();
      for (const { answer, request } of site.ownAnswers()) {
        if (answer.status >= 400 && request.method !== "HEAD") site.expectRefusal(answer, "a refusal");
      }
    },
  },
  {
    id: "2.1-error-code",
    proves: "The code in a refusal is the one that belongs to its status.",
    cause: "Codes and statuses are written at each refusal instead of in one table.",
    looksBack: true,
    async run(site) {
      await site.provoke();
      for (const { answer } of site.ownAnswers()) expectCodeFits(answer);
    },
  },
  {
    id: "2.1-which-404",
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
  {
    id: "2.1-tells-nothing-inner",
    proves: "No error holds a stack, SQL, or a path of the server.",
    cause: "The message of an exception is sent to the caller.",
    looksBack: true,
    async run(site) {
      await site.provoke();
      expectNothingInner(site.run.answers.filter(isNoPage), INNER);
    },
  },
  {
    id: "2.1-server-fault",
    proves: "Nothing that this run has sent made the site fail: no answer was a 5xx.",
    cause: "An exception that nobody catches: look at the exchange, it is the input that does it.",
    looksBack: true,
    async run(site) {
      await site.provoke();
      expectNoFault(site.run.answers.filter(({ request }) => !request.hostile));
    },
  },
  {
    id: "2.1-unknown-path",
    proves: "Unknown paths below the login's own are 404 in the same shape.",
    cause: "The framework's own page answers.",
    run(site) {
      const { qr, webhook } = site.target;
      return refusesRequests(site, [
        [404, "GET", `${qr.slice(0, qr.lastIndexOf("/"))}/nothing-here`],
        [404, "GET", `${webhook}/nothing-here`],
      ]);
    },
  },
  {
    id: "2.1-method",
    proves: "Another method gets 405 in the same shape, with `Allow`.",
    cause: "The framework's own 405 has no body, or the method is not looked at.",
    run: (site) =>
      refusesRequests(site, [
        [405, "POST", site.target.qr],
        [405, "DELETE", site.target.check],
        [405, "PUT", site.webhook("login")],
      ]),
  },
];
