import { fail, type Rule } from "../check.ts";
import type { Answer } from "../http-client.ts";
import { expectNoFault, expectNothingInner, INNER_OF_WORDS } from "../inner-workings.ts";
import { ownAnswers, provoke, webhookAnswers } from "./own-answers.ts";
import type { FastSite } from "./site.ts";

/** Section 6: the words of every answer, and what they keep to themselves. */

/** The words that answers of the webhook begin with. */
const WORDS: Record<number, RegExp> = {
  200: /^successfully authenticated/i,
  400: /^(no challenge found|Error:)/i,
  401: /^could not verify/i,
  500: /^Error:/,
};

const isText = ({ headers }: Answer) => /^text\/plain\b/.test(headers["content-type"] ?? "");

export const FAST_ANSWER_CHECKS: readonly Rule<FastSite>[] = [
  {
    id: "6.2-words",
    proves:
      "Answers are plain text that begins with the words of their status: authenticated 200, no challenge 400, not verified 401.",
    cause: "JSON or HTML by the framework's default, or one text for every refusal.",
    looksBack: true,
    async run(site) {
      await provoke(site);
      for (const { answer } of webhookAnswers(site)) {
        const words = WORDS[answer.status];
        if (!words) continue;
        if (!isText(answer))
          fail(
            `The ${answer.status} of ${answer.name} is ${answer.headers["content-type"] ?? "of no type"}.`,
          );
        if (!words.test(answer.text))
          fail(`The ${answer.status} of ${answer.name} says ${JSON.stringify(answer.text.slice(0, 80))}.`);
      }
    },
  },
  {
    id: "6.2-server-fault",
    proves: "Nothing that this run has sent made the site fail: no answer was a 5xx.",
    cause: "A library throws at malformed input, and nobody catches it: look at the exchange.",
    looksBack: true,
    async run(site) {
      await provoke(site);
      expectNoFault(site.run.answers);
    },
  },
  {
    id: "6.2-tells-nothing-inner",
    proves: "No answer holds a stack, SQL, a path of the server, or a library's exception.",
    cause: "The message of an exception behind `Error:`, as the specification's short form suggests.",
    looksBack: true,
    async run(site) {
      await provoke(site);
      expectNothingInner(ownAnswers(site), INNER_OF_WORDS);
    },
  },
  {
    id: "6-other-errors",
    proves:
      "Every other refusal is plain text that begins with `Error:`: a wrong method, which names `Allow`, and no sid.",
    cause: "The framework's own answer has no body, or is HTML.",
    async run(site) {
      const { qr, check, webhook } = site.target;
      const refused = [
        [405, await site.http.send({ method: "DELETE", path: webhook })],
        [405, await site.http.send({ method: "POST", path: qr })],
        [405, await site.http.send({ method: "PUT", path: check })],
        [400, await site.http.send({ path: check })],
      ] as const;
      for (const [status, answer] of refused) {
        if (answer.status !== status) fail(`${answer.name} answers ${answer.status} instead of ${status}.`);
        if (!isText(answer) || !/^Error: /.test(answer.text))
          fail(`The ${answer.status} of ${answer.name} says ${JSON.stringify(answer.text.slice(0, 80))}.`);
        if (status === 405 && !answer.headers.allow) fail(`${answer.name} is answered 405 without Allow.`);
      }
    },
  },
];
