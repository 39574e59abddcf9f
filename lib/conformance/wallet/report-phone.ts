import { makeReport, type Report, VERSION } from "../report/report.ts";
import { REQUESTS_AT_MOST } from "../request-budget.ts";
import type { Outcome, Result } from "../run-checks.ts";
import { WALLET_CHECKS } from "./checks.ts";
import type { CaseOutcome } from "./judge-phone.ts";
import { FIRST_CASE } from "./phone-cases.ts";

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
    ({ id, outcomes, check }) =>
      id === FIRST_CASE && outcomes?.some((one) => one.check === check && one.outcome === "passed"),
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
