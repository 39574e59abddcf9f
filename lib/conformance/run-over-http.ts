import * as http from "node:http";
import * as https from "node:https";
import type { Check } from "./check.ts";
import type { Answered } from "./flow/flow.ts";
import { HttpClient, type Outgoing } from "./http-client.ts";
import { RequestBudget } from "./request-budget.ts";
import { type Result, type RunOutcome, runChecks } from "./run-checks.ts";

/** What a run is told, whatever it tries by HTTP. */
export type HttpRun<Context> = {
  checks?: readonly Check<Context>[];
  timeoutSeconds: number;
  /** How many checks run at once. */
  lanes?: number;
  onProgress?: (done: number, running: string[]) => void;
};

/** A run whose checks let time pass. */
export type TimedRun<Context> = HttpRun<Context> & {
  /** Lets so many seconds pass; a test whose other side has a clock of its own moves that. */
  wait?: (seconds: number) => Promise<void>;
};

type Settings<Context> = Required<HttpRun<Context>> & {
  origin: URL;
  /** What was answered so far is added here. */
  answers?: Answered[];
  limitOf?: (request: Outgoing) => string;
  /** Makes sure that there is something to try. @throws {CannotRun} */
  probe: (client: HttpClient) => Promise<void>;
  /** What a check works with. @throws {Postponed} where there is no room for it now */
  contextOf: (client: HttpClient, check: Check<Context>) => Context;
  /** Requests that this check must leave to others. */
  reserveOf?: (check: Check<Context>) => number;
  /** Takes away what the run has left behind. */
  cleanUp?: (client: HttpClient) => Promise<void>;
};

/** Runs checks against one origin, by clients that share its connections and a budget of requests. */
export async function runOverHttp<Context>(settings: Settings<Context>): Promise<RunOutcome> {
  const { origin, timeoutSeconds, checks, lanes, onProgress, answers, limitOf } = settings;
  const { probe, contextOf, reserveOf = () => 0, cleanUp } = settings;
  const budget = new RequestBudget();
  const agent = new (origin.protocol === "https:" ? https.Agent : http.Agent)({ keepAlive: true });
  const open = (reserve: () => number = () => 0) =>
    new HttpClient({
      ...{ origin, timeoutSeconds, budget, agent, limitOf, reserve },
      onAnswer: (request, answer) => answers?.push({ request, answer }),
    });
  try {
    await probe(open());
    const results: Result[] = await runChecks({
      ...{ checks, lanes, onProgress },
      openContext(check) {
        const client = open(() => reserveOf(check));
        return { context: contextOf(client, check), exchanges: () => client.exchanges };
      },
    });
    return { results, requests: budget.sent };
  } finally {
    await cleanUp?.(open());
    agent.destroy();
  }
}

export function sleep(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
