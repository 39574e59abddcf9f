import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");
/** What the application seals and signs with, unless a test says otherwise. */
export const NEXTAUTH_SECRET = "a secret for tests that is long enough";
const START_DEADLINE_MS = 180_000;
const STOP_DEADLINE_MS = 60_000;

/** A running application: the production build, in a process of its own. */
export type RunningApp = {
  url: string;
  process: ChildProcess;
  /** What it has logged so far, to be searched. */
  output(): string;
  /** Ends it as an operator would; resolves when it has exited and all of its output is here. */
  stop(signal?: NodeJS.Signals): Promise<void>;
};

/** What `npm start` runs. */
const SERVE = ["--conditions=react-server", join(ROOT, "scripts", "serve.ts")];
/** The framework's own command. */
export const NEXT_START = [join(ROOT, "node_modules", "next", "dist", "bin", "next"), "start"];

/**
 * Starts the application on `PORT`, or a free port, with these variables on top of a quiet environment.
 * @param command what Node runs
 */
export async function startApp(variables: Record<string, string>, command = SERVE): Promise<RunningApp> {
  const port = Number(variables.PORT ?? (await freePort()));
  const url = `http://localhost:${port}`;
  const child = spawn(process.execPath, command, {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      NODE_ENV: "production",
      PORT: String(port),
      APP_URL: url,
      NEXTAUTH_SECRET,
      ...variables,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const ended = once(child, "close");
  child.stdout?.on("data", (chunk) => (output += chunk));
  child.stderr?.on("data", (chunk) => (output += chunk));
  const app: RunningApp = {
    url,
    process: child,
    output: () => output,
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      let hangs = false;
      const deadline = setTimeout(() => {
        hangs = true;
        child.kill("SIGKILL");
      }, STOP_DEADLINE_MS);
      // Its last lines may come after it has exited.
      await ended;
      clearTimeout(deadline);
      if (hangs) throw new Error(`the application did not stop:\n${output}`);
    },
  };
  await untilReady(app);
  return app;
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

async function untilReady(app: RunningApp): Promise<void> {
  const deadline = Date.now() + START_DEADLINE_MS;
  while (!app.output().includes("Ready on")) {
    if (app.process.exitCode !== null || Date.now() > deadline) {
      app.process.kill("SIGKILL");
      throw new Error(`the application did not start:\n${app.output()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
