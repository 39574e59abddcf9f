import * as http from "node:http";
import * as https from "node:https";
import { isLoopback } from "./addresses.ts";
import { CannotRun, type Check, CheckFailure, PostponedError } from "./check.ts";
import type { Answered } from "./flow/flow.ts";
import { type Answer, bodyOf, HttpClient, type Outgoing } from "./http-client.ts";
import { RequestBudget } from "./request-budget.ts";
import { type Result, type RunOutcome, runChecks } from "./run-checks.ts";

export type HttpRun<Context> = {
  checks?: readonly Check<Context>[];
  timeoutSeconds: number;
  lanes?: number;
  onProgress?: (done: number, running: string[]) => void;
};

/** Includes checks that wait for time to pass. */
export type TimedRun<Context> = HttpRun<Context> & {
  /** A test instead advances the clock of its reference implementation. */
  wait?: (seconds: number) => Promise<void>;
};

type Settings<Context> = Required<Pick<HttpRun<Context>, "checks" | "lanes">> & {
  origin: URL;
  answers?: Answered[];
  limitOf?: (request: Outgoing) => string;
  /** @throws {CannotRun} if there is no server to check */
  probe: (client: HttpClient, onWait: (seconds: number) => void) => Promise<void>;
  contextOf: (client: HttpClient) => Context;
  /**
   * Most checks need this many requests like those in `of`. A check that started with fewer left would be interrupted
   * and would have to start again.
   */
  room?: { count: number; of: readonly Outgoing[] };
  /** Of each limit, for the checks that wait. */
  reserve?: number;
  cleanUp?: (client: HttpClient) => Promise<void>;
};

/** All checks share connections and a request budget. */
export async function runOverHttp<Context>(
  { timeoutSeconds, onProgress = () => {}, ...chosen }: HttpRun<Context>,
  settings: Settings<Context>,
): Promise<RunOutcome> {
  const { checks = settings.checks, lanes = settings.lanes } = chosen;
  const { origin, answers, limitOf, probe, contextOf, room = { count: 0, of: [] }, cleanUp } = settings;
  const waiting = new Set(checks.filter(({ startsEarly }) => startsEarly).map(({ id }) => id));
  let { reserve = 0 } = settings;
  const budget = new RequestBudget();
  const agent = new (origin.protocol === "https:" ? https.Agent : http.Agent)({ keepAlive: true });
  const open = (keepsBack = () => 0) =>
    new HttpClient({
      ...{ origin, timeoutSeconds, budget, agent, limitOf, reserve: keepsBack },
      onAnswer: (request, answer) => answers?.push({ request, answer }),
    });
  try {
    await probe(open(), (seconds) => onProgress(0, [`a limit of the site, ${Math.ceil(seconds)} s`]));
    const results: Result[] = await runChecks({
      ...{ checks, lanes },
      onProgress(done, running) {
        if (!running.some((id) => waiting.has(id))) reserve = 0;
        onProgress(done, running);
      },
      openContext({ startsEarly, exhaustsLimits, runsLast }) {
        const client = open(() => (startsEarly ? 0 : reserve));
        if (!startsEarly && !exhaustsLimits && !runsLast)
          for (const request of room.of) client.requireCapacity(request, reserve + room.count);
        return { context: contextOf(client), exchanges: () => client.exchanges };
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

export function noServerError(where: string, error: CheckFailure, what: string): CannotRun {
  return new CannotRun(`Nothing answers at ${where}: ${error.message} Start the ${what}, or correct --url.`);
}

type LoginProbe = {
  origin: URL;
  /** Every login responds to these. The first one requests a code. */
  requests: readonly Outgoing[];
  isCode: (body: Record<string, unknown>) => boolean;
  otherwise: (status: number) => string;
  openPaths: readonly string[];
  wait: (seconds: number) => Promise<void>;
  onWait: (seconds: number) => void;
};

/**
 * If a limit is exceeded, waits and tries again.
 * @throws {CannotRun} if no server responds, or if the server has no such login
 */
export async function probeLogin(
  client: HttpClient,
  { requests, isCode, otherwise, openPaths, ...probing }: LoginProbe,
): Promise<void> {
  const { origin } = probing;
  for (const [index, request] of requests.entries()) {
    const answer = await requestWithRetries(client, request, probing);
    const wall = loginWallFault(answer, origin, openPaths);
    if (wall) throw new CannotRun(wall);
    const { status } = answer;
    const isOther = status === 404 || status === 405 || (status < 400 && !isCode(bodyOf(answer)));
    if (index > 0) continue;
    if (isOther) throw new CannotRun(otherwise(status));
    // Every sign-in would fail, because the two names of this machine are not equal.
    const [, , host = ""] = String(bodyOf(answer).challenge).split(":");
    const { href, hostname } = origin;
    if (host !== hostname && isLoopback(host) && isLoopback(hostname))
      throw new CannotRun(
        `The site's codes are for ${host}, but --url has ${hostname}. Pass --url ${href.replace(hostname, host)} or change the site's origin.`,
      );
  }
}

async function requestWithRetries(
  client: HttpClient,
  request: Outgoing,
  { origin, wait, onWait }: Pick<LoginProbe, "origin" | "wait" | "onWait">,
): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await client.send(request);
    } catch (error) {
      if (error instanceof CheckFailure) throw noServerError(origin.origin, error, "site");
      if (!(error instanceof PostponedError) || tries > 2) throw error;
      const seconds = Math.max(0, error.until - Date.now()) / 1000;
      onWait(seconds);
      await wait(seconds);
    }
  }
}

/** Null unless visitors must sign in before they reach the login, for example because of a proxy. */
function loginWallFault(
  { name, status, headers }: Answer,
  origin: URL,
  paths: readonly string[],
): string | null {
  const { location, "content-type": type = "" } = headers;
  const isRedirected = status >= 300 && status < 400 && location !== undefined;
  const isRefused = (status === 401 || status === 403) && !type.startsWith("text/plain");
  const isPage = status === 200 && name.startsWith("POST") && type.startsWith("text/html");
  if (!isRedirected && !isRefused && !isPage) return null;
  const redirectOrigin = isRedirected ? URL.parse(location, origin)?.origin : undefined;
  if (redirectOrigin !== undefined && redirectOrigin !== origin.origin)
    return `${name} leads to ${location}. Test that origin: --url ${redirectOrigin}`;
  const what = isRedirected ? `leads to ${location}` : isPage ? "is a page" : "asks for a session";
  return `${name} does not reach the login: the response, ${status}, ${what}. Something in front of it requires visitors to sign in, such as a proxy.ts or a middleware. A wallet never is, and a browser that shows a code is not yet. Let these paths pass without a session, by every method: ${paths.join(", ")}.`;
}
