import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import next from "next";
import { DATABASE_WAIT_SECONDS } from "#lib/login/protocol/numbers.ts";
import { DatabaseWait, withDatabaseWait } from "#lib/platform/database/database-wait.ts";
import { parseEnv } from "#lib/platform/env.ts";
import { ConfigurationError } from "#lib/platform/env-values.ts";
import { readClientStamp } from "#lib/platform/http/client-stamp.ts";
import { CLIENT_ADDRESS, REQUEST_ID } from "#lib/platform/http/headers.ts";
import { renderForPeople } from "#lib/platform/http/refusal-page.ts";
import { log } from "#lib/platform/log.ts";
import { shutDown } from "#lib/platform/shutdown.ts";
import { turn } from "#lib/platform/turns.ts";
import { answerPage, refuseWhileSilent } from "./answer-page.ts";
import { answerDirectly, send } from "./direct-routes.ts";
import { makeHttpServer } from "./http-server.ts";
import { assertPortFree, drain, listen } from "./listen.ts";
import { countPage, pageMatcher } from "./page-limit.ts";

import { prepareRuntime, ROOT } from "./prepare.ts";

const DRAIN_SECONDS = 8;

/** How the application is served. */
export type ServeOptions = {
  /** With hot reload. */
  development: boolean;
  /** Makes the build that is served, when there is none yet; runs beside the opening of the database. */
  build?: () => Promise<void>;
  /** Without the PostgreSQL that a clone brings. */
  packaged?: boolean;
};

/** Tells the operator something, on stdout. */
export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Serves the application until a signal ends it; what keeps it from starting is told in a sentence, with exit 1. */
export async function serveApp(options: ServeOptions): Promise<void> {
  try {
    await start(options);
  } catch (error) {
    const text =
      error instanceof ConfigurationError
        ? `Not started:\n${error.message}`
        : `Not started: ${describe(error)}`;
    process.stderr.write(`${text}\n`);
    process.exit(1);
  }
}

async function start({ development, build, packaged = false }: ServeOptions): Promise<void> {
  const config = parseEnv(process.env);
  if (packaged && config.DATABASE_URL === undefined) {
    throw new ConfigurationError("DATABASE_URL: required in a package; expected postgresql://…");
  }
  await assertPortFree(config.PORT, config.HOST);
  // The framework and NextAuth read these by themselves.
  Object.assign(process.env, {
    NODE_ENV: development ? "development" : "production",
    NEXTAUTH_URL: config.APP_URL.origin,
    NEXT_TELEMETRY_DISABLED: "1",
  });
  const [database] = await Promise.all([prepareRuntime(config, say), build?.()]);
  if (!development) process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = builtConfig();

  const app = next({ dev: development, dir: ROOT, hostname: "localhost", port: config.PORT });
  const gate = { secure: config.SECURE, trustedProxies: config.TRUSTED_PROXIES, development };
  const isPage = pageMatcher(join(ROOT, "public"));
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const answered = answerDirectly(request, response);
    if (answered) return answered;
    // Before it is counted: the count may have to wait for the same database.
    if (await refuseWhileSilent(request, response)) return;
    if (isPage(request.url ?? "") && (await refusePage(request, response))) return;
    // It may leave a body unread that is longer than it looks, and then nothing can follow on that connection.
    if (request.headers["transfer-encoding"]) response.setHeader("Connection", "close");
    await turn();
    if (!response.destroyed) await answerPage(request, response, app.getRequestHandler());
  };
  const server = makeHttpServer(gate, (request, response) =>
    withDatabaseWait(new DatabaseWait(DATABASE_WAIT_SECONDS * 1000), () => answer(request, response)),
  );
  await app.prepare();
  if (development) server.on("upgrade", app.getUpgradeHandler());
  await listen(server, config.PORT, config.HOST);
  say(`Ready on ${config.PRINTED_URL}`);
  if (config.DEMO_WALLET) {
    say(`Demo wallet on ${config.PRINTED_URL}/wallet`);
    say(`No wallet yet: open ${config.PRINTED_URL}/login and choose “Try it without a phone”`);
  }
  if (config.PRINTED_URL !== config.APP_URL.origin) {
    say(`Logins lead to ${config.APP_URL.origin}, where nothing listens: set APP_URL too.`);
  }

  const stop = once(async (signal: string) => {
    log().info({ signal }, "stopping");
    await shutDown(() => drain(server, DRAIN_SECONDS));
    await app.close();
    await database.close();
    process.exit(0);
  });
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

/** Counts a page against its client's limit; true when that was used up and the request is answered. */
async function refusePage({ headers }: IncomingMessage, response: ServerResponse): Promise<boolean> {
  try {
    const limit = await countPage(readClientStamp(String(headers[CLIENT_ADDRESS])) ?? "unknown");
    for (const [name, value] of Object.entries(limit)) response.setHeader(name, value);
    return false;
  } catch (error) {
    await send(renderForPeople(error, String(headers[REQUEST_ID]), headers.accept ?? ""), response);
    return true;
  }
}

/**
 * The framework's configuration as it was built, given as its own standalone server gives it: next.config.mjs and the
 * compiler that reading it would load are neither needed nor, in a package, there.
 */
function builtConfig(): string {
  const manifest = readFileSync(join(ROOT, ".next", "required-server-files.json"), "utf8");
  return JSON.stringify(JSON.parse(manifest).config);
}

function once(run: (signal: string) => Promise<void>): (signal: string) => void {
  let running = false;
  return (signal) => {
    if (running) return;
    running = true;
    void run(signal);
  };
}

// LOG_LEVEL=debug adds where.
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return process.env.LOG_LEVEL === "debug" ? (error.stack ?? error.message) : error.message;
}
