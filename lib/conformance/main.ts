import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { helpHint, helpText, UsageError } from "../terminal/command-line.ts";
import { visibleLine, visibleText } from "../terminal/visible-text.ts";
import { isLoopback } from "./addresses.ts";
import { type Call, COMMAND_LINE, type CommonOptions, readArguments } from "./arguments.ts";
import { CannotRun, type Check } from "./check.ts";
import { FAST_CHECKS } from "./fast/checks.ts";
import { runFast } from "./fast/run-fast.ts";
import { HOSTED_CHECKS } from "./hosted/checks.ts";
import { runHosted } from "./hosted/run-hosted.ts";
import { RECEIVER_CHECKS } from "./receiver/checks.ts";
import { runReceiver } from "./receiver/run-receiver.ts";
import { renderHtml } from "./report/html.ts";
import { renderJunit } from "./report/junit.ts";
import { showProgress } from "./report/progress.ts";
import { makeReport, type Report, VERSION } from "./report/report.ts";
import { renderTable } from "./report/table.ts";
import { REQUESTS_AT_MOST } from "./request-budget.ts";
import type { RunOutcome } from "./run-checks.ts";
import { LOGIN_CHECKS } from "./server/checks.ts";
import { runServer } from "./server/run-server.ts";
import { WALLET_CHECKS } from "./wallet/checks.ts";
import { runWallet, shellWallet } from "./wallet/run-wallet.ts";

export type Surroundings = {
  /** What paths of the command line are relative to. */
  cwd: string;
};

/**
 * Runs the command.
 * @returns the exit status: 0 every MUST holds, 1 one does not, 2 it could not run
 */
export async function main(args: string[], surroundings: Surroundings): Promise<0 | 1 | 2> {
  try {
    const call = readArguments(args);
    if (call !== null) return await runSubject(call, surroundings);
    process.stdout.write(helpText(COMMAND_LINE));
    return 0;
  } catch (error) {
    process.stderr.write(`${describe(error)}\n`);
    if (error instanceof UsageError) process.stderr.write(`${helpHint(COMMAND_LINE)}\n`);
    return 2;
  }
}

/** Any error's message may hold what the other side sent; where it was thrown is the kit's own. */
function describe(error: unknown): string {
  if (error instanceof CannotRun || error instanceof UsageError) return visibleLine(error.message);
  const text = String(error);
  const places =
    error instanceof Error && error.stack?.startsWith(text) ? error.stack.slice(text.length) : "";
  return `It could not go on, for a reason that the kit does not know.\n${visibleLine(text)}${places}`;
}

async function runSubject(call: Call, surroundings: Surroundings): Promise<0 | 1 | 2> {
  const subject = openSubject(call, surroundings);
  if (call.list) return list(subject.checks);
  const baseline = call.baseline === null ? [] : readBaseline(resolve(surroundings.cwd, call.baseline));
  if (subject.url) await askConsent(subject.url, call);
  const started = Date.now();
  const progress = showProgress(subject.checks.length);
  const { results, requests } = await subject.run(progress.show).finally(progress.end);
  const facts = {
    ...{ kit: VERSION, subject: call.verb, target: subject.name },
    ...{ started_at: new Date(started).toISOString(), seconds: (Date.now() - started) / 1000 },
    requests: { sent: requests, at_most: REQUESTS_AT_MOST },
  };
  return conclude(makeReport(facts, results, baseline, subject.allIds), call, surroundings);
}

type Subject = {
  /** Where requests are sent; null where the kit only listens. */
  url: URL | null;
  name: string;
  checks: readonly Check<never>[];
  allIds: string[];
  run(onProgress: (done: number, running: string[]) => void): Promise<RunOutcome>;
};

