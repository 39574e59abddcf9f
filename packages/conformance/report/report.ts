import type { Level } from "../check.ts";
import type { Exchange } from "../http-client.ts";
import type { Outcome, Result } from "../run-checks.ts";
import { anchorOf, findReferenceRow, type Place, sectionOf } from "./reference.ts";

export const VERSION = "0.1.0";

export type ReportedCheck = {
  id: string;
  level: Level;
  proves: string;
  cause: string;
  /** The danger that the family's checks guard against. */
  family: string;
  why: string;
  fix: string;
  /** @deprecated Use `fix`, which has the same value. Programs that read `svc-conformance/1` still use `mend`. */
  mend: string;
  /** On a site that uses `@svc/login`, the option or file to look at; otherwise null. */
  svc_login: string | null;
  outcome: Outcome;
  /** Why the check did not pass; "" if the check passed. */
  message: string;
  /** Several checks can have this part of `message` in common, such as "POST /webhook/login answers 404". */
  reason: string | null;
  /** Fails for the same reason. Fix this check first. */
  fix_first: string | null;
  seconds: number;
  /** The check is open and the baseline lists it as a known failure. */
  known: boolean;
  /** Of the check's row on its reference page. */
  anchor: string;
  reference: Place;
  section: Place & { title: string };
  exchanges: Exchange[];
};

/** `report.json`. New fields can be added. Fields are removed or change their meaning only when `schema` changes. */
export type Report = {
  schema: "svc-conformance/2";
  kit: string;
  /** The report then mentions the package's options and files. */
  uses_svc_login: boolean;
  /** `server`, `receiver` or `wallet`. */
  subject: string;
  target: string;
  started_at: string;
  seconds: number;
  requests: { sent: number; at_most: number };
  totals: Record<Outcome, number>;
  /** The baseline should no longer contain these ids, because their checks passed or do not exist. */
  stale: string[];
  /** True if no MUST failed or was blocked, apart from known failures, and `stale` is empty. */
  holds: boolean;
  checks: ReportedCheck[];
};

type RunFacts = Pick<
  Report,
  "kit" | "uses_svc_login" | "subject" | "target" | "started_at" | "seconds" | "requests"
>;

/**
 * @param baseline the ids of checks that are known to fail; ids of checks that exist but were not selected are ignored
 */
export function makeReport(
  facts: RunFacts,
  results: readonly Result[],
  baseline: readonly string[],
  allIds: readonly string[],
): Report {
  const resultsById = new Map(results.map((result) => [result.check.id, result]));
  const stale = baseline.filter((id) => {
    const result = resultsById.get(id);
    return result ? !isOpen(result) : !allIds.includes(id);
  });
  const checks = results.toSorted(byId).map((result): ReportedCheck => {
    const { id, level, requirement, cause, family, fix = family.fix } = result.check;
    const { outcome, message, obstacle, seconds, exchanges } = result;
    return {
      ...{ id, level, proves: requirement, cause, family: family.title, why: family.why, fix, mend: fix },
      ...{ svc_login: family.svcLogin ?? null, outcome, message, seconds, exchanges },
      reason: isOpen(result) ? (reasonOf(message) ?? obstacle?.obstacle ?? null) : null,
      fix_first: obstacle?.fixFirst ?? null,
      known: isOpen(result) && baseline.includes(id),
      ...{ anchor: anchorOf(id), reference: findReferenceRow(id), section: sectionOf(id) },
    };
  });
  const count = (outcome: Outcome) => results.filter((result) => result.outcome === outcome).length;
  return {
    schema: "svc-conformance/2",
    ...facts,
    totals: {
      passed: count("passed"),
      failed: count("failed"),
      blocked: count("blocked"),
      skipped: count("skipped"),
    },
    stale,
    holds: stale.length === 0 && !checks.some(failsRun),
    checks,
  };
}

/** By section, then by id. */
const byId = ({ check: one }: Result, { check: other }: Result) =>
  one.id.localeCompare(other.id, "en", { numeric: true });

const isOpen = ({ outcome }: { outcome: Outcome }) => outcome === "failed" || outcome === "blocked";

/** How an endpoint responded that is missing, closed or broken. */
const BROKEN = /\b[A-Z]{3,7} \/\S{0,200} (?:answers (?:30\d|401|403|404|405|5\d\d)\b|got no answer)/;
/** Different in each run. */
const IDENTIFIER = /\/(?=[^/\s]*\d)[\w-]{12,}/g;

