import { anchorOf, type Level } from "../check.ts";
import type { Exchange } from "../http-client.ts";
import type { Outcome, Result } from "../run-checks.ts";

/** The kit's version, as reports name it. */
export const VERSION = "0.1.0";

/** What one check said, as `report.json` holds it. */
export type ReportedCheck = {
  id: string;
  level: Level;
  proves: string;
  cause: string;
  /** What it has in common with others, why that matters, and how it is fixed. */
  family: string;
  why: string;
  mend: string;
  outcome: Outcome;
  /** Why it did not pass; empty otherwise. */
  message: string;
  seconds: number;
  /** True if the baseline names it as known to fail. */
  known: boolean;
  /** Its place in docs/conformance.md. */
  anchor: string;
  exchanges: Exchange[];
};

/** `report.json`. Fields may be added; none is taken away or changes its meaning while `schema` stays. */
export type Report = {
  schema: "svc-conformance/1";
  kit: string;
  /** What was tested: `server`, `receiver` or `wallet`, and where. */
  subject: string;
  target: string;
  started_at: string;
  seconds: number;
  requests: { sent: number; at_most: number };
  totals: Record<Outcome, number>;
  /** Names in the baseline that no longer failed, or that no check has. */
  stale: string[];
  /** No MUST failed or was blocked but for the known ones, and nothing in the baseline is stale. */
  holds: boolean;
  checks: ReportedCheck[];
};

/** What a run was about, besides its results. */
export type RunFacts = Pick<Report, "kit" | "subject" | "target" | "started_at" | "seconds" | "requests">;

/**
 * Makes a report of results.
 * @param baseline names of checks that are known to fail; names of checks that were not chosen are ignored
 */
export function makeReport(
  facts: RunFacts,
  results: readonly Result[],
  baseline: readonly string[],
  allIds: readonly string[],
): Report {
  const isOpen = ({ outcome }: Result) => outcome === "failed" || outcome === "blocked";
  const ran = new Map(results.map((result) => [result.check.id, result]));
  const stale = baseline.filter((id) => {
    const result = ran.get(id);
    return result ? !isOpen(result) : !allIds.includes(id);
  });
  const checks = results.map((result): ReportedCheck => {
    const { id, level, requirement, cause, family, fix = family.fix } = result.check;
    const { outcome, message, seconds, exchanges } = result;
    const known = isOpen(result) && baseline.includes(id);
    return {
      ...{ id, level, proves: requirement, cause, family: family.title, why: family.why, mend: fix },
      ...{ outcome, message, seconds, known, anchor: anchorOf({ id }), exchanges },
    };
  });
  const count = (outcome: Outcome) => results.filter((result) => result.outcome === outcome).length;
  return {
    schema: "svc-conformance/1",
    ...facts,
    totals: {
      passed: count("passed"),
      failed: count("failed"),
      blocked: count("blocked"),
      skipped: count("skipped"),
    },
    stale,
    holds: stale.length === 0 && !checks.some(breaksRun),
    checks,
  };
}

/** True if this check by itself fails the run. */
export function breaksRun({ level, outcome, known }: ReportedCheck): boolean {
  return level === "MUST" && (outcome === "failed" || outcome === "blocked") && !known;
}

/** Checks of a report that are told together, under what they have in common. */
export type ToldTogether = { head: string; checks: ReportedCheck[] };

/** What kept checks from being tried, each reason once; the one that kept most comes first. */
export function obstaclesOf({ checks }: Report): ToldTogether[] {
  return together(
    checks.filter(({ outcome }) => outcome === "blocked"),
    ({ message }) => message,
  ).toSorted((one, other) => other.checks.length - one.checks.length);
}

/** What failed, by family: first what binds, then what is recommended, then what the baseline knows. */
export function failuresOf({ checks }: Report): { title: string; families: ToldTogether[] }[] {
  const failed = checks.filter(({ outcome }) => outcome === "failed");
  const part = (title: string, isIn: (check: ReportedCheck) => boolean) => ({
    title,
    families: together(failed.filter(isIn), ({ family }) => family),
  });
  return [
    part("Failed MUST", ({ level, known }) => !known && level === "MUST"),
    part("Failed SHOULD", ({ level, known }) => !known && level !== "MUST"),
    part("Known failure", ({ known }) => known),
  ].filter(({ families }) => families.length > 0);
}

function together(checks: ReportedCheck[], headOf: (check: ReportedCheck) => string): ToldTogether[] {
  const heads = [...new Set(checks.map(headOf))];
  return heads.map((head) => ({ head, checks: checks.filter((check) => headOf(check) === head) }));
}

/** How many checks were not tried for one reason, in words. */
export function countNotTried({ checks }: ToldTogether): string {
  const binding = checks.filter(({ level }) => level === "MUST").length;
  if (checks.length === 1) return `One check (${checks[0]?.level}) could not be tried`;
  const levels = binding === checks.length ? "all of them MUST" : `${binding} of them MUST`;
  return `${checks.length} checks, ${levels}, could not be tried`;
}

/** One sentence that says how it went. */
export function verdictOf({ holds, totals, stale, checks }: Report): string {
  if (!holds && stale.length > 0)
    return `The baseline names what does not fail any more: ${stale.join(", ")}. Take it out.`;
  const broken = checks.filter(breaksRun);
  const failed = broken.filter(({ outcome }) => outcome === "failed").length;
  const untried = broken.length - failed;
  const rules = failed === 1 ? "1 rule that binds does not hold" : `${failed} rules that bind do not hold`;
  if (failed > 0 && untried > 0) return `${rules}, and ${untried} could not be tried.`;
  if (failed > 0) return `${rules}.`;
  if (untried > 0)
    return `No rule that binds failed, but ${untried} could not be tried: that proves nothing yet.`;
  if (totals.passed === 0) return "Nothing was tried.";
  const open = totals.failed + totals.blocked;
  return `Every rule that binds holds${open > 0 ? `, but for what is known or only recommended (${open})` : ""}.`;
}
