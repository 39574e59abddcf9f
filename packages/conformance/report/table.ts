import { visibleLine } from "../../terminal/visible-text.ts";
import type { Outcome } from "../run-checks.ts";
import {
  countNotTried,
  failuresOf,
  obstaclesOf,
  type Report,
  type ReportedCheck,
  type ToldTogether,
  verdictOf,
} from "./report.ts";

const MARKS: Record<Outcome, string> = { passed: "✓", failed: "✗", blocked: "■", skipped: "–" };
const COLOURS: Record<Outcome, number> = { passed: 32, failed: 31, blocked: 33, skipped: 2 };

type Paint = (outcome: Outcome, text: string) => string;

/**
 * What a terminal shows at the end of a run: a line for each check, then what to fix, and the verdict. Text of
 * the other side is in it, and cannot control the terminal.
 */
export function renderTable(
  report: Report,
  { colours, columns }: { colours: boolean; columns: number },
): string {
  const paint: Paint = (outcome, text) => (colours ? `\u001b[${COLOURS[outcome]}m${text}\u001b[0m` : text);
  const width = Math.max(...report.checks.map(({ id }) => id.length), 2);
  const room = Math.max(40, columns - width - 12);
  const row = ({ outcome, id, level, message, proves }: ReportedCheck) => {
    const text = outcome === "skipped" ? `skipped: ${visibleLine(message)}` : proves;
    const shown = cut(text, room);
    return `${paint(outcome, MARKS[outcome])} ${id.padEnd(width)}  ${level.padEnd(6)}  ${outcome === "failed" ? shown : paint("skipped", shown)}`;
  };
  const wrap = (text: string, indent: string) => wrapped(visibleLine(text), Math.min(columns, 120), indent);
  const obstacle = (together: ToldTogether) => [
    paint("blocked", countNotTried(together)),
    wrap(together.head, "  "),
    wrap(together.checks.map(({ id }) => id).join(", "), "  "),
    "",
  ];
  const failure = ({ id, proves, message, cause }: ReportedCheck) => [
    wrap(`${id}: ${proves}`, "  "),
    wrap(`What happened: ${message}`, "    "),
    wrap(`Usual cause: ${cause}`, "    "),
  ];
  const family = (title: string, { head, checks }: ToldTogether) => [
    paint("failed", `${title}: ${head}`),
    ...checks.flatMap(failure),
    wrap(`Why it matters: ${checks[0]?.why}`, "  "),
    wrap(`How to mend it: ${checks[0]?.mend}`, "  "),
    "",
  ];
  const { passed, failed, blocked, skipped } = report.totals;
  const { sent, at_most: atMost } = report.requests;
  return [
    ...report.checks.map(row),
    "",
    ...obstaclesOf(report).flatMap(obstacle),
    ...failuresOf(report).flatMap(({ title, families }) => families.flatMap((each) => family(title, each))),
    `${passed} passed, ${failed} failed, ${blocked} blocked, ${skipped} skipped · ${Math.round(report.seconds)} s · ${sent} of at most ${atMost} requests`,
    paint(report.holds ? "passed" : "failed", visibleLine(verdictOf(report))),
    "",
  ].join("\n");
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/** A paragraph whose lines break between words and begin with `indent`. */
function wrapped(text: string, columns: number, indent: string): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && indent.length + line.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.map((line) => indent + line).join("\n");
}

/** How often progress is told if stderr is no terminal. */
const EVERY_MS = 10_000;

/** Shows progress on stderr: on a terminal one line that changes, elsewhere a line now and then. */
export function showProgress(total: number) {
  const { stderr } = process;
  let shownAt = Date.now();
  return {
    show(done: number, running: string[]): void {
      const names =
        running.slice(0, 3).join(", ") + (running.length > 3 ? ` and ${running.length - 3} more` : "");
      const line = `${done} of ${total} checks · ${names}`;
      if (stderr.isTTY) {
        stderr.write(`\r\u001b[2K${line.slice(0, (stderr.columns ?? 80) - 1)}`);
      } else if (Date.now() - shownAt >= EVERY_MS) {
        shownAt = Date.now();
        stderr.write(`${line}\n`);
      }
    },
    end(): void {
      if (stderr.isTTY) stderr.write("\r\u001b[2K");
    },
  };
}
