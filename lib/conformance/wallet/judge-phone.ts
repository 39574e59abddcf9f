import { makeReport, type Report, VERSION } from "../report/report.ts";
import { REQUESTS_AT_MOST } from "../request-budget.ts";
import type { Outcome, Result } from "../run-checks.ts";
import { WALLET_CHECKS } from "./checks.ts";
import { FIRST_CASE, type PhoneCase } from "./phone-cases.ts";

/** What reached the site that showed a code. */
export type PhoneArrival = {
  /** Milliseconds after the code was shown. */
  afterMs: number;
  /** True if it arrived where a redirect had led. */
  detour: boolean;
  /** A hash of the bytes, by which equal ones are found. */
  digest: string;
  /** What is wrong with the answer by its format; null where nothing is. */
  problem: { check: string; message: string } | null;
};

/** What the person said of a case: the good answer, the bad one, or that it is left out. */
export type Word = "good" | "bad" | "skip";

/** What has happened in a case so far. */
export type TriedCase = {
  /** Each showing of its code, the last one last. */
  showings: readonly { arrivals: readonly PhoneArrival[]; ageMs: number }[];
  word: Word | null;
};

/** How one check stands after one case. */
export type CaseOutcome = { check: string; outcome: Outcome | "open"; message: string };

/** The checks of the intent that the wallet says it showed. Each has a case of its own. */
const SHOWN_CHECKS: readonly string[] = ["3.6-shown", "3.6-shown-none"];

/** The checks of an answer's form, in the order in which it is judged, before that of what was shown. */
const SENT_CHECKS: readonly string[] = ["1.5-sent", "1.4-sent", "7-no-cookies"];
/** The one of these that only a wallet can pass: anybody can post to the address of a code. */
const SIGNED = "1.4-sent";

const LIFETIME_MS = 30_000;
/** How late an answer that was sent in time may arrive. */
const TOLERANCE_MS = 3_000;
/** How long after its first try a wallet is watched for a second one. */
const WATCHED_MS = 4_000;

/**
 * Judges a case by what arrived and what its person said. Pure.
 * @returns a line for the case's own check, and one for the check of its question
 */
export function judgePhoneCase(phoneCase: PhoneCase, { showings, word }: TriedCase): CaseOutcome[] {
  const { check, asks } = phoneCase;
  if (word === "skip") return [{ check, outcome: "skipped", message: "It was skipped." }];
  const own: CaseOutcome = { check, ...judgeArrivals(phoneCase, showings, word) };
  const sent = phoneCase.expects === "answer" ? judgeSent(phoneCase, showings) : [];
  // Such a check passes by what the answer says, not by its arrival.
  if (SHOWN_CHECKS.includes(check) && own.outcome === "passed") return sent;
  if (!asks) return [own, ...sent];
  const asked = judgeWord(asks.check, word);
  if (asks.check === check) return [own.outcome === "passed" ? asked : own];
  return [own, ...sent, asked];
}

/** Judges the form of the answer to a correct code, one check after the other. */
function judgeSent({ check: own }: PhoneCase, showings: TriedCase["showings"]): CaseOutcome[] {
  const answer = showings.at(-1)?.arrivals[0];
  if (!answer) return [];
  const { problem } = answer;
  const checks = SHOWN_CHECKS.includes(own) ? [...SENT_CHECKS, own] : SENT_CHECKS;
  const reached = problem ? checks.slice(0, checks.indexOf(problem.check)) : checks;
  const passed = reached.map((check) => ({ check, ...PASSED }));
  return problem ? [...passed, { check: problem.check, ...failed(problem.message) }] : passed;
}

/** True if an answer with this problem, or with none, was signed as a wallet signs. */
export function isSigned(problem: PhoneArrival["problem"]): boolean {
  return problem === null || !["1.5-sent", SIGNED].includes(problem.check);
}

type Seen = Pick<CaseOutcome, "outcome" | "message">;

const OPEN: Seen = { outcome: "open", message: "" };
const PASSED: Seen = { outcome: "passed", message: "" };
const failed = (message: string): Seen => ({ outcome: "failed", message });

function judgeWord(check: string, word: Word | null): CaseOutcome {
  if (word === null) return { check, ...OPEN };
  return { check, ...(word === "good" ? PASSED : failed("Its user says that it does not do this.")) };
}

