import type { Level } from "#packages/conformance/check.ts";
import { makeReport, type Report, VERSION } from "#packages/conformance/report/report.ts";
import { MAX_REQUESTS } from "#packages/conformance/request-budget.ts";
import type { Outcome, Result } from "#packages/conformance/run-checks.ts";
import { WALLET_CHECKS } from "#packages/conformance/wallet/checks.ts";
import { FORMAT_CHECKS } from "#packages/conformance/wallet/sent-answers.ts";
import { CHALLENGE_LIFETIME_SECONDS } from "#packages/login/protocol/numbers.ts";
import type { CaseReport, CaseState, CaseText, RunView } from "./messages.ts";
import { FIRST_CASE_ID, PHONE_TEST_CASES, type PhoneTestCase } from "./phone-cases.ts";

/** `at` is in milliseconds since the epoch. */
export type StoredCode = { case: string; challenge: string; at: number };

/** `code` is the QR code's index in the run. */
export type StoredCodeRequest = {
  code: number;
  at: number;
  /** True if the request arrived at the target of a redirect. */
  detour: boolean;
  /** A hash of the body. Identical requests have the same hash. */
  digest: string;
  /** The first format error in the answer, or null if it is valid. */
  problem: { check: string; message: string } | null;
};

type Word = CaseReport["word"];

export type StoredRun = {
  id: string;
  startedAt: Date;
  expiresAt: Date;
  codes: StoredCode[];
  arrivals: StoredCodeRequest[];
  words: Record<string, Word>;
};

type CaseOutcome = { check: string; outcome: Outcome | "open"; message: string };
type ObservedOutcome = Omit<CaseOutcome, "check">;

/** One display of a case's QR code, and the requests that followed, with their delays. */
type CodeDisplay = { ageMs: number; arrivals: readonly (StoredCodeRequest & { afterMs: number })[] };

/** A placeholder for a QR code's URL, used to find out which cases this site can show. */
const SAMPLE_PATH = "/conformance/answers/run/0";

/** The checks of the intent that the wallet sends. Each has its own case. */
const SHOWN_CHECKS: readonly string[] = ["3.6-shown", "3.6-shown-none"];

const SENT_CHECKS: readonly string[] = FORMAT_CHECKS.map(([check]) => check);
/**
 * The only check that proves that a wallet answered. Anyone can post to a QR code's URL, but this check needs a
 * signature.
 */
const SIGNED = "1.4-sent";

const LIFETIME_MS = CHALLENGE_LIFETIME_SECONDS * 1000;
/** The time within which an answer must arrive. */
const TOLERANCE_MS = 3_000;
/** How long the run waits for a second attempt. */
const WATCHED_MS = 4_000;

export function listCaseTexts(): CaseText[] {
  return PHONE_TEST_CASES.map(({ id, check, title, wrong, good, expects, asks = null }) => ({
    ...{ id, check, level: levelOf(check), title, wrong, good },
    answers: expects !== "silence",
    asks: asks && { question: asks.question, good: asks.good, bad: asks.bad },
  }));
}

function levelOf(check: string): Level {
  return WALLET_CHECKS.find(({ id }) => id === check)?.level ?? "MUST";
}

/** Until a wallet has signed the correct QR code, silence proves nothing. */
export function hasValidAnswer({ arrivals, codes }: StoredRun): boolean {
  const isSigned = ({ problem }: StoredCodeRequest) =>
    problem === null || !["1.5-sent", SIGNED].includes(problem.check);
  return arrivals.some((arrival) => codes[arrival.code]?.case === FIRST_CASE_ID && isSigned(arrival));
}

export function toRunView(run: StoredRun, origin: URL, now: Date): RunView {
  const cases = PHONE_TEST_CASES.map((phoneCase) => {
    const { id } = phoneCase;
    const outcomes = outcomesAt(origin, phoneCase, run, now);
    const showings = displaysOf(phoneCase, run, now);
    const arrived = (showings.at(-1)?.arrivals.length ?? 0) > 0;
    const isAsked = arrived && (run.words[id] ?? null) === null;
    const state = stateOf(phoneCase, outcomes, showings.length > 0, isAsked);
    const messages = (outcomes ?? []).map(({ message }) => message).filter((text) => text !== "");
    return { id, state, message: [...new Set(messages)].join(" "), arrived };
  });
  return { expires_at: run.expiresAt.toISOString(), reached: hasValidAnswer(run), cases };
}

