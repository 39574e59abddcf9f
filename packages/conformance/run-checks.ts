import {
  BlockedError,
  type Check,
  CheckFailure,
  NoResponseFailure,
  NotApplicableError,
  PostponedError,
} from "./check.ts";
import type { Exchange } from "./http-client.ts";

/** `blocked`: the kit could not run the check, so there is no result. */
export type Outcome = "passed" | "failed" | "blocked" | "skipped";

export type Result = {
  check: Omit<Check<never>, "run">;
  outcome: Outcome;
  message: string;
  /** Which other check fails for the same reason. */
  obstacle?: Pick<BlockedError, "obstacle" | "fixFirst">;
  seconds: number;
  /** Empty if the check passed. */
  exchanges: Exchange[];
};

export type RunOutcome = { results: Result[]; requests: number };

type Workplace<Context> = { context: Context; exchanges: () => Exchange[] };

export type RunOptions<Context> = {
  checks: readonly Check<Context>[];
  /** @throws {PostponedError} if the limits do not allow an attempt now */
  openContext: (check: Check<Context>) => Workplace<Context>;
  /** How many checks run at the same time. With 1, checks that wait also run one after the other. */
  lanes: number;
  onProgress: (done: number, running: string[]) => void;
};

const TRIES_AT_MOST = 5;
const EXCHANGES_SHOWN = 8;

const UNANSWERED: Pick<Check<never>, "cause" | "family"> = {
  cause: "A request hangs, the server crashed, or a development server compiles a page at its first request.",
  family: {
    title: "No answer",
    why: "Without a response the rule cannot be tested, and users wait as long as the kit did.",
    fix: "Read the server's log at the time of the request. With a development server, open the pages once or test the built site. `--timeout` waits longer.",
  },
};

/** For all checks that run after the server has stopped. At the beginning of the run, the server still responded. */
const ENDED = new BlockedError(
  "The other side no longer listens",
  "it ended during the run. Its log says why. Start it again, and run these checks again with `--only`.",
);

function hasEnded({ cause }: NoResponseFailure): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "ECONNREFUSED";
}

/**
 * Checks that wait and ordinary checks run at the same time, then the checks that use up a limit, and finally the
 * checks that examine earlier responses.
 */
export async function runChecks<Context>(options: RunOptions<Context>): Promise<Result[]> {
  const { checks, lanes, onProgress } = options;
  const results = new Map<string, Result>();
  const running = new Set<string>();
  const run = async (check: Check<Context>) => {
    running.add(check.id);
    onProgress(results.size, [...running]);
    results.set(check.id, await runCheck(check, options));
    running.delete(check.id);
    onProgress(results.size, [...running]);
  };
  const waiting = lanes > 1 ? checks.filter(({ startsEarly }) => startsEarly) : [];
  const last = checks.filter(({ runsLast }) => runsLast);
  const locking = checks.filter(({ exhaustsLimits }) => exhaustsLimits);
  const others = checks.filter((check) => ![...waiting, ...last, ...locking].includes(check));
  await Promise.all([...waiting.map(run), inLanes(others, lanes, run)]);
  await inLanes(locking, 1, run);
  await inLanes(last, lanes, run);
  return checks.flatMap(({ id }) => results.get(id) ?? []);
}

async function inLanes<Item>(items: readonly Item[], lanes: number, act: (item: Item) => Promise<void>) {
  const queue = [...items];
  const work = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: lanes }, work));
}

async function runCheck<Context>(
  check: Check<Context>,
  { openContext }: RunOptions<Context>,
): Promise<Result> {
  const started = Date.now();
  const { run: _run, ...described } = check;
  for (let tries = 1; ; tries++) {
    let exchanges: () => Exchange[] = () => [];
    const ended = (outcome: Outcome, message: string, obstacle?: BlockedError): Result => ({
      ...{ check: described, outcome, message, obstacle, seconds: (Date.now() - started) / 1000 },
      exchanges: outcome === "passed" || outcome === "skipped" ? [] : exchanges().slice(-EXCHANGES_SHOWN),
    });
    try {
      const workplace = openContext(check);
      exchanges = workplace.exchanges;
      await check.run(workplace.context);
      return ended("passed", "");
    } catch (error) {
      if (error instanceof PostponedError && tries < TRIES_AT_MOST) {
        // The check starts from the beginning, because its codes will have expired after the wait.
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, error.until - Date.now()) + 50));
        continue;
      }
      const result = ended(...outcomeOf(error, check.id));
      const isUnanswered = error instanceof NoResponseFailure && result.outcome === "failed";
      return isUnanswered ? { ...result, check: { ...described, ...UNANSWERED } } : result;
    }
  }
}

/** @throws the same error if it does not represent an outcome */
function outcomeOf(error: unknown, id: string): [outcome: Outcome, message: string, obstacle?: BlockedError] {
  if (error instanceof NoResponseFailure && hasEnded(error)) return ["blocked", ENDED.message, ENDED];
  const isOwn = error instanceof BlockedError && error.fixFirst === id;
  if (error instanceof CheckFailure || isOwn) return ["failed", error.message];
  if (error instanceof NotApplicableError) return ["skipped", error.message];
  if (error instanceof BlockedError) return ["blocked", error.message, error];
  if (error instanceof PostponedError) return ["blocked", error.message];
  throw error;
}