function judgeArrivals({ expects }: PhoneCase, showings: TriedCase["showings"], word: Word | null): Seen {
  // Any answer to a code that must not be answered fails the case, in whichever showing it came.
  if (expects === "silence") {
    if (showings.some(({ arrivals }) => arrivals.length > 0)) return failed("The wallet answers it.");
    return word === "good" ? PASSED : OPEN;
  }
  const last = showings.at(-1);
  if (!last) return OPEN;
  const { arrivals, ageMs } = last;
  const [first] = arrivals;
  if (!first) return word === "bad" ? failed("Nothing arrives.") : OPEN;
  const again = arrivals.length > 1;
  const watched = ageMs - first.afterMs;
  switch (expects) {
    case "answer":
      return PASSED;
    case "no-detour":
      if (arrivals.some(({ detour }) => detour)) return failed("The wallet follows a 307.");
      return word ? PASSED : OPEN;
    case "one-try":
      if (again) return failed(`The wallet sends ${arrivals.length} times.`);
      return word && watched > WATCHED_MS ? PASSED : OPEN;
    case "same-again":
      if (again)
        return sameBytes(arrivals) ? PASSED : failed("The wallet sends other bytes the second time.");
      return word === "bad" || ageMs > LIFETIME_MS + TOLERANCE_MS ? failed("The wallet tries once.") : OPEN;
    case "none-after":
      if (arrivals.some(({ afterMs }) => afterMs > LIFETIME_MS + TOLERANCE_MS))
        return failed("The wallet still sends after the challenge has ended.");
      return ageMs > LIFETIME_MS + TOLERANCE_MS + WATCHED_MS ? PASSED : OPEN;
  }
}

function sameBytes(arrivals: readonly PhoneArrival[]): boolean {
  return new Set(arrivals.map(({ digest }) => digest)).size === 1;
}

/** A case of a run, judged; `outcomes` is null where the site that shows the codes cannot have this one. */
export type JudgedCase = {
  id: string;
  title: string;
  outcomes: readonly CaseOutcome[] | null;
  check: string;
};

/**
 * The report of a run with a wallet on a phone, in the form of the command's.
 * @param shown codes that were shown
 */
export function reportPhone(
  cases: readonly JudgedCase[],
  { target, startedAt, seconds, shown }: { target: string; startedAt: Date; seconds: number; shown: number },
): Report {
  const isReached = cases.some(
    ({ id, outcomes }) =>
      id === FIRST_CASE && outcomes?.some(({ check, outcome }) => check === SIGNED && outcome === "passed"),
  );
  const results = WALLET_CHECKS.map(({ run: _run, ...check }): Result => {
    return { check, ...judgeCheck(check.id, cases, isReached), seconds: 0, exchanges: [] };
  });
  const facts = {
    ...{ kit: VERSION, subject: "wallet", target, started_at: startedAt.toISOString(), seconds },
    requests: { sent: shown, at_most: REQUESTS_AT_MOST },
  };
  return makeReport(facts, results, [], []);
}

function judgeCheck(
  id: string,
  cases: readonly JudgedCase[],
  isReached: boolean,
): { outcome: Outcome; message: string } {
  const own = cases.filter(
    ({ check, outcomes }) => check === id || outcomes?.some((one) => one.check === id),
  );
  if (own.length === 0) return { outcome: "skipped", message: "Only the command tries this." };
  const failures = own.flatMap(({ title, outcomes }) =>
    (outcomes ?? [])
      .filter(({ check, outcome }) => check === id && outcome === "failed")
      .map(({ message }) => `${title}: ${message}`),
  );
  if (failures.length > 0) return { outcome: "failed", message: failures.join(" ") };
  const possible = own.filter(({ outcomes }) => outcomes !== null);
  if (possible.length === 0) return { outcome: "skipped", message: "This site cannot show such a code." };
  if (!isReached) {
    return {
      outcome: "blocked",
      message: "No answer to a correct code has arrived, so silence proves nothing.",
    };
  }
  const untried = possible.filter(
    ({ outcomes }) => !outcomes?.some(({ check, outcome }) => check === id && outcome === "passed"),
  );
  if (untried.length === 0) return { outcome: "passed", message: "" };
  return { outcome: "skipped", message: `Not tried: ${untried.map(({ title }) => title).join(", ")}.` };
}