function stateOf(
  { asks, expects }: PhoneTestCase,
  outcomes: CaseOutcome[] | null,
  isShown: boolean,
  isAsked: boolean,
): CaseState {
  if (outcomes === null) return "impossible";
  const hasOutcome = (outcome: CaseOutcome["outcome"]) => outcomes.some((one) => one.outcome === outcome);
  if (hasOutcome("failed")) return "failed";
  if (hasOutcome("skipped")) return "skipped";
  if (!hasOutcome("open")) return "passed";
  if (isAsked && asks && expects !== "silence") return "asked";
  return isShown ? "waiting" : "untried";
}

/** Null if this site cannot show the case's QR code. */
function outcomesAt(origin: URL, phoneCase: PhoneTestCase, run: StoredRun, now: Date): CaseOutcome[] | null {
  return phoneCase.make(new URL(SAMPLE_PATH, origin)) === null ? null : evaluateCase(phoneCase, run, now);
}

/** The earliest first. */
function displaysOf({ id }: PhoneTestCase, { codes, arrivals }: StoredRun, now: Date): CodeDisplay[] {
  return codes.flatMap(({ case: shownCase, at }, place) => {
    if (shownCase !== id) return [];
    const ownArrivals = arrivals.filter(({ code }) => code === place);
    const ageMs = now.getTime() - at;
    return [{ ageMs, arrivals: ownArrivals.map((arrival) => ({ ...arrival, afterMs: arrival.at - at })) }];
  });
}

/**
 * @returns the results of the case's own check, of the checks of the answer's format, and of the check that the user
 * decides
 */
export function evaluateCase(phoneCase: PhoneTestCase, run: StoredRun, now: Date): CaseOutcome[] {
  const { id, check, asks } = phoneCase;
  const word = run.words[id] ?? null;
  if (word === "skip") return [{ check, outcome: "skipped", message: "It was skipped." }];
  const showings = displaysOf(phoneCase, run, now);
  const ownOutcome: CaseOutcome = { check, ...evaluateArrivals(phoneCase, showings, word) };
  const sentChecks = phoneCase.expects === "answer" ? evaluateSent(phoneCase, showings) : [];
  // These checks depend on the answer's content, and not only on its arrival.
  if (SHOWN_CHECKS.includes(check) && ownOutcome.outcome === "passed") return sentChecks;
  if (!asks) return [ownOutcome, ...sentChecks];
  const reportedCheck = { check: asks.check, ...evaluateReport(word) };
  if (asks.check === check) return [ownOutcome.outcome === "passed" ? reportedCheck : ownOutcome];
  return [ownOutcome, ...sentChecks, reportedCheck];
}

const OPEN: ObservedOutcome = { outcome: "open", message: "" };
const PASSED: ObservedOutcome = { outcome: "passed", message: "" };
const failed = (message: string): ObservedOutcome => ({ outcome: "failed", message });

/** Returns one result for each check. */
function evaluateSent({ check: ownCheck }: PhoneTestCase, showings: readonly CodeDisplay[]): CaseOutcome[] {
  const answer = showings.at(-1)?.arrivals[0];
  if (!answer) return [];
  const { problem } = answer;
  const checks = SHOWN_CHECKS.includes(ownCheck) ? [...SENT_CHECKS, ownCheck] : SENT_CHECKS;
  const reached = problem ? checks.slice(0, checks.indexOf(problem.check)) : checks;
  const passed = reached.map((check) => ({ check, ...PASSED }));
  return problem ? [...passed, { check: problem.check, ...failed(problem.message) }] : passed;
}

function evaluateReport(word: Word | null): ObservedOutcome {
  if (word === null) return OPEN;
  return word === "good" ? PASSED : failed("Its user reported that it does not do this.");
}

function evaluateArrivals(
  { expects }: PhoneTestCase,
  showings: readonly CodeDisplay[],
  word: Word | null,
): ObservedOutcome {
  if (expects === "silence") return evaluateSilence(showings, word);
  const last = showings.at(-1);
  if (!last) return OPEN;
  if (last.arrivals.length === 0) return word === "bad" ? failed("No response arrived.") : OPEN;
  return EVALUATE_ANSWERED[expects](last, word);
}

