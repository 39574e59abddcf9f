import type { CodeParts } from "#packages/conformance/wallet/code.ts";
import { UNKNOWN_PARAMETER } from "#packages/conformance/wallet/code.ts";
import { checkOf, HOSTILE_CODES } from "#packages/conformance/wallet/hostile-codes.ts";

/**
 * A case for a wallet on a phone. The kit runs other wallets as commands, which have an exit status and output. From a
 * wallet on a phone, the kit only receives requests, so it asks the user about everything else.
 */
export type PhoneTestCase = {
  /** The id of a hostile QR code, or an id in the same format that only this list contains. Ids never change. */
  id: string;
  check: string;
  title: string;
  /** What is wrong with the QR code, or with the site that shows it. */
  wrong: string;
  /** How a good wallet behaves. */
  good: string;
  make(webhook: URL): CodeParts | null;
  expects: ExpectedRequests;
  asks?: UserQuestion;
};

/**
 * The requests that must arrive: one answer; none; one answer without a retry; one answer that does not follow a
 * redirect; the same bytes twice; or none after the challenge has expired.
 */
export type ExpectedRequests = "answer" | "silence" | "one-try" | "no-detour" | "same-again" | "none-after";

/** The question is about what only the user can see. The check depends on the answer. */
export type UserQuestion = { check: string; question: string; good: string; bad: string };

/** In all other cases, the site responds with 200. */
export const SITE_ANSWERS_BY_CASE: Record<string, readonly [first: SiteAnswer, later: SiteAnswer]> = {
  "7-redirect/307": ["redirect", "redirect"],
  "7-only-200/202": ["accepted-later", "accepted-later"],
  "7-final/404": ["unknown-key", "unknown-key"],
  "7-tries-again/once": ["unavailable", "success"],
  "7-not-after/always": ["unavailable", "unavailable"],
  "7-patient/slow": ["slow", "success"],
};

export type SiteAnswer = "success" | "slow" | "redirect" | "accepted-later" | "unknown-key" | "unavailable";

/** For a key that the site refuses permanently (404). */
export const UNKNOWN_KEY_MESSAGE = "Register with this key on the site first.";
export const SLOW_ANSWER_SECONDS = 5;

const honest = (webhook: URL): CodeParts => ({ webhook: webhook.href, domain: webhook.hostname });

const failure = (check: string): UserQuestion => ({
  check,
  question: "What does your wallet say now?",
  good: "It reports a failure",
  bad: "It reports success",
});

/** The correct QR codes. Silence counts as a result only after a wallet has answered the first one. */
const CONTROLS: readonly PhoneTestCase[] = [
  {
    ...{ id: "7-answers/login", check: "7-answers", expects: "answer", make: honest },
    title: "A correct code to sign in",
    wrong: "Nothing. The response shows that your wallet can reach this site.",
    good: "It shows the domain and that this is a sign-in, asks you, and sends one response.",
    asks: {
      check: "7-shows-domain",
      question: "Before it sent its response, did your wallet show the domain, and that this is a sign-in?",
      good: "It showed both",
      bad: "It did not",
    },
  },
  {
    ...{ id: "7-answers/register", check: "7-answers", expects: "answer" },
    title: "A correct code to register",
    wrong: "Nothing.",
    good: "It says that this creates an account, asks you, and sends one response.",
    make: (webhook) => ({ ...honest(webhook), action: "register" }),
  },
  {
    ...{ id: "3.6-shown-none/login", check: "3.6-shown-none", expects: "answer", make: honest },
    title: "A sign-in, and a response that confirms it",
    wrong: "Nothing. A relay can remove a code's intent, and what remains is a plain sign-in.",
    good: "It asks as usual, and its response says that it did not show an intent.",
  },
  {
    ...{ id: "3.6-shown/add", check: "3.6-shown", expects: "answer" },
    title: "A link request, and a response that confirms it",
    wrong: "Nothing. It asks to link your key to an existing account.",
    good: "It asks whether to link your key, and its response says that it showed this.",
    make: (webhook) => ({ ...honest(webhook), intent: "add" }),
  },
  {
    ...{ id: "1.2-unknown-parameter/colour", check: "1.2-unknown-parameter", expects: "answer" },
    title: "A parameter of a newer protocol",
    wrong: "Nothing. It has a parameter that your wallet does not know.",
    good: "It ignores the parameter and answers.",
    make: (webhook) => ({ ...honest(webhook), more: [UNKNOWN_PARAMETER] }),
  },
];

