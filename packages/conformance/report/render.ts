import { join } from "node:path";
import { toVisibleLine, toVisibleText } from "../../terminal/visible-text.ts";
import type { Exchange } from "../http-client.ts";
import type { Outcome } from "../run-checks.ts";
import { type Explanation, findReferenceRow, type Place, sectionOf } from "./reference.ts";
import {
  collectFixes,
  describeFailure,
  describeObstacle,
  failsRun,
  type Group,
  groupOpenChecks,
  type Line,
  type Report,
  type ReportedCheck,
  shownChecks,
  summariseRun,
} from "./report.ts";

/**
 * A table, JUnit XML and HTML. All three formats show the same groups and lines (`groupOpenChecks`, `describeFailure`).
 * A report can contain text from the tested side. That text must not control a terminal or become markup.
 */

/** Returns a link that the report's reader can follow. */
type Locate = (place: Place) => string;

/** The report's folder contains a copy of the page. */
const locateInReport: Locate = ({ page, anchor }) => `docs/${page}.md#${anchor}`;

const MARKS: Record<Outcome, string> = { passed: "✓", failed: "✗", blocked: "■", skipped: "–" };
const COLOURS: Record<Outcome, number> = { passed: 32, failed: 31, blocked: 33, skipped: 2 };

/** A line for each check, then what to fix, and the verdict. */
export function renderTable(
  report: Report,
  { colours, columns, program }: { colours: boolean; columns: number; program: string },
): string {
  const paint = (outcome: Outcome, text: string) =>
    colours ? `\u001b[${COLOURS[outcome]}m${text}\u001b[0m` : text;
  const width = Math.max(...report.checks.map(({ id }) => id.length), 2);
  const row = ({ outcome, id, level, message, proves }: ReportedCheck) => {
    const text = outcome === "skipped" ? `skipped: ${toVisibleLine(message)}` : proves;
    const line = cut(text, Math.max(40, columns - width - 12));
    return `${paint(outcome, MARKS[outcome])} ${id.padEnd(width)}  ${level.padEnd(6)}  ${outcome === "failed" ? line : paint("skipped", line)}`;
  };
  const wrap = (text: string, indent: string) => wrapped(toVisibleLine(text), Math.min(columns, 120), indent);
  const lines = (of: Line[], indent: string) =>
    of.map(([label, text, place]) =>
      wrap(`${label}: ${text}${place ? ` (${locateInReport(place)})` : ""}`, indent),
    );
  const obstacle = (group: Group) => [
    paint("blocked", toVisibleLine(group.head)),
    ...(group.note === "" ? [] : [wrap(group.note, "  ")]),
    ...lines(describeObstacle(group), "  "),
    wrap(group.checks.map(({ id }) => id).join(", "), "  "),
    "",
  ];
  const failures = (group: Group) => [
    paint("failed", group.head),
    ...group.checks.flatMap((check) => [`  ${check.id}`, ...lines(describeFailure(check), "    ")]),
    ...lines([["Why it matters", group.note], ...collectFixes(group)], "  "),
    ...group.checks
      .slice(0, 1)
      .map(({ id, reference }) => `  More: ${program} explain ${id} (${locateInReport(reference)})`),
    "",
  ];
  const { passed, failed, blocked, skipped } = report.totals;
  const { sent, at_most: atMost } = report.requests;
  return [
    ...report.checks.map(row),
    "",
    ...groupOpenChecks(report).flatMap(({ title, outcome, groups }) => [
      title,
      "",
      ...groups.flatMap(outcome === "blocked" ? obstacle : failures),
    ]),
    `${passed} passed, ${failed} failed, ${blocked} blocked, ${skipped} skipped · ${Math.round(report.seconds)} s · ${sent} of at most ${atMost} requests`,
    paint(report.holds ? "passed" : "failed", toVisibleLine(summariseRun(report))),
    "",
  ].join("\n");
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

function wrapped(text: string, columns: number, indent: string): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && indent.length + line.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.map((line) => indent + line).join("\n");
}

/**
 * `junit.xml`, which CI servers read. A check that could not be run is an error, not a failure. A SHOULD that failed is
 * skipped, with a message, because it does not fail the run.
 */
export function renderJunit(report: Report): string {
  const { subject, target, seconds, started_at: startedAt, stale } = report;
  const staleCases = stale.map(
    (id) =>
      `    <testcase classname="baseline" name=${quote(id)}><failure message="It no longer fails."/></testcase>`,
  );
  const all = [...shownChecks(report).map(renderCase), ...staleCases];
  const count = (element: string) => all.filter((text) => text.includes(`<${element} `)).length;
  const attributes = `tests="${all.length}" failures="${count("failure")}" errors="${count("error")}" skipped="${count("skipped")}" time="${seconds.toFixed(1)}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites ${attributes}>
  <testsuite name=${quote(`${subject} ${target}`)} timestamp="${startedAt}" ${attributes}>
${all.join("\n")}
  </testsuite>
</testsuites>
`;
}