function openSubject(call: Call, { cwd }: Surroundings): Subject {
  const { timeoutSeconds, only } = call;
  if (call.verb === "wallet") {
    const checks = choose(WALLET_CHECKS, call);
    const command = shellWallet(call.command, cwd);
    const knowsAction = call.command.includes("{action}");
    const run: Subject["run"] = (onProgress) =>
      runWallet({ command, knowsAction, holdsVectors: call.holdsVectors, checks, onProgress });
    return { url: null, name: call.command, checks, allIds: idsOf(WALLET_CHECKS), run };
  }
  if (call.verb === "receiver") {
    const { url, secret } = call;
    const checks = choose(RECEIVER_CHECKS, call);
    const run: Subject["run"] = (onProgress) =>
      runReceiver({ url, secret, checks, timeoutSeconds, onProgress });
    return { url, name: url.href, checks, allIds: idsOf(RECEIVER_CHECKS), run };
  }
  const isAsked = ({ locksOut }: Check<never>) => !locksOut || call.limits || only.length > 0;
  const { origin } = call.target;
  if (call.flow === "fast") {
    const { target } = call;
    const checks = choose(FAST_CHECKS, call).filter(isAsked);
    const isSlow = call.slow || only.length > 0;
    const run: Subject["run"] = (onProgress) =>
      runFast({ target, checks, isSlow, timeoutSeconds, onProgress });
    return { url: origin, name: origin.origin, checks, allIds: idsOf(FAST_CHECKS), run };
  }
  if (call.flow === "hosted") {
    const { target } = call;
    const checks = choose(HOSTED_CHECKS, call).filter(isAsked);
    const run: Subject["run"] = (onProgress) => runHosted({ target, checks, timeoutSeconds, onProgress });
    return { url: origin, name: origin.origin + target.base, checks, allIds: idsOf(HOSTED_CHECKS), run };
  }
  const { target } = call;
  const checks = choose(LOGIN_CHECKS, call).filter(isAsked);
  const run: Subject["run"] = (onProgress) => runServer({ target, checks, timeoutSeconds, onProgress });
  return { url: origin, name: origin.origin, checks, allIds: idsOf(LOGIN_CHECKS), run };
}

function idsOf(checks: readonly Check<never>[]): string[] {
  return checks.map(({ id }) => id);
}

function conclude(report: Report, { report: folder }: CommonOptions, { cwd }: Surroundings): 0 | 1 {
  const { stdout } = process;
  stdout.write(renderTable(report, { colours: stdout.isTTY ?? false, columns: stdout.columns ?? 160 }));
  if (folder !== null) {
    const into = resolve(cwd, folder);
    mkdirSync(into, { recursive: true });
    writeFileSync(join(into, "report.json"), `${visibleText(JSON.stringify(report, null, 2))}\n`);
    writeFileSync(join(into, "junit.xml"), renderJunit(report));
    writeFileSync(join(into, "report.html"), renderHtml(report));
    stdout.write(`The report is in ${join(into, "report.html")}\n`);
  }
  return report.holds ? 0 : 1;
}

/** @throws {UsageError} where a name is none */
function choose<Context>(checks: readonly Check<Context>[], { only }: CommonOptions): Check<Context>[] {
  const isSection = (name: string) => !name.includes("-");
  const matches = (name: string) => (check: Check<Context>) =>
    check.id === name || (isSection(name) && check.id.startsWith(`${name}-`));
  const unknown = only.find((name) => !checks.some(matches(name)));
  if (unknown !== undefined) throw new UsageError(`There is no check "${unknown}". --list names them.`);
  return checks.filter((check) => only.length === 0 || only.some((name) => matches(name)(check)));
}

function list(checks: readonly Check<never>[]): 0 {
  const width = Math.max(...checks.map(({ id }) => id.length));
  for (const { id, level, proves } of checks) {
    process.stdout.write(`${id.padEnd(width)}  ${level.padEnd(6)}  ${proves}\n`);
  }
  return 0;
}

/** Names of checks, one a line; what follows a `#` is a remark. */
function readBaseline(file: string): string[] {
  try {
    const lines = readFileSync(file, "utf8").split("\n");
    return lines.map((line) => line.replace(/#.*/, "").trim()).filter((line) => line !== "");
  } catch (error) {
    throw new UsageError(`The baseline cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

/** @throws {CannotRun} where nobody agrees */
async function askConsent({ hostname, origin }: URL, { yes }: CommonOptions): Promise<void> {
  if (yes || isLoopback(hostname)) return;
  const what = `This sends up to ${REQUESTS_AT_MOST} requests to ${origin}, as an attacker would, and may leave data there.`;
  if (!process.stdin.isTTY) throw new CannotRun(`${what} Run it again with --yes if the site is yours.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${what} Go on? [y/N] `);
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new CannotRun("Nothing was sent.");
}
