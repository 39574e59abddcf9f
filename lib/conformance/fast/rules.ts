import { fail, type Rule } from "../check.ts";
import {
  expectNoFault,
  expectNothingInner,
  INNER_OF_WORDS,
  isNoPage,
  refusesRequests,
} from "../flow/errors.ts";
import { type FastSite, isText } from "./site.ts";

/** Section 6: the words of every answer, and what they keep to themselves. */

/** The words that answers of the webhook begin with. */
const WORDS: Record<number, RegExp> = {
  200: /^successfully authenticated/i,
  400: /^(no challenge found|Error:)/i,
  401: /^could not verify/i,
  500: /^Error:/,
};

export const FAST_ANSWER_CHECKS: readonly Rule<FastSite>[] = [
  {
    id: "6.2-words",
    proves:
      "Answers are plain text that begins with the words of their status: authenticated 200, no challenge 400, not verified 401.",
    cause: "JSON or HTML by the framework's default, or one text for every refusal.",
    looksBack: true,
    async run(site) {
      await site.provoke();
      for (const { answer } of site.walletAnswers()) {
        const { status, name, headers, text } = answer;
        const words = WORDS[status];
        if (!words) continue;
        if (!isText(answer)) fail(`The ${status} of ${name} is ${headers["content-type"] ?? "of no type"}.`);
        if (!words.test(text)) fail(`The ${status} of ${name} says ${JSON.stringify(text.slice(0, 80))}.`);
      }
    },
  },
  {
    id: "6.2-server-fault",
    proves: "Nothing that this run has sent made the site fail: no answer was a 5xx.",
    cause: "A library throws at malformed input, and nobody catches it: look at the exchange.",
    looksBack: true,
    async run(site) {
      await site.provoke();
      expectNoFault(site.run.answers);
    },
  },
  {
    id: "6.2-tells-nothing-inner",
    proves: "No answer holds a stack, SQL, a path of the server, or a library's exception.",
    cause: "The message of an exception behind `Error:`, as the specification's short form suggests.",
    looksBack: true,
    async run(site) {
      await site.provoke();
      expectNothingInner(site.ownAnswers().filter(isNoPage), INNER_OF_WORDS);
    },
  },
  {
    id: "6-other-errors",
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
];
