import { readFileSync } from "node:fs";
import { join } from "node:path";
import next from "next";
import { type Env, parseEnv } from "#lib/platform/env.ts";
import { log } from "#lib/platform/log.ts";
import { shutDown } from "#packages/login/process/state.ts";
import { ConfigurationError } from "#packages/login/site/options.ts";
import { createRequestHandler } from "./answer-request.ts";
import { createGateSettings } from "./gate.ts";
import { createHttpServer } from "./http-server.ts";
import { assertPortFree, DRAIN_SECONDS, drain, listen } from "./listen.ts";
import { print, printUrl, startOrExit } from "./operator-output.ts";
import { prepareRuntime, ROOT } from "./prepare.ts";

type ServeOptions = {
  development: boolean;
  /** Runs while the database is being opened. */
  build?: () => Promise<void>;
  /** True for a package, which does not contain PostgreSQL. */
  packaged?: boolean;
};

/** Serves until it receives a signal. If it cannot start, prints the reason in one sentence and exits with 1. */
export async function serveApp(options: ServeOptions): Promise<void> {
  await startOrExit(() => start(options));
}

async function start({ development, build, packaged = false }: ServeOptions): Promise<void> {
  // Until requests are served, there is nothing to finish, so the process exits immediately, and everything that it has
  // started ends with it.
  let stop = async (_signal: string): Promise<void> => process.exit(0);
  let stopping = false;
  const onSignal = (signal: string) => {
    if (stopping) return;
    stopping = true;
    void stop(signal);
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
  const config = parseEnv(process.env);
  if (packaged && config.DATABASE_URL === undefined) {
    throw new ConfigurationError("DATABASE_URL: required in a package; expected postgresql://…");
  }
  await assertPortFree(config.PORT, config.HOST);
  // Next.js and NextAuth read these variables themselves.
  Object.assign(process.env, {
    NODE_ENV: development ? "development" : "production",
    NEXTAUTH_URL: config.APP_URL.origin,
    NEXT_TELEMETRY_DISABLED: "1",
  });
  const database = await openWhileBuilding(config, build);
  try {
    const { app, server } = await serve(config, development);
    stop = async (signal) => {
      log().info({ signal }, "stopping");
      await shutDown(() => drain(server, DRAIN_SECONDS));
      await app.close();
      await database.close();
      process.exit(0);
    };
  } catch (error) {
    await shutDown(async () => {});
    await database.close();
    throw error;
  }
}

/** If either fails, closes the database. */
async function openWhileBuilding(config: Env, build: ServeOptions["build"]) {
  const [opened, built] = await Promise.allSettled([prepareRuntime(config, print), build?.()]);
  if (opened.status === "rejected") throw opened.reason;
  if (built.status === "fulfilled") return opened.value;
  await opened.value.close();
  throw built.reason;
}

async function serve(config: Env, development: boolean) {
  if (!development) process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = builtConfig();
  const app = next({ dev: development, dir: ROOT, hostname: "localhost", port: config.PORT });
  const server = createHttpServer(
    createGateSettings(config, development),
    createRequestHandler(app.getRequestHandler()),
  );
  await app.prepare();
  const { startProcess } = await import("./start-process.ts");
  await startProcess();
  if (development) server.on("upgrade", app.getUpgradeHandler());
  await listen(server, config.PORT, config.HOST);
  printUrl(config);
  return { app, server };
}

/**
 * Has the form that Next.js's standalone server uses. Reading next.config.mjs would load a compiler, and a package
 * contains neither.
 */
function builtConfig(): string {
  const manifest = readFileSync(join(ROOT, ".next", "required-server-files.json"), "utf8");
  return JSON.stringify(JSON.parse(manifest).config);
}
