import { join } from "node:path";
import { type RunningServer, type ServerCommand, startServer } from "./start-server.ts";

const ROOT = join(import.meta.dirname, "..", "..");
/** The secret that the application uses, unless a test sets another one. */
export const NEXTAUTH_SECRET = "a secret for tests that is long enough";

/** The program with which `npm start` starts a clone. */
const SERVE = [join("scripts", "serve.ts")];
/**
 * Turns off V8's optimising compiler, which takes a fifth of the processor time. An application in a test seldom runs
 * long enough for the optimisation to pay off.
 */
const UNOPTIMISED = ["--no-opt"];
/** The framework's own command. */
export const NEXT_START = [join("node_modules", "next", "dist", "bin", "next"), "start"];

type StartOptions = Partial<Pick<ServerCommand, "args" | "ready">> & {
  /** The folder of another clone of the application. */
  root?: string;
  /** Turns on V8's optimising compiler, as on an operator's server. Measurements need it. */
  optimised?: boolean;
};

/**
 * Starts the application's production build on `PORT` or on a free port. The environment consists of these variables
 * and of settings that keep the application quiet.
 * @param options.args the arguments for Node
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