/** Several checks can have this part of a message in common. */
function reasonOf(message: string): string | null {
  return message.match(BROKEN)?.[0].replace(IDENTIFIER, "/…") ?? null;
}

export function failsRun({ level, outcome, known }: ReportedCheck): boolean {
  return level === "MUST" && isOpen({ outcome }) && !known;
}

/** Hints about `@svc/login` are removed unless the tested site uses the package. */
export function shownChecks({ checks, uses_svc_login: usesSvcLogin }: Report): ReportedCheck[] {
  return usesSvcLogin ? checks : checks.map((check) => ({ ...check, svc_login: null }));
}

/** Shown together, because the checks failed for the same reason or guard against the same danger. */
export type Group = { head: string; note: string; checks: ReportedCheck[] };

/** From this number on, checks with the same reason form a group. */
const COMMON = 3;

/** In the order in which to fix them. A report shows the groups before the complete list of checks. */
export function groupOpenChecks(report: Report): { title: string; outcome: Outcome; groups: Group[] }[] {
  const open = shownChecks(report).filter(isOpen);
  const sharing = ({ reason }: ReportedCheck) =>
    reason === null ? [] : open.filter((check) => check.reason === reason);
  const isCommon = (check: ReportedCheck) => check.outcome === "blocked" || sharing(check).length >= COMMON;
  const headOf = (check: ReportedCheck) => (sharing(check).length > 1 ? check.reason : null) ?? check.message;
  const obstacles = together(open.filter(isCommon), headOf).map(({ head, checks: own }): Group => {
    const message = own[0]?.message ?? "";
    const counts = countOf(own);
    // A short reason becomes the group's heading. If the reason is a complete message, it goes below the counts.
    if (head === message) return { head: counts, note: message, checks: own };
    const details = message.startsWith(`${head}: `) ? message.slice(head.length + 2) : message;
    const note = message === `${head}.` ? "" : `For example: ${details}`;
    return { head: `${head}: ${counts}`, note, checks: own };
  });
  const failed = open.filter((check) => !isCommon(check));
  const part = (title: string, isIn: (check: ReportedCheck) => boolean) => ({
    ...{ title, outcome: "failed" as const },
    groups: together(failed.filter(isIn), ({ family }) => family),
  });
  return [
    {
      ...{ title: "Fix these first", outcome: "blocked" as const },
      groups: obstacles.toSorted((one, other) => other.checks.length - one.checks.length),
    },
    part("Failed MUST", ({ level, known }) => !known && level === "MUST"),
    part("Failed SHOULD", ({ level, known }) => !known && level !== "MUST"),
    part("Known failure", ({ known }) => known),
  ].filter(({ groups }) => groups.length > 0);
}

function together(checks: ReportedCheck[], headOf: (check: ReportedCheck) => string): Group[] {
  const groups = [...Map.groupBy(checks, headOf)];
  return groups.map(([head, own]) => ({ head, note: own[0]?.why ?? "", checks: own }));
}

/** For example "61 checks blocked, 3 failed". */
function countOf(checks: ReportedCheck[]): string {
  const count = (outcome: Outcome) => checks.filter((check) => check.outcome === outcome).length;
  const [blocked, failed] = [count("blocked"), count("failed")];
  const noun = (blocked || failed) === 1 ? "check" : "checks";
  if (blocked === 0) return `${failed} ${noun} failed`;
  return `${blocked} ${noun} blocked${failed > 0 ? `, ${failed} failed` : ""}`;
}

/** A line in a report, with its label. */
export type Line = [label: string, text: string, place?: Place];

const QUOTED_CHARACTERS = 400;
/** Keys, signatures and padding, of which the report shows only both ends. */
const LONG_TEXT = /[0-9a-f]{60,}|(?<=sig=)[^&]{60,}|(.)\1{40,}/gi;

function wireOf({ exchanges }: ReportedCheck): Line[] {
  const last = exchanges.at(-1);
  if (!last) return [];
  const headers = last.request_headers.filter((line) => line !== "Content-Type: application/json");
  const cut = (text: string) => {
    const line = text.trim().replace(/\s+/g, " ");
    const short = line.replace(LONG_TEXT, (long) => `${long.slice(0, 6)}…${long.slice(-6)}`);
    return short.length > QUOTED_CHARACTERS ? `${short.slice(0, QUOTED_CHARACTERS)}…` : short;
  };
  return [
    ["Sent last", cut([last.request, ...headers, last.sent].join(" "))],
    ["Came back", cut(`${last.status} ${last.received}`)],
  ];
}

