import type { Level } from "#lib/conformance/check.ts";
import type { Report } from "#lib/conformance/report/report.ts";
import { WALLET_CHECKS } from "#lib/conformance/wallet/checks.ts";
import {
  type CaseOutcome,
  isSigned,
  judgePhoneCase,
  type PhoneArrival,
  reportPhone,
  type Word,
} from "#lib/conformance/wallet/judge-phone.ts";
import { FIRST_CASE, PHONE_CASES, type PhoneCase } from "#lib/conformance/wallet/phone-cases.ts";
import type { CaseState, CaseText, RunView } from "./messages.ts";

/** Pure functions that judge a run. */

/** A code as a run keeps it; `at` in milliseconds since the epoch. */
export type KeptCode = { case: string; challenge: string; at: number };

/** What arrived at the address of a code; `code` is the code's place in the run, from 0. */
export type KeptArrival = Omit<PhoneArrival, "afterMs"> & { code: number; at: number };

export type Run = {
  id: string;
  startedAt: Date;
  expiresAt: Date;
  codes: KeptCode[];
  arrivals: KeptArrival[];
  words: Record<string, Word>;
};

/** Stands for the address of a code, to see which cases this site can show. */
const SAMPLE_PATH = "/conformance/answers/run/0";

/** The cases in words. */
export function caseTexts(): CaseText[] {
  return PHONE_CASES.map(({ id, check, title, wrong, good, expects, asks = null }) => ({
    ...{ id, check, level: levelOf(check), title, wrong, good },
    answers: expects !== "silence",
    asks: asks && { question: asks.question, good: asks.good, bad: asks.bad },
  }));
}

function levelOf(check: string): Level {
  return WALLET_CHECKS.find(({ id }) => id === check)?.level ?? "MUST";
}

/** Whether a wallet has signed the correct code: without that, silence proves nothing. */
export function isReached({ arrivals, codes }: Run): boolean {
  return arrivals.some(({ code, problem }) => codes[code]?.case === FIRST_CASE && isSigned(problem));
}

export function viewRun(run: Run, origin: URL, now: Date): RunView {
  const cases = PHONE_CASES.map((phoneCase) => {
    const outcomes = judgeCase(phoneCase, run, origin, now);
    const showings = showingsOf(phoneCase, run, now);
    const arrived = (showings.at(-1)?.arrivals.length ?? 0) > 0;
    const asked = arrived && (run.words[phoneCase.id] ?? null) === null;
    const state = stateOf(phoneCase, outcomes, showings.length > 0, asked);
    const messages = (outcomes ?? []).map(({ message }) => message).filter((text) => text !== "");
    return { id: phoneCase.id, state, message: [...new Set(messages)].join(" "), arrived };
  });
  return { expires_at: run.expiresAt.toISOString(), reached: isReached(run), cases };
}

export function reportRun(run: Run, origin: URL, now: Date): Report {
  const cases = PHONE_CASES.map((phoneCase) => ({
    ...phoneCase,
    outcomes: judgeCase(phoneCase, run, origin, now),
  }));
  return reportPhone(cases, {
    target: `A wallet at ${origin.host}`,
    startedAt: run.startedAt,
    seconds: Math.round((now.getTime() - run.startedAt.getTime()) / 1000),
    shown: run.codes.length,
  });
}

/** Null if this site cannot show the case's code. */
function judgeCase(phoneCase: PhoneCase, run: Run, origin: URL, now: Date): CaseOutcome[] | null {
  if (phoneCase.make(new URL(SAMPLE_PATH, origin)) === null) return null;
  const showings = showingsOf(phoneCase, run, now);
  return judgePhoneCase(phoneCase, { showings, word: run.words[phoneCase.id] ?? null });
}

function showingsOf({ id }: PhoneCase, { codes, arrivals }: Run, now: Date) {
  return codes.flatMap(({ case: shown, at }, place) => {
    if (shown !== id) return [];
    const own = arrivals.filter(({ code }) => code === place);
    return [
      {
        ageMs: now.getTime() - at,
        arrivals: own.map(({ at: arrivedAt, ...arrival }) => ({ ...arrival, afterMs: arrivedAt - at })),
      },
    ];
  });
}

function stateOf(
  { asks, expects }: PhoneCase,
  outcomes: CaseOutcome[] | null,
  shown: boolean,
  asked: boolean,
): CaseState {
  if (outcomes === null) return "impossible";
  const has = (outcome: CaseOutcome["outcome"]) => outcomes.some((one) => one.outcome === outcome);
  if (has("failed")) return "failed";
  if (has("skipped")) return "skipped";
  if (!has("open")) return "passed";
  if (asked && asks && expects !== "silence") return "asked";
  return shown ? "waiting" : "untried";
}
