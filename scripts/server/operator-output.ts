import type { Env } from "#lib/platform/env.ts";
import { ConfigurationError } from "#packages/login/site/options.ts";

/** For the operator, on stdout. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/**
 * Keeps the process running if no one reads its output any more, for example because a terminal was closed or a log
 * collector exited. Next.js would otherwise report the failed write, which would fail again, endlessly.
 */
export function ignoreClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
}

/** If `start` fails, prints the reason in one sentence and exits with 1. */
export async function startOrExit(start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    const text =
      error instanceof ConfigurationError
        ? `Not started:\n${error.message}`
        : `Not started: ${describe(error)}`;
    process.stderr.write(`${text}\n`);
    process.exit(1);
  }
}

export function printUrl({ PRINTED_URL, APP_URL, DEMO_WALLET }: Env): void {
  print(`Ready on ${PRINTED_URL}`);
  if (DEMO_WALLET) {
    print(`Demo wallet on ${PRINTED_URL}/wallet`);
    print(`No wallet yet: open ${PRINTED_URL}/login and choose “Try it in this tab”`);
  }
  if (PRINTED_URL !== APP_URL.origin) {
    print(`Logins lead to ${APP_URL.origin}, where nothing listens: set APP_URL too.`);
  }
}

// LOG_LEVEL=debug adds the stack trace.
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return process.env.LOG_LEVEL === "debug" ? (error.stack ?? error.message) : error.message;
}
