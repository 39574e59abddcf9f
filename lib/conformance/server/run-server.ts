import * as http from "node:http";
import * as https from "node:https";
import { CannotRun, type Check, Failure, Postponed } from "../check.ts";
import { HttpClient } from "../http-client.ts";
import { RequestBudget } from "../request-budget.ts";
import { type RunOutcome, runChecks } from "../run-checks.ts";
import { LOGIN_CHECKS } from "./checks.ts";
import { type Run, Site } from "./site.ts";
import type { Target } from "./target.ts";

export type ServerRun = {
  target: Target;
  checks?: readonly Check<Site>[];
  timeoutSeconds: number;
  /** How many checks run at once. */
  lanes?: number;
  /** Lets so many seconds pass; a test whose site has a clock of its own moves that. */
  wait?: (seconds: number) => Promise<void>;
  onProgress?: (done: number, running: string[]) => void;
};

/** What checks that wait may still send when the others have used up a limit. */
const RESERVE = 12;
/** What most checks need: one that begins with less would be cut off, and sends all of it again. */
const ROOM = 12;

/**
 * Tries a site's own login.
 * @throws {CannotRun} where no such login is there
 */
export async function runServer(options: ServerRun): Promise<RunOutcome> {
  const { target, timeoutSeconds, checks = LOGIN_CHECKS, lanes = 4, onProgress = () => {} } = options;
  const wait = options.wait ?? sleep;
  const budget = new RequestBudget();
  const run: Run = { answers: [], codes: [] };
  const waiting = new Set(checks.filter(({ waits }) => waits).map(({ id }) => id));
  let reserve = RESERVE;
  const isSecure = target.origin.protocol === "https:";
  const agent = new (isSecure ? https.Agent : http.Agent)({ keepAlive: true });
  const open = (check: { waits?: true; locksOut?: true }) =>
    new HttpClient({
      ...{ origin: target.origin, timeoutSeconds, budget, agent },
      reserve: () => (check.waits ? 0 : reserve),
      onAnswer: (request, answer) => run.answers.push({ request, answer }),
    });
  try {
    await probe(open({ waits: true }), target, wait);
    const results = await runChecks({
      ...{ checks, lanes },
      onProgress(done, running) {
        if (!running.some((id) => waiting.has(id))) reserve = 0;
        onProgress(done, running);
      },
      openContext(check) {
        const client = open(check);
        if (!check.waits && !check.locksOut && !check.looksBack) {
          client.leaveRoom({ path: target.qr }, reserve + ROOM);
          client.leaveRoom({ method: "POST", path: `${target.webhook}/login` }, reserve + ROOM);
          client.leaveRoom({ method: "POST", path: `${target.webhook}/register` }, reserve + ROOM);
        }
        const context = new Site({ http: client, target, run, wait });
        return { context, exchanges: () => client.exchanges };
      },
    });
    return { results, requests: budget.sent };
  } finally {
    agent.destroy();
  }
}

/** @throws {CannotRun} unless something that looks like this login answers */
async function probe(client: HttpClient, { origin, qr }: Target, wait: (seconds: number) => Promise<void>) {
  for (let tries = 1; ; tries++) {
    try {
      const { status, json } = await client.send({ path: `${qr}?mode=login` });
      const body = (json ?? {}) as Record<string, unknown>;
      // The answer of a fast login has a sid too, and its code holds the challenge.
      const isLogin = "challenge" in body || ("sid" in body && !("status" in body));
      if (status === 404 || status === 405 || (status < 400 && !isLogin)) {
        throw new CannotRun(
          `${origin.origin}${qr} gives no login code (${status}). Name its path with --qr, or the kind of login with --flow fast.`,
        );
      }
      return;
    } catch (error) {
      if (error instanceof Failure) {
        throw new CannotRun(
          `Nothing answers at ${origin.origin}: ${error.message} Start the site, or correct --url.`,
        );
      }
      if (!(error instanceof Postponed) || tries > 2) throw error;
      await wait(Math.max(0, error.until - Date.now()) / 1000);
    }
  }
}

function sleep(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
