import { join } from "node:path";
import { type RunningServer, type ServerCommand, startServer } from "./start-server.ts";

const ROOT = join(import.meta.dirname, "..", "..");
/** Used unless a test sets another one. */
export const NEXTAUTH_SECRET = "a secret for tests that is long enough";

const SERVE = [join("scripts", "serve.ts")];
/**
 * Turns off V8's optimising compiler, which takes a fifth of the processor time. An application in a test seldom runs
 * long enough for the optimisation to pay off.
 */
const UNOPTIMISED = ["--no-opt"];
export const NEXT_START = [join("node_modules", "next", "dist", "bin", "next"), "start"];

type StartOptions = Partial<Pick<ServerCommand, "args" | "ready">> & {
  root?: string;
  /** Turns on V8's optimising compiler, as on an operator's server. Measurements need it. */
  optimised?: boolean;
};

/**
 * Uses `PORT` or a free port, and an environment that keeps the application quiet.
 * @param options.args what Node runs there
 */
export function startApp(
  variables: Record<string, string>,
  { root = ROOT, optimised = false, args = SERVE, ready = { words: "Ready on" } }: StartOptions = {},
): Promise<RunningServer> {
  return startServer({
    args: optimised ? args : [...UNOPTIMISED, ...args],
    cwd: root,
    port: variables.PORT === undefined ? undefined : Number(variables.PORT),
    env: (url) => ({ APP_URL: url, NEXTAUTH_SECRET, ...variables }),
    ready,
  });
}