/** What the check sent, received and expected, and the usual cause of the failure. */
export function describeFailure(check: ReportedCheck): Line[] {
  const { proves, message, cause, section } = check;
  return [
    ...wireOf(check),
    ["Expected", proves],
    ["What happened", message.slice(0, 1).toUpperCase() + message.slice(1)],
    ["Usual cause", cause],
    ["Protocol", `section ${section.title}`, section],
  ];
}

export function collectFixes({ checks }: Pick<Group, "checks">): Line[] {
  const lines = checks.flatMap(({ fix, svc_login: svcLogin }): Line[] => [
    ["How to fix it", fix],
    ...(svcLogin === null ? [] : [["With @svc/login", svcLogin] satisfies Line]),
  ]);
  return [...new Map(lines.map((line) => [line[1], line])).values()];
}

/** For an endpoint that is missing, closed or broken. The first pattern that matches the reason applies. */
const REMEDIES: readonly [reason: RegExp, remedy: string][] = [
  [
    /\/callback\/[\w-]{1,40} answers 40[45]$/,
    "This is the path of NextAuth. If your site does not use NextAuth, pass its own paths, for example `--sign-in /api/svc/sign-in --session /api/svc/session --sign-out /api/svc/sign-out`.",
  ],
  [/ 40[45]$/, "Serve this path and method, or name the right path with an option (see `--help`)."],
  [
    / 403$/,
    "Let requests without a session reach this path. If it checks `Origin`, pass the site's own origin as `--url`, since the kit sends that.",
  ],
  [
    / (?:30\d|401)$/,
    "Let requests without a session reach this path, and look for a redirect or a login in front of it.",
  ],
  [/ 5\d\d$/, "Read the server's log at the time of this request. The exception there is the cause."],
  [/no answer$/, "Read the server's log at the time of this request, or wait longer with `--timeout`."],
];

/** An example of a request and its response, and how to remove the obstacle. */
export function describeObstacle(group: Group): Line[] {
  const example = group.checks.find(({ exchanges }) => exchanges.length > 0);
  const first = group.checks.map(({ fix_first: id }) => id).find((id) => id !== null);
  const isElsewhere = first && !group.checks.some(({ id }) => id === first);
  const order: Line[] = isElsewhere ? [["Fix first", first]] : [];
  return [...(example ? wireOf(example) : []), ...removalOf(group), ...order];
}

/** The remedy for the reason, or else the fix for a check that failed for the same reason. */
function removalOf({ checks }: Group): Line[] {
  const [first] = checks;
  const remedy = REMEDIES.find(([reason]) => first?.reason && reason.test(first.reason));
  const failed = checks.filter(({ outcome }) => outcome === "failed").slice(0, 1);
  if (!remedy)
    return [...failed.map(({ cause }): Line => ["Usual cause", cause]), ...collectFixes({ checks: failed })];
  const hints = failed.flatMap(({ svc_login: hint }): Line[] =>
    hint === null ? [] : [["With @svc/login", hint]],
  );
  return [["How to fix it", remedy[1]], ...hints];
}

export function summariseRun({ holds, totals, stale, checks }: Report): string {
  if (!holds && stale.length > 0)
    return `The baseline names checks that no longer fail: ${stale.join(", ")}. Remove them.`;
  const broken = checks.filter(failsRun);
  const failed = broken.filter(({ outcome }) => outcome === "failed").length;
  const untriedCount = broken.length - failed;
  const failures = failed === 1 ? "1 MUST check failed" : `${failed} MUST checks failed`;
  if (failed > 0 && untriedCount > 0) return `${failures}, and ${untriedCount} could not be run.`;
  if (failed > 0) return `${failures}.`;
  if (untriedCount > 0)
    return `No MUST check failed, but ${untriedCount} could not be run, so the result is incomplete.`;
  if (totals.passed === 0) return "No check was run.";
  const open = totals.failed + totals.blocked;
  const skipped = checks.filter(({ level, outcome }) => level === "MUST" && outcome === "skipped");
  const ids = skipped.map(({ id }) => id).join(", ");
  const note =
    ids && ` ${skipped.length} MUST ${skipped.length === 1 ? "check was" : "checks were"} skipped: ${ids}.`;
  const apart = open === 0 ? "" : `, apart from known failures and recommendations (${open})`;
  return `Every MUST check${note && " that ran"} passed${apart}.${note}`;
}
