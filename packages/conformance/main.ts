import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { type CommandLine, formatHelp, formatHelpHint, UsageError } from "../terminal/command-line.ts";
import { toVisibleLine, toVisibleText } from "../terminal/visible-text.ts";
import { isLoopback } from "./addresses.ts";
import { type Call, COMMAND_LINE, readArguments } from "./arguments.ts";
import { CannotRun, type Check } from "./check.ts";
import { renderExplanation, renderHtml, renderJunit, renderTable } from "./report/render.ts";
import { makeReport, type Report, VERSION } from "./report/report.ts";
import { MAX_REQUESTS } from "./request-budget.ts";

/**
 * @param how.cwd the folder that relative paths on the command line start from
 * @param how.line the program and commands that `--help` describes
 * @returns the exit status: 0 if every MUST holds, 1 if a MUST does not hold, 2 if the kit could not run
 */
export async function main(
  args: string[],
  { cwd, line = COMMAND_LINE }: { cwd: string; line?: CommandLine },
): Promise<0 | 1 | 2> {
  try {
    const call = readArguments(args, cwd);
    if (call !== null && "subject" in call) return await runSubject(call, cwd, line.program);
    const columns = process.stdout.columns ?? 100;
    process.stdout.write(call === null ? formatHelp(line) : renderExplanation(call.explains, DOCS, columns));
    return 0;
  } catch (error) {
    process.stderr.write(`${describe(error)}\n`);
    if (error instanceof UsageError) process.stderr.write(`${formatHelpHint(line)}\n`);
    return 2;
  }
}

/**
 * The message is one visible line, because it can contain text from the tested side. The stack comes from this program
 * and is printed unchanged.
 */
function describe(error: unknown): string {
  if (error instanceof CannotRun || error instanceof UsageError) return toVisibleLine(error.message);
  const text = String(error);
  const places =
    error instanceof Error && error.stack?.startsWith(text) ? error.stack.slice(text.length) : "";
  return `The run stopped because of an unexpected error.\n${toVisibleLine(text)}${places}`;
}

async function runSubject(call: Call, cwd: string, program: string): Promise<0 | 1 | 2> {
  const { kind: subject, name: target, url, checks, allIds, run } = call.subject;
  if (call.list) return list(checks);
  const into = call.report === undefined ? null : resolve(cwd, call.report);
  // Before the run, so that a problem with the folder cannot make the kit lose the results.
  if (into !== null) orUsageError("The report cannot be written", () => mkdirSync(into, { recursive: true }));
  const baseline = call.baseline === undefined ? [] : readBaseline(resolve(cwd, call.baseline));
  if (url && !call.yes) await askConsent(url);
  const started = Date.now();
  const progress = showProgress(checks.length);
  const { results, requests } = await run(progress.show).finally(progress.end);
  const facts = {
    ...{
      kit: VERSION,
      uses_svc_login: call["svc-login"],
      subject,
      target,
      started_at: new Date(started).toISOString(),
    },
    seconds: (Date.now() - started) / 1000,
    requests: { sent: requests, at_most: MAX_REQUESTS },
  };
  const report = makeReport(facts, results, baseline, allIds);
  writeReport(report, into, program);
  return report.holds ? 0 : 1;
}

/** In the same place in a clone and in the published package. */
const DOCS = join(import.meta.dirname, "..", "..", "docs");

/** Also copies the pages that the report links to. */
function writeReport(report: Report, into: string | null, program: string): void {
  const { stdout } = process;
  const columns = stdout.isTTY ? stdout.columns : Number.POSITIVE_INFINITY;
  stdout.write(renderTable(report, { colours: stdout.isTTY ?? false, columns, program }));
  if (into === null) return;
  writeFileSync(join(into, "report.json"), `${toVisibleText(JSON.stringify(report, null, 2))}\n`);
  writeFileSync(join(into, "junit.xml"), renderJunit(report));
  writeFileSync(join(into, "report.html"), renderHtml(report));
  for (const page of new Set(["protocol", ...report.checks.map(({ reference }) => reference.page)]))
    cpSync(join(DOCS, `${page}.md`), join(into, "docs", `${page}.md`));
  stdout.write(`The report is in ${join(into, "report.html")}\n`);
}

function list(checks: readonly Check<never>[]): 0 {
  const width = Math.max(...checks.map(({ id }) => id.length));
  const lines = checks.map(
    ({ id, level, requirement }) => `${id.padEnd(width)}  ${level.padEnd(6)}  ${requirement}\n`,
  );
  // With several writes instead of one, `head` could exit after the first, and the next would fail.
  process.stdout.write(lines.join(""));
  return 0;
}

/** One id per line. Text after a `#` is a comment. */
function readBaseline(file: string): string[] {
  const text = orUsageError("The baseline cannot be read", () => readFileSync(file, "utf8"));
  const lines = text.split("\n").map((line) => line.replace(/#.*/, "").trim());
  return lines.filter((line) => line !== "");
}

function orUsageError<Result>(mistake: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    throw new UsageError(`${mistake}: ${error instanceof Error ? error.message : error}`);
  }
}

/** @throws {CannotRun} unless the URL is on this machine or the user agrees */
async function askConsent({ hostname, origin }: URL): Promise<void> {
  if (isLoopback(hostname)) return;
  const what = `This sends up to ${MAX_REQUESTS} requests to ${origin}, as an attacker would, and may leave data there.`;
  if (!process.stdin.isTTY) throw new CannotRun(`${what} Run it again with --yes if the site is yours.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${what} Continue? [y/N] `);
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new CannotRun("Nothing was sent.");
}

/** If stderr is not a terminal. */
const EVERY_MS = 10_000;

/** On a terminal, one line is updated. Elsewhere, a new line is printed from time to time. */
function showProgress(total: number) {
  const { stderr } = process;
  let line = "";
  const timer = stderr.isTTY ? undefined : setInterval(() => stderr.write(`${line}\n`), EVERY_MS);
  return {
    show(done: number, running: string[]): void {
      const names =
        running.slice(0, 3).join(", ") + (running.length > 3 ? ` and ${running.length - 3} more` : "");
      line = `${done} of ${total} checks${names && ` · waiting for ${names}`}`;
      if (stderr.isTTY) stderr.write(`\r\u001b[2K${line.slice(0, (stderr.columns ?? 80) - 1)}`);
    },
    end(): void {
      clearInterval(timer);
      if (stderr.isTTY) stderr.write("\r\u001b[2K");
    },
  };
}
