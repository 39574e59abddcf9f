import type { Report, ReportedCheck } from "./report.ts";
import { visibleLine } from "./visible-text.ts";

/** `junit.xml`, as CI servers read it: a SHOULD that fails is skipped with its message, since it fails no run. */
export function renderJunit({
  subject,
  target,
  seconds,
  started_at: startedAt,
  checks,
  stale,
}: Report): string {
  const cases = checks.map(renderCase);
  const staleCases = stale.map(
    (id) =>
      `    <testcase classname="baseline" name=${quote(id)}><failure message="It does not fail any more."/></testcase>`,
  );
  const all = [...cases, ...staleCases];
  const failures = all.filter((text) => text.includes("<failure")).length;
  const skipped = all.filter((text) => text.includes("<skipped")).length;
  const attributes = `tests="${all.length}" failures="${failures}" skipped="${skipped}" time="${seconds.toFixed(1)}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites ${attributes}>
  <testsuite name=${quote(`${subject} ${target}`)} timestamp="${startedAt}" errors="0" ${attributes}>
${all.join("\n")}
  </testsuite>
</testsuites>
`;
}

function renderCase({ id, level, proves, outcome, message, known, seconds }: ReportedCheck): string {
  const head = `    <testcase classname=${quote(`${level} ${id}`)} name=${quote(proves)} time="${seconds.toFixed(3)}"`;
  if (outcome === "passed") return `${head}/>`;
  const fails = level === "MUST" && outcome !== "skipped" && !known;
  const element = fails ? "failure" : "skipped";
  return `${head}><${element} message=${quote(`${outcome}: ${message}`)}/></testcase>`;
}

function quote(text: string): string {
  const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  // XML 1.0 has no control characters, escaped or not, and CI servers print what they read.
  return `"${visibleLine(text).replace(/[&<>"]/g, (character) => entities[character] ?? "")}"`;
}
