import { visibleText } from "../../terminal/visible-text.ts";
import type { Exchange } from "../http-client.ts";
import type { Outcome } from "../run-checks.ts";
import { escapeXml } from "./junit.ts";
import {
  countNotTried,
  failuresOf,
  obstaclesOf,
  type Report,
  type ReportedCheck,
  type ToldTogether,
  verdictOf,
} from "./report.ts";

const LABELS: Record<Outcome, string> = {
  failed: "failed",
  blocked: "not tried",
  passed: "passed",
  skipped: "skipped",
};
const ORDER: readonly Outcome[] = ["failed", "blocked", "passed", "skipped"];

/** `report.html`: one file that needs no network, no other page and no script, light and dark, on paper too. */
export function renderHtml(report: Report): string {
  const { subject, target, totals, seconds, requests, started_at: startedAt, kit, stale, holds } = report;
  const total = report.checks.length || 1;
  const bar = ORDER.map(
    (outcome) => `<span class="${outcome}" style="width:${(totals[outcome] / total) * 100}%"></span>`,
  ).join("");
  const counts = ORDER.map(
    (outcome) => `<li class="${outcome}"><b>${totals[outcome]}</b> ${LABELS[outcome]}</li>`,
  ).join("");
  const staleNote = stale.length
    ? `<p class="note">In the baseline, and not failing: ${stale.map(escapeHtml).join(", ")}</p>`
    : "";
  const groups = [
    ...renderObstacles(obstaclesOf(report)),
    ...failuresOf(report).map(renderFailures),
    ...(["passed", "skipped"] as const).map((outcome) => renderRest(report, outcome)),
  ].join("");
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
  <p class="verdict ${holds ? "passed" : totals.failed > 0 ? "failed" : "blocked"}">${escapeHtml(verdictOf(report))}</p>
  <div class="bar" role="img" aria-label="${totals.passed} of ${total} checks passed">${bar}</div>
  <ul class="counts">${counts}</ul>
  ${staleNote}
  <dl>
    <div><dt>Started</dt><dd><time datetime="${startedAt}">${startedAt.slice(0, 16).replace("T", " ")} UTC</time></dd></div>
    <div><dt>Took</dt><dd>${Math.round(seconds)} s</dd></div>
    <div><dt>Requests</dt><dd>${requests.sent} of at most ${requests.at_most}</dd></div>
    <div><dt>Kit</dt><dd>${escapeHtml(kit)}</dd></div>
  </dl>
</header>
<main>${groups}</main>
</html>
`;
}

/** What kept checks from being tried, told once, before all else. */
function renderObstacles(obstacles: ToldTogether[]): string[] {
  if (obstacles.length === 0) return [];
  const each = obstacles.map(
    (together) => `<article class="blocked"><p class="said">${escapeHtml(together.head)}</p>
<details><summary>${countNotTried(together)}</summary><div>${together.checks.map(renderCheck).join("\n")}</div></details></article>`,
  );
  return [`<section><h2>Could not be tried</h2>\n${each.join("\n")}</section>`];
}

function renderFailures({ title, families }: ReturnType<typeof failuresOf>[number]): string {
  const count = families.reduce((sum, { checks }) => sum + checks.length, 0);
  const each = families.map(({ head, checks }) => {
    const [{ why = "", mend = "" } = {}] = checks;
    return `<article class="failed"><h3>${code(head)}</h3>
<p><b>Why it matters.</b> ${code(why)}</p>
<p><b>How to mend it.</b> ${code(mend)}</p>
${checks.map(renderCheck).join("\n")}</article>`;
  });
  return `<section><h2>${title} <span>${count}</span></h2>\n${each.join("\n")}</section>`;
}

function renderRest({ checks }: Report, outcome: "passed" | "skipped"): string {
  const own = checks.filter((check) => check.outcome === outcome);
  if (own.length === 0) return "";
  const title = outcome === "passed" ? "Passed" : "Skipped";
  return `<section><details><summary><h2>${title} <span>${own.length}</span></h2></summary><div>
${own.map(renderCheck).join("\n")}</div></details></section>`;
}

/** A check in a line, and below it what the other side did, unless its reason stands above. */
function renderCheck(check: ReportedCheck): string {
  const { id, level, proves, cause, message, outcome, exchanges, anchor } = check;
  const isFailed = outcome === "failed";
  const label = isFailed ? "<b>What happened.</b> " : "";
  const said = message && outcome !== "blocked" ? `<p>${label}${escapeHtml(message)}</p>` : "";
  const usual = isFailed ? `<p><b>Usual cause.</b> ${code(cause)}</p>` : "";
  const wire =
    isFailed && exchanges.length > 0
      ? `<details><summary>What was sent last</summary>${exchanges.map(renderExchange).join("")}</details>`
      : "";
  return `<div id="${anchor}" class="check ${outcome}">
<p><code>${escapeHtml(id)}</code> <span class="level">${level}</span> ${code(proves)}</p>
${said}${usual}${wire}</div>`;
}

function renderExchange(exchange: Exchange): string {
  const { request, sent, status, headers, received } = exchange;
  const lines = [request, sent, "", String(status), ...headers, "", received];
  const text = lines.join("\n").replace(/\n{3,}/g, "\n\n");
  return `<details class="exchange"><summary><code>${escapeHtml(request.split("?")[0] ?? "")}</code> → ${status}</summary><pre>${escapeHtml(text)}</pre></details>`;
}

/** Text whose backticks become code. */
function code(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

function escapeHtml(text: string): string {
  return escapeXml(visibleText(text)).replaceAll("'", "&#39;");
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
article.failed{border-left-color:var(--failed)}article.blocked{border-left-color:var(--blocked)}
.check{padding:8px 0;border-top:1px solid var(--line)}article>.check:first-of-type{margin-top:12px}.check p{margin:4px 0}
.level{font-size:12px}.said{font-weight:600}
code,pre{font:13px/1.5 ui-monospace,monospace}.check>p>code:first-child{font-weight:600}
summary{cursor:pointer}summary h2{display:inline}summary:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.exchange{margin:8px 0;border:1px solid var(--line);border-radius:8px;background:var(--ground)}.exchange summary{padding:6px 10px;font-size:13px}
pre{margin:0;padding:10px;white-space:pre-wrap;border-top:1px solid var(--line)}
@media print{body{padding:0}.check{break-inside:avoid}}
`;
