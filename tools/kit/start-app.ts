import { join } from "node:path";
import { type RunningServer, type ServerCommand, startServer } from "./start-server.ts";

const ROOT = join(import.meta.dirname, "..", "..");
/** The secret that the application uses, unless a test sets another one. */
export const NEXTAUTH_SECRET = "a secret for tests that is long enough";

/** The program that `npm start` runs in a clone. */
const SERVE = [join("scripts", "serve.ts")];
/**
 * Turns off V8's optimising compiler. A test's application seldom runs long enough to make up for the time that
 * compiling takes, which is a fifth of its processor time.
 */
const UNOPTIMISED = ["--no-opt"];
/** The framework's own command. */
export const NEXT_START = [join("node_modules", "next", "dist", "bin", "next"), "start"];

type StartOptions = Partial<Pick<ServerCommand, "args" | "ready">> & {
  /** Another clone of the application. */
  root?: string;
  /** Turns V8's optimising compiler on, as for an operator. Measurements need this. */
  optimised?: boolean;
};

/**
 * Starts the application's production build on `PORT` or a free port, with these variables and an environment that
 * keeps it quiet.
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
