import type { Outcome } from "../run-checks.ts";
import { type Report, type ReportedCheck, verdictOf } from "./report.ts";
import { visibleLine } from "./visible-text.ts";

const MARKS: Record<Outcome, string> = { passed: "✓", failed: "✗", blocked: "■", skipped: "–" };
const COLOURS: Record<Outcome, number> = { passed: 32, failed: 31, blocked: 33, skipped: 2 };

/** The table at the end of a run, for a terminal. What the other side said is in it, and none of it is obeyed. */
export function renderTable(
  report: Report,
  { colours, columns }: { colours: boolean; columns: number },
): string {
  const paint = (code: number, text: string) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);
  const width = Math.max(...report.checks.map(({ id }) => id.length), 2);
  const room = Math.max(40, columns - width - 12);
  const row = ({ outcome, id, level, message, proves, known }: ReportedCheck) => {
    const mark = paint(COLOURS[outcome], MARKS[outcome]);
    const said = outcome === "passed" ? proves : `${known ? "known: " : ""}${visibleLine(message)}`;
    const text = outcome === "passed" ? paint(2, cut(said, room)) : said;
    return `${mark} ${id.padEnd(width)}  ${level.padEnd(6)}  ${text}`;
  };
  const { passed, failed, blocked, skipped } = report.totals;
  const { sent, at_most: atMost } = report.requests;
  return [
    ...report.checks.map(row),
    "",
    `${passed} passed, ${failed} failed, ${blocked} blocked, ${skipped} skipped · ${Math.round(report.seconds)} s · ${sent} of at most ${atMost} requests`,
    paint(report.holds ? 32 : 31, visibleLine(verdictOf(report))),
    "",
  ].join("\n");
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
