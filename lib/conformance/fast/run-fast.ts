import * as http from "node:http";
import * as https from "node:https";
import { CannotRun, type Check, Failure, Postponed } from "../check.ts";
import { HttpClient } from "../http-client.ts";
import { RequestBudget } from "../request-budget.ts";
import { type RunOutcome, runChecks } from "../run-checks.ts";
import { FAST_CHECKS } from "./checks.ts";
import { type FastRun, FastSite } from "./site.ts";
import type { FastTarget } from "./target.ts";

export type FastServerRun = {
  target: FastTarget;
  checks?: readonly Check<FastSite>[];
  timeoutSeconds: number;
  /** Also tries what takes two minutes. */
  isSlow?: boolean;
  /** How many checks run at once. */
  lanes?: number;
  /** Lets so many seconds pass; a test whose site has a clock of its own moves that. */
  wait?: (seconds: number) => Promise<void>;
  onProgress?: (done: number, running: string[]) => void;
};

/** What most checks need: one that begins with less would be cut off, and sends all of it again. */
const ROOM = 16;

/**
 * Tries a site's fast login.
 * @throws {CannotRun} where no such login is there
 */
export async function runFast(options: FastServerRun): Promise<RunOutcome> {
  const { target, timeoutSeconds, checks = FAST_CHECKS, lanes = 2, onProgress = () => {} } = options;
  const { isSlow = false, wait = sleep } = options;
  const budget = new RequestBudget();
  const run: FastRun = { answers: [], codes: [] };
  const agent = new (target.origin.protocol === "https:" ? https.Agent : http.Agent)({ keepAlive: true });
  const open = () =>
    new HttpClient({
      ...{ origin: target.origin, timeoutSeconds, budget, agent },
      reserve: () => 0,
      onAnswer: (request, answer) => run.answers.push({ request, answer }),
    });
  try {
    await probe(open(), target, wait);
    const results = await runChecks({
      ...{ checks, lanes, onProgress },
      openContext({ waits, locksOut, looksBack }) {
        const client = open();
        if (!waits && !locksOut && !looksBack) {
          client.leaveRoom({ path: target.qr }, ROOM);
          client.leaveRoom({ method: "POST", path: target.webhook }, ROOM);
        }
        const context = new FastSite({ http: client, target, run, wait, isSlow });
        return { context, exchanges: () => client.exchanges };
      },
    });
    return { results, requests: budget.sent };
  } finally {
    agent.destroy();
  }
}

/** @throws {CannotRun} unless something that looks like a fast login answers */
async function probe(
  client: HttpClient,
  { origin, qr }: FastTarget,
  wait: (seconds: number) => Promise<void>,
) {
  for (let tries = 1; ; tries++) {
    try {
      const { status, json } = await client.send({ path: qr });
      const body = (json ?? {}) as Record<string, unknown>;
      if (status === 404 || status === 405 || (status < 400 && (!("qr" in body) || "challenge" in body))) {
        throw new CannotRun(
          `${origin.origin}${qr} gives no code of a fast login (${status}). Name its path with --qr, or leave --flow out to test the login with keys.`,
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
