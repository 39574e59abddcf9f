import * as http from "node:http";
import * as https from "node:https";
import { CannotRun, type Check, Failure } from "../check.ts";
import { HttpClient } from "../http-client.ts";
import { RequestBudget } from "../request-budget.ts";
import { type RunOutcome, runChecks } from "../run-checks.ts";
import { RECEIVER_CHECKS } from "./checks.ts";
import { type Families, Receiver } from "./receiver.ts";

export type ReceiverRun = {
  /** Where events are received. */
  url: URL;
  /** `whsec_…`, as the receiver knows it. */
  secret: string;
  checks?: readonly Check<Receiver>[];
  timeoutSeconds: number;
  lanes?: number;
  onProgress?: (done: number, running: string[]) => void;
};

/**
 * Plays the hosted API to a receiver of events.
 * @throws {CannotRun} where nothing receives
 */
export async function runReceiver(options: ReceiverRun): Promise<RunOutcome> {
  const { url, secret, timeoutSeconds, checks = RECEIVER_CHECKS, lanes = 4, onProgress = () => {} } = options;
  const budget = new RequestBudget();
  const run: { families?: Promise<Families> } = {};
  const agent = new (url.protocol === "https:" ? https.Agent : http.Agent)({ keepAlive: true });
  const path = url.pathname + url.search;
  const open = () =>
    new HttpClient({ origin: url, timeoutSeconds, budget, agent, reserve: () => 0, onAnswer: () => {} });
  try {
    await probe(open(), path, url);
    const results = await runChecks({
      ...{ checks, lanes, onProgress },
      openContext() {
        const client = open();
        const context = new Receiver({ http: client, path, secret, run });
        return { context, exchanges: () => client.exchanges };
      },
    });
    return { results, requests: budget.sent };
  } finally {
    agent.destroy();
  }
}

async function probe(client: HttpClient, path: string, url: URL): Promise<void> {
  try {
    const { status } = await client.send({ method: "POST", path, body: "{}", expectsLimit: true });
    if (status === 404) throw new CannotRun(`Nothing receives events at ${url.href} (404). Correct --url.`);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new CannotRun(
      `Nothing answers at ${url.href}: ${error.message} Start the receiver, or correct --url.`,
    );
  }
}
