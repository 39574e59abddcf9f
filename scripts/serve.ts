import { parseArgs } from "node:util";
import next from "next";
import { ConfigurationError, parseEnv } from "#lib/core/env.ts";
import { log } from "#lib/core/log.ts";
import { shutDown } from "#lib/core/shutdown.ts";
import { answerDirectly } from "./server/direct-routes.ts";
import { ensureBuild } from "./server/ensure-build.ts";
import { assertPortFree, drain, listen, makeHttpServer } from "./server/http-server.ts";
import { prepareRuntime, ROOT } from "./server/prepare.ts";

/** `npm start` and `npm run dev` (contract 1): from a prepared clone to a served application. */

const DRAIN_SECONDS = 8;

const { values: options } = parseArgs({ options: { dev: { type: "boolean", default: false } } });

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function main(): Promise<void> {
  const config = parseEnv(process.env);
  await assertPortFree(config.PORT);
  // The framework and NextAuth read these by themselves.
  Object.assign(process.env, {
    NODE_ENV: options.dev ? "development" : "production",
    NEXTAUTH_URL: config.APP_URL.origin,
    NEXT_TELEMETRY_DISABLED: "1",
  });
  const [database] = await Promise.all([
    prepareRuntime(config, say),
    options.dev ? undefined : ensureBuild(ROOT, say),
  ]);

  const app = next({ dev: options.dev, dir: ROOT, hostname: "localhost", port: config.PORT });
  const gate = { secure: config.SECURE, trustedProxies: config.TRUSTED_PROXIES, development: options.dev };
  const server = makeHttpServer(gate, async (request, response) => {
    await (answerDirectly(request, response) ?? app.getRequestHandler()(request, response));
  });
  await app.prepare();
  if (options.dev) server.on("upgrade", app.getUpgradeHandler());
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

function once(run: (signal: string) => Promise<void>): (signal: string) => void {
  let running = false;
  return (signal) => {
    if (running) return;
    running = true;
    void run(signal);
  };
}

// What goes wrong at start is told in a sentence; LOG_LEVEL=debug adds where.
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return process.env.LOG_LEVEL === "debug" ? (error.stack ?? error.message) : error.message;
}

main().catch((error: unknown) => {
  const text =
    error instanceof ConfigurationError
      ? `Not started:\n${error.message}`
      : `Not started: ${describe(error)}`;
  process.stderr.write(`${text}\n`);
  process.exit(1);
});
