import type { Outcome } from "../run-checks.ts";
import { type Report, type ReportedCheck, verdictOf } from "./report.ts";
import { visibleText } from "./visible-text.ts";

const LABELS: Record<Outcome, string> = {
  failed: "Failed",
  blocked: "Blocked",
  passed: "Passed",
  skipped: "Skipped",
};
const ORDER: readonly Outcome[] = ["failed", "blocked", "passed", "skipped"];

/**
 * `report.html`: one file that needs no network and no script, light and dark, on paper too.
 * @param guide where docs/conformance.md is; null where nobody knows
 */
export function renderHtml(report: Report, guide: string | null): string {
  const { subject, target, totals, seconds, requests, started_at: startedAt, kit, stale, holds } = report;
  const total = report.checks.length || 1;
  const bar = ORDER.map(
    (outcome) => `<span class="${outcome}" style="width:${(totals[outcome] / total) * 100}%"></span>`,
  ).join("");
  const counts = ORDER.map(
    (outcome) => `<li class="${outcome}"><b>${totals[outcome]}</b> ${LABELS[outcome].toLowerCase()}</li>`,
  ).join("");
  const staleNote = stale.length
    ? `<p class="note">In the baseline, and not failing: ${stale.map(escapeHtml).join(", ")}</p>`
    : "";
  const groups = ORDER.map((outcome) => renderGroup(report, outcome, guide)).join("");
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
  <p class="verdict ${holds ? "passed" : "failed"}">${escapeHtml(verdictOf(report))}</p>
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

function renderGroup({ checks }: Report, outcome: Outcome, guide: string | null): string {
  const own = checks.filter((check) => check.outcome === outcome);
  if (own.length === 0) return "";
  const isOpen = outcome === "failed" || outcome === "blocked";
  return `<section><h2>${LABELS[outcome]} <span>${own.length}</span></h2>
${own.map((check) => renderCheck(check, isOpen, guide)).join("\n")}</section>`;
}

function renderCheck(check: ReportedCheck, isOpen: boolean, guide: string | null): string {
  const { id, level, proves, cause, message, known, outcome, exchanges, anchor } = check;
  const link = guide ? ` <a href="${escapeHtml(guide)}#${anchor}">What to do</a>` : "";
  const said = message ? `<p class="said">${known ? "Known: " : ""}${escapeHtml(message)}</p>` : "";
  const why = isOpen ? `<p><b>Usual cause.</b> ${code(cause)}${link}</p>` : `<p>${link}</p>`;
  return `<details id="${anchor}" class="${outcome}"${isOpen ? " open" : ""}>
<summary><code>${escapeHtml(id)}</code><span class="level">${level}</span><span class="proves">${code(proves)}</span></summary>
<div>${said}${why}${exchanges.map(renderExchange).join("")}</div></details>`;
}

function renderExchange({
  request,
  sent,
  status,
  headers,
  received,
}: ReportedCheck["exchanges"][number]): string {
  const text = [request, sent, "", String(status), ...headers, "", received]
    .join("\n")
    .replace(/\n{3,}/g, "\n\n");
  return `<details class="exchange"><summary><code>${escapeHtml(request.split("?")[0] ?? "")}</code> → ${status}</summary><pre>${escapeHtml(text)}</pre></details>`;
}

/** Text whose backticks become code. */
function code(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return visibleText(text).replace(/[&<>"']/g, (character) => entities[character] ?? "");
}

const STYLE = `
:root{--ground:#fff;--raised:#fafafa;--line:#e4e4e7;--text:#18181b;--quiet:#5f5f68;--accent:#1d4ed8;--passed:#15803d;--failed:#b91c1c;--blocked:#a16207;--skipped:#71717a}
@media (prefers-color-scheme:dark){:root{--ground:#0f0f11;--raised:#18181b;--line:#2e2e33;--text:#f4f4f5;--quiet:#a1a1aa;--accent:#93b4ff;--passed:#4ade80;--failed:#f87171;--blocked:#facc15;--skipped:#a1a1aa}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:60rem;padding:48px 20px 80px;background:var(--ground);color:var(--text);font:15px/1.55 system-ui,sans-serif}
h1{margin:0;font-size:26px;line-height:1.25;overflow-wrap:anywhere}
h2{margin:40px 0 12px;font-size:17px}h2 span,.kind,dt,.level{color:var(--quiet);font-weight:400}
p{margin:8px 0}.kind{margin:0 0 4px}
.verdict{font-size:17px;font-weight:600}.verdict.passed{color:var(--passed)}.verdict.failed{color:var(--failed)}
.bar{display:flex;gap:2px;height:8px;margin:20px 0 12px;border-radius:4px;overflow:hidden}
.bar .passed{background:var(--passed)}.bar .failed{background:var(--failed)}.bar .blocked{background:var(--blocked)}.bar .skipped{background:var(--line)}
.counts,dl{display:flex;flex-wrap:wrap;gap:4px 28px;margin:0;padding:0;list-style:none}dl{margin-top:16px;font-size:13px}
dl div{display:flex;gap:8px}dd{margin:0}
details{border:1px solid var(--line);border-left-width:4px;border-radius:8px;margin:8px 0;background:var(--raised)}
details.failed{border-left-color:var(--failed)}details.blocked{border-left-color:var(--blocked)}details.passed{border-left-color:var(--passed)}
summary{padding:10px 14px;cursor:pointer;display:flex;flex-wrap:wrap;gap:2px 12px;align-items:baseline}
summary:focus-visible,a:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
summary::-webkit-details-marker{display:none}summary .proves{flex:1 1 28rem}.level{font-size:12px}
details>div{padding:0 14px 12px;border-top:1px solid var(--line)}
.said{font-weight:600;overflow-wrap:anywhere}a{color:var(--accent)}
code,pre{font:13px/1.5 ui-monospace,monospace}summary>code{font-weight:600}
.exchange{border-left-width:1px;background:var(--ground)}.exchange summary{padding:6px 10px;font-size:13px}
pre{margin:0;padding:10px;overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere;border-top:1px solid var(--line)}
@media print{body{padding:0}details{break-inside:avoid}}
`;
