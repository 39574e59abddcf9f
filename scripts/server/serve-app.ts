import { readFileSync } from "node:fs";
import { join } from "node:path";
import next from "next";
import { ConfigurationError, parseEnv } from "#lib/core/env.ts";
import { log } from "#lib/core/log.ts";
import { shutDown } from "#lib/core/shutdown.ts";
import { turn } from "#lib/core/turns.ts";
import { answerDirectly } from "./direct-routes.ts";
import { assertPortFree, drain, listen, makeHttpServer } from "./http-server.ts";
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
  await assertPortFree(config.PORT);
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
  const server = makeHttpServer(gate, async (request, response) => {
    const answered = answerDirectly(request, response);
    if (answered) return answered;
    // It may leave a body unread that is longer than it looks, and then nothing can follow on that connection.
    if (request.headers["transfer-encoding"]) response.setHeader("Connection", "close");
    await turn();
    if (!response.destroyed) await app.getRequestHandler()(request, response);
  });
  await app.prepare();
  if (development) server.on("upgrade", app.getUpgradeHandler());
  await listen(server, config.PORT);
  say(`Ready on ${config.APP_URL.origin}`);
  if (config.DEMO_WALLET) say(`Demo wallet on ${config.APP_URL.origin}/wallet`);

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