/** Any answer fails the case, no matter which display of the QR code was answered. */
function evaluateSilence(showings: readonly CodeDisplay[], word: Word | null): ObservedOutcome {
  if (showings.some(({ arrivals }) => arrivals.length > 0)) return failed("The wallet answered the code.");
  return word === "good" ? PASSED : OPEN;
}

/** The result for the last display that was answered. */
const EVALUATE_ANSWERED: Record<
  Exclude<PhoneTestCase["expects"], "silence">,
  (display: CodeDisplay, word: Word | null) => ObservedOutcome
> = {
  answer: () => PASSED,
  "no-detour": ({ arrivals }, word) => {
    if (arrivals.some(({ detour }) => detour)) return failed("The wallet followed a redirect (307).");
    return word ? PASSED : OPEN;
  },
  "one-try": ({ arrivals, ageMs }, word) => {
    if (arrivals.length > 1) return failed(`The wallet sent its response ${arrivals.length} times.`);
    const watchedMs = ageMs - (arrivals[0]?.afterMs ?? 0);
    return word && watchedMs > WATCHED_MS ? PASSED : OPEN;
  },
  "same-again": ({ arrivals, ageMs }, word) => {
    if (arrivals.length > 1) {
      const isSame = new Set(arrivals.map(({ digest }) => digest)).size === 1;
      return isSame ? PASSED : failed("The wallet sent different bytes the second time.");
    }
    return word === "bad" || ageMs > LIFETIME_MS + TOLERANCE_MS
      ? failed("The wallet tried only once.")
      : OPEN;
  },
  "none-after": ({ arrivals, ageMs }) => {
    if (arrivals.some(({ afterMs }) => afterMs > LIFETIME_MS + TOLERANCE_MS)) {
      return failed("The wallet still sent its response after the challenge had expired.");
    }
    return ageMs > LIFETIME_MS + TOLERANCE_MS + WATCHED_MS ? PASSED : OPEN;
  },
};

type EvaluatedCase = PhoneTestCase & { outcomes: readonly CaseOutcome[] | null };

/** In the same format as the command-line kit. */
export function createRunReport(run: StoredRun, origin: URL, now: Date): Report {
  const cases = PHONE_TEST_CASES.map((phoneCase): EvaluatedCase => {
    return { ...phoneCase, outcomes: outcomesAt(origin, phoneCase, run, now) };
  });
  const hasPassed = ({ outcomes }: EvaluatedCase, id: string) =>
    outcomes?.some(({ check, outcome }) => check === id && outcome === "passed");
  const isSigned = cases.some((item) => item.id === FIRST_CASE_ID && hasPassed(item, SIGNED));

  function evaluateCheck(id: string): { outcome: Outcome; message: string } {
    const belongsToCheck = (outcome: { check: string }) => outcome.check === id;
    const ownCases = cases.filter((item) => belongsToCheck(item) || item.outcomes?.some(belongsToCheck));
    if (ownCases.length === 0) return { outcome: "skipped", message: "Only the kit’s command tests this." };
    const failures = ownCases.flatMap(({ title, outcomes }) =>
      (outcomes ?? [])
        .filter((item) => belongsToCheck(item) && item.outcome === "failed")
        .map(({ message }) => `${title}: ${message}`),
    );
    if (failures.length > 0) return { outcome: "failed", message: failures.join(" ") };
    const possible = ownCases.filter(({ outcomes }) => outcomes !== null);
    if (possible.length === 0) return { outcome: "skipped", message: "This site cannot show such a code." };
    const unanswered = "No answer to a correct code has arrived, so silence does not prove anything.";
    if (!isSigned) return { outcome: "blocked", message: unanswered };
    const untriedChecks = possible.filter((item) => !hasPassed(item, id));
    if (untriedChecks.length === 0) return { outcome: "passed", message: "" };
    return {
      outcome: "skipped",
      message: `Not tried: ${untriedChecks.map(({ title }) => title).join(", ")}.`,
    };
  }

  const results = WALLET_CHECKS.map(({ run: _run, ...check }): Result => {
    return { check, ...evaluateCheck(check.id), seconds: 0, exchanges: [] };
  });
  const facts = {
    ...{ kit: VERSION, uses_svc_login: false, subject: "wallet", target: `A wallet at ${origin.host}` },
    started_at: run.startedAt.toISOString(),
    seconds: Math.round((now.getTime() - run.startedAt.getTime()) / 1000),
    requests: { sent: run.codes.length, at_most: MAX_REQUESTS },
  };
  return makeReport(facts, results, [], []);
}