function renderCase(check: ReportedCheck): string {
  const { id, level, proves, outcome, message, seconds, why } = check;
  const head = `    <testcase classname=${quote(`${level} ${id}`)} name=${quote(proves)} time="${seconds.toFixed(3)}"`;
  if (outcome === "passed") return `${head}/>`;
  const element = !failsRun(check) ? "skipped" : outcome === "failed" ? "failure" : "error";
  const lines: Line[] = [
    ...describeFailure(check),
    ["Why it matters", why],
    ...collectFixes({ checks: [check] }),
  ];
  const advice = outcome === "failed" ? lines.map(([label, text]) => `${label}: ${toVisibleLine(text)}`) : [];
  return `${head}><${element} message=${quote(`${outcome}: ${message}`)}>${escapeXml(advice.join("\n"))}</${element}></testcase>`;
}

/** XML 1.0 does not allow control characters, even when they are escaped. */
function quote(text: string): string {
  return `"${escapeXml(toVisibleLine(text))}"`;
}

function escapeXml(text: string): string {
  const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? "");
}

const ORDER: readonly Outcome[] = ["failed", "blocked", "passed", "skipped"];

/** `report.html` has no scripts, and works offline, in light and dark mode, and in print. */
export function renderHtml(report: Report, locate: Locate = locateInReport): string {
  const { subject, target, totals, seconds, requests, started_at: startedAt, kit, stale, holds } = report;
  const total = report.checks.length || 1;
  const bar = ORDER.map(
    (outcome) => `<span class="${outcome}" style="width:${(totals[outcome] / total) * 100}%"></span>`,
  );
  const counts = ORDER.map((outcome) => `<li class="${outcome}"><b>${totals[outcome]}</b> ${outcome}</li>`);
  const staleNote = stale.length
    ? `<p class="note">In the baseline, and no longer failing: ${stale.map(escapeHtml).join(", ")}</p>`
    : "";
  const parts = groupOpenChecks(report).map(({ title, outcome, groups }) => {
    const count = groups.reduce((sum, { checks }) => sum + checks.length, 0);
    const articles = groups.map((group) => renderGroup(outcome, group, locate));
    return `<section><h2>${title} <span>${count}</span></h2>\n${articles.join("\n")}</section>`;
  });
  const rest = (["passed", "skipped"] as const).map((outcome) => {
    const own = report.checks.filter((check) => check.outcome === outcome);
    const title = outcome === "passed" ? "Passed" : "Skipped";
    return own.length === 0
      ? ""
      : `<section>${folded(
          `<h2>${title} <span>${own.length}</span></h2>`,
          own.map((check) => renderCheck(check, locate)),
        )}</section>`;
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${holds ? "Conforms" : "Does not conform"}: ${escapeHtml(target)}</title>
<style>${STYLE}</style>
<header>
  <p class="kind">Conformance of a ${escapeHtml(subject)}</p>
  <h1>${escapeHtml(target)}</h1>
  <p class="verdict ${holds ? "passed" : totals.failed > 0 ? "failed" : "blocked"}">${escapeHtml(summariseRun(report))}</p>
  <div class="bar" role="img" aria-label="${totals.passed} of ${total} checks passed">${bar.join("")}</div>
  <ul class="counts">${counts.join("")}</ul>
  ${staleNote}
  <dl>
    <div><dt>Started</dt><dd><time datetime="${startedAt}">${startedAt.slice(0, 16).replace("T", " ")} UTC</time></dd></div>
    <div><dt>Took</dt><dd>${Math.round(seconds)} s</dd></div>
    <div><dt>Requests</dt><dd>${requests.sent} of at most ${requests.at_most}</dd></div>
    <div><dt>Kit</dt><dd>${escapeHtml(kit)}</dd></div>
  </dl>
</header>
<main>${[...parts, ...rest].join("")}</main>
</html>
`;
}

function renderGroup(outcome: Outcome, group: Group, locate: Locate): string {
  const { head, note, checks } = group;
  const renderedChecks = checks.map((check) => renderCheck(check, locate));
  const isObstacle = outcome === "blocked";
  const advice: Line[] = isObstacle
    ? describeObstacle(group)
    : [["Why it matters", note], ...collectFixes(group)];
  return `<article class="${outcome}"><h3>${code(head)}</h3>
${isObstacle && note !== "" ? `<p>${escapeHtml(note)}</p>` : ""}${advice.map((line) => renderLine(line, locate)).join("\n")}
${isObstacle ? folded("The checks", renderedChecks) : renderedChecks.join("\n")}</article>`;
}

function renderCheck(check: ReportedCheck, locate: Locate): string {
  const { id, level, proves, message, outcome, exchanges, anchor, reference } = check;
  const isFailed = outcome === "failed";
  const lines: Line[] = isFailed
    ? describeFailure(check)
    : outcome === "passed"
      ? []
      : [[outcome === "skipped" ? "Skipped" : "Blocked", message]];
  const wire =
    exchanges.length > 0 ? folded("The last requests and answers", exchanges.map(renderExchange)) : "";
  return `<div id="${anchor}" class="check ${outcome}">
<p><a href="${escapeHtml(locate(reference))}"><code>${escapeHtml(id)}</code></a> <span class="level">${level}</span> ${isFailed ? "" : code(proves)}</p>
${lines.map((line) => renderLine(line, locate)).join("\n")}${wire}</div>`;
}

function renderLine([label, text, place]: Line, locate: Locate): string {
  const shown = place ? `<a href="${escapeHtml(locate(place))}">${escapeHtml(text)}</a>` : code(text);
  return `<p><b>${label}.</b> ${shown}</p>`;
}

function folded(summary: string, content: string[]): string {
  return `<details><summary>${summary}</summary><div>${content.join("\n")}</div></details>`;
}

function renderExchange(exchange: Exchange): string {
  const { request, request_headers: requestHeaders, sent, status, headers, received } = exchange;
  const lines = [request, ...requestHeaders, "", sent, "", String(status), ...headers, "", received];
  const text = lines.join("\n").replace(/\n{3,}/g, "\n\n");
  return `<details class="exchange"><summary><code>${escapeHtml(request.split("?")[0] ?? "")}</code> → ${status}</summary><pre>${escapeHtml(text)}</pre></details>`;
}

/** Backticks in the text mark code. */
function code(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

function escapeHtml(text: string): string {
  return escapeXml(toVisibleText(text)).replaceAll("'", "&#39;");
}

const STYLE = `
:root{--ground:#fff;--raised:#fafafa;--line:#e4e4e7;--text:#18181b;--quiet:#5f5f68;--accent:#1d4ed8;--passed:#15803d;--failed:#b91c1c;--blocked:#a16207}
@media (prefers-color-scheme:dark){:root{--ground:#0f0f11;--raised:#18181b;--line:#2e2e33;--text:#f4f4f5;--quiet:#a1a1aa;--accent:#93b4ff;--passed:#4ade80;--failed:#f87171;--blocked:#facc15}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:60rem;padding:48px 20px 80px;background:var(--ground);color:var(--text);font:15px/1.55 system-ui,sans-serif;overflow-wrap:anywhere}
h1{margin:0;font-size:26px;line-height:1.25}h2,h3{margin:0;font-size:17px}h3{font-size:15px}
h2 span,.kind,dt,.level{color:var(--quiet);font-weight:400}
p{margin:8px 0}.kind{margin:0 0 4px}section{margin-top:40px}
.verdict{font-size:17px;font-weight:600}.verdict.passed{color:var(--passed)}.verdict.failed{color:var(--failed)}.verdict.blocked{color:var(--blocked)}
.bar{display:flex;gap:2px;height:8px;margin:20px 0 12px;border-radius:4px;overflow:hidden}
.bar .passed{background:var(--passed)}.bar .failed{background:var(--failed)}.bar .blocked{background:var(--blocked)}.bar .skipped{background:var(--line)}
.counts,dl{display:flex;flex-wrap:wrap;gap:4px 28px;margin:0;padding:0;list-style:none}dl{margin-top:16px;font-size:13px}
dl div{display:flex;gap:8px}dd{margin:0}
article{margin:12px 0;padding:12px 16px;border:1px solid var(--line);border-left-width:4px;border-radius:8px;background:var(--raised)}
a{color:var(--accent)}
article.failed{border-left-color:var(--failed)}article.blocked{border-left-color:var(--blocked)}
.check{padding:8px 0;border-top:1px solid var(--line)}article>.check:first-of-type{margin-top:12px}.check p{margin:4px 0}
.level{font-size:12px}
code,pre{font:13px/1.5 ui-monospace,monospace}.check>p>code:first-child{font-weight:600}
summary{cursor:pointer}summary h2{display:inline}summary:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.exchange{margin:8px 0;border:1px solid var(--line);border-radius:8px;background:var(--ground)}.exchange summary{padding:6px 10px;font-size:13px}
pre{margin:0;padding:10px;white-space:pre-wrap;border-top:1px solid var(--line)}
@media print{body{padding:0}.check{break-inside:avoid}}
`;

/**
 * `svc-conformance explain ID`.
 * @param docs the path of the docs/ folder
 */
export function renderExplanation(explanation: Explanation, docs: string, columns: number): string {
  const { id, level, requirement, cause, family, why, fix, svcLogin } = explanation;
  const section = sectionOf(id);
  const linkTo = ({ page, anchor }: Place) => `${join(docs, `${page}.md`)}#${anchor}`;
  const lines = [
    ["Requirement", requirement],
    ["Why it matters", why],
    ["Usual cause", cause],
    ["How to fix it", fix],
    ...(svcLogin === null ? [] : [["With @svc/login", svcLogin]]),
    ["Protocol", `section ${section.title}`],
  ];
  const texts = lines.map(
    ([label, text]) => `${label}\n${wrapped(text ?? "", Math.min(columns, 100), "  ")}\n`,
  );
  return `${id} (${level}), ${family}\n\n${texts.join("\n")}  ${linkTo(section)}\n  ${linkTo(findReferenceRow(id))}\n`;
}