const REFUSED = HOSTILE_CODES.flatMap(({ id, what, wrong, make }): PhoneTestCase[] => {
  if (wrong === undefined) return [];
  const title = `${what.slice(0, 1).toUpperCase()}${what.slice(1)}`;
  const good = "It refuses, says why, and does not send anything.";
  return [{ id, check: checkOf({ id }), title, wrong, good, make, expects: "silence" }];
});

const OTHERS: readonly PhoneTestCase[] = [
  {
    ...{ id: "7-webhook-https/http", check: "7-webhook-https", expects: "silence" },
    title: "A response over HTTP",
    wrong:
      "The response would travel in clear text. It may go to port 80, where we cannot see it, so rely on what your wallet says.",
    good: "It refuses, says why, and does not send anything.",
    make: (webhook) =>
      webhook.protocol === "https:"
        ? { ...honest(webhook), webhook: webhook.href.replace(/^https:/, "http:") }
        : null,
  },
  {
    ...{ id: "7-wrong-action/register", check: "7-wrong-action", expects: "silence" },
    title: "An action that you did not ask for",
    wrong:
      "This code asks to register. In your wallet, choose to sign in, then scan the code. If your wallet does not let you choose, skip this case.",
    good: "It says that this is a different kind of code, and does not send anything.",
    make: (webhook) => ({ ...honest(webhook), action: "register" }),
  },
  {
    ...{ id: "7-redirect/307", check: "7-redirect", expects: "no-detour", make: honest },
    title: "A site that redirects the response",
    wrong: "The code is correct. The site answers your wallet with a redirect (307).",
    good: "It does not follow the redirect, and reports a failure.",
    asks: failure("7-redirect"),
  },
  {
    ...{ id: "7-only-200/202", check: "7-only-200", expects: "one-try", make: honest },
    title: "A site that answers 202",
    wrong: "The code is correct. The site answers 202, which is not 200.",
    good: "It reports a failure.",
    asks: failure("7-only-200"),
  },
  {
    ...{ id: "7-final/404", check: "7-final", expects: "one-try", make: honest },
    title: "A site that does not know you",
    wrong: `The code is correct. The site answers 404 and says “${UNKNOWN_KEY_MESSAGE}”`,
    good: "It does not send again, and shows the site’s message.",
    asks: {
      check: "7-says-why",
      question: "Does your wallet show the site’s message?",
      good: "It shows the site’s message",
      bad: "It does not",
    },
  },
  {
    ...{ id: "7-tries-again/once", check: "7-tries-again", expects: "same-again", make: honest },
    title: "A site that is briefly unavailable",
    wrong: "The code is correct. The site answers 503 once, and then it works.",
    good: "It automatically sends the same response again.",
  },
  {
    ...{ id: "7-not-after/always", check: "7-not-after", expects: "none-after", make: honest },
    title: "A site that stays unavailable",
    wrong: "The code is correct. The site answers 503 each time. Wait until the time has run out.",
    good: "It retries only while the challenge is valid, then reports a failure.",
    asks: failure("7-not-after"),
  },
  {
    ...{ id: "7-patient/slow", check: "7-patient", expects: "one-try", make: honest },
    title: "A slow site",
    wrong: `The code is correct. The site answers after ${SLOW_ANSWER_SECONDS} seconds.`,
    good: "It waits, sends once, and reports success.",
    asks: {
      check: "7-patient",
      question: "What does your wallet say now?",
      good: "It reports success",
      bad: "It reports a failure",
    },
  },
];

export const PHONE_TEST_CASES: readonly PhoneTestCase[] = [...CONTROLS, ...REFUSED, ...OTHERS];

/** Must pass before all other cases. */
export const FIRST_CASE_ID = "7-answers/login";
