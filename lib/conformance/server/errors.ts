import { fail, type Rule } from "../check.ts";
import { CODES, expectErrorBody, isErrorBody } from "../error-body.ts";
import { expectStatus } from "../expect-status.ts";
import { expectNoFault, expectNothingInner, INNER } from "../inner-workings.ts";
import type { Answered } from "../under-test.ts";
import type { Site } from "./site.ts";

/** Section 2.1: errors have one shape and tell nothing of what is inside. */

/** The answers of the login's own endpoints. */
export function loginAnswers(site: Site): readonly Answered[] {
  const { qr, check, events, webhook } = site.target;
  return site.answersOf([qr, check, events, `${webhook}/login`, `${webhook}/register`]);
}

/** Makes sure that there is something to judge where a check runs alone. */
export async function provokeErrors(site: Site): Promise<void> {
  const refused = loginAnswers(site).filter(({ answer }) => answer.status >= 400);
  if (refused.some(({ request }) => request.method === "POST") && refused.length > 3) return;
  await site.post("login", "{");
  await site.post("login", { ...site.response(), challenge: "svc:login:x" });
  await site.http.send({ path: site.target.check });
  await site.check("A".repeat(40));
}

export const ERROR_CHECKS: readonly Rule<Site>[] = [
  {
    id: "2.1-error-body",
    proves: "Every refusal is JSON: `error` with `code`, `message` and `details`, which is an object.",
    cause: "Some refusals are the framework's own, or a library's.",
    looksBack: true,
    async run(site) {
      await provokeErrors(site);
      for (const { answer, request } of loginAnswers(site)) {
        if (answer.status >= 400 && request.method !== "HEAD") expectErrorBody(answer, "a refusal");
      }
    },
  },
  {
    id: "2.1-error-code",
    proves: "The code in a refusal is the one that belongs to its status.",
    cause: "Codes and statuses are written at each refusal instead of in one table.",
    looksBack: true,
    async run(site) {
      await provokeErrors(site);
      for (const { answer } of loginAnswers(site)) {
        const codes = CODES[answer.status];
        if (!codes || !isErrorBody(answer.json)) continue;
        const { code } = answer.json.error;
        if (!codes.includes(code)) fail(`${answer.name} answers ${answer.status} with the code ${code}.`);
      }
    },
  },
  {
    id: "2.1-which-404",
    proves: "A 404 says what is missing: `user_not_found` at the webhook, `session_not_found` at the status.",
    cause: "One code for every 404, so a wallet cannot tell a missing account from a wrong address.",
    async run(site) {
      const code = await site.issue(site.browser());
      const unknownKey = await site.post("login", { ...site.response(code.challenge) });
      const unknownSid = await site.check("A".repeat(40));
      for (const [answer, expected] of [
        [unknownKey, "user_not_found"],
        [unknownSid, "session_not_found"],
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
      await provokeErrors(site);
      expectNothingInner(site.run.answers, INNER);
    },
  },
  {
    id: "2.1-server-fault",
    proves: "Nothing that this run has sent made the site fail: no answer was a 5xx.",
    cause: "An exception that nobody catches: look at the exchange, it is the input that does it.",
    looksBack: true,
    async run(site) {
      await provokeErrors(site);
      expectNoFault(site.run.answers.filter(({ request }) => !request.hostile));
    },
  },
  {
    id: "2.1-unknown-path",
    proves: "Unknown paths below the login's own are 404 in the same shape.",
    cause: "The framework's own page answers.",
    async run(site) {
      const folder = site.target.qr.slice(0, site.target.qr.lastIndexOf("/"));
      for (const path of [`${folder}/nothing-here`, `${site.target.webhook}/nothing-here`]) {
        const answer = await site.http.send({ path });
        expectStatus(answer, 404, "an unknown path");
        expectErrorBody(answer, "an unknown path");
      }
    },
  },
  {
    id: "2.1-method",
    proves: "Another method gets 405 in the same shape, with `Allow`.",
    cause: "The framework's own 405 has no body, or the method is not looked at.",
    async run(site) {
      const { qr, check } = site.target;
      for (const [method, path] of [
        ["POST", qr],
        ["DELETE", check],
        ["PUT", site.webhook("login")],
      ] as const) {
        const answer = await site.http.send({ method, path });
        expectStatus(answer, 405, `${method} ${path}`);
        expectErrorBody(answer, `${method} ${path}`);
        if (!answer.headers.allow) fail(`${method} ${path} is answered 405 without Allow.`);
      }
    },
  },
];
