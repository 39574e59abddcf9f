import { visibleLine } from "../../terminal/visible-text.ts";
import { breaksRun, type Report, type ReportedCheck } from "./report.ts";

/**
 * `junit.xml`, as CI servers read it: what could not be tried is an error, not a failure. A SHOULD that fails is
 * skipped with its message, since it fails no run.
 */
export function renderJunit(report: Report): string {
  const { subject, target, seconds, started_at: startedAt, checks, stale } = report;
  const cases = checks.map(renderCase);
  const staleCases = stale.map(
    (id) =>
      `    <testcase classname="baseline" name=${quote(id)}><failure message="It does not fail any more."/></testcase>`,
  );
  const all = [...cases, ...staleCases];
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
  const { id, level, proves, outcome, message, seconds, cause, why, mend } = check;
  const head = `    <testcase classname=${quote(`${level} ${id}`)} name=${quote(proves)} time="${seconds.toFixed(3)}"`;
  if (outcome === "passed") return `${head}/>`;
  const element = !breaksRun(check) ? "skipped" : outcome === "failed" ? "failure" : "error";
  const advice =
    outcome === "failed" ? `Usual cause: ${cause}\nWhy it matters: ${why}\nHow to mend it: ${mend}` : "";
  return `${head}><${element} message=${quote(`${outcome}: ${message}`)}>${escapeXml(advice)}</${element}></testcase>`;
}

/** Quotes a text from outside as one visible line: XML 1.0 allows no control characters, not even escaped. */
function quote(text: string): string {
  return `"${escapeXml(visibleLine(text))}"`;
}

export function escapeXml(text: string): string {
  const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? "");
}
