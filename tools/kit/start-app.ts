import { join } from "node:path";
import { type RunningServer, type ServerCommand, startServer } from "./start-server.ts";

const ROOT = join(import.meta.dirname, "..", "..");
/** The secret with which the application seals and signs, unless a test sets another. */
export const NEXTAUTH_SECRET = "a secret for tests that is long enough";

/** The command of `npm start` in a clone. */
const SERVE = [join("scripts", "serve.ts")];
/**
 * Without V8's optimising compiler. A test's application seldom runs long enough to gain what compiling costs: a fifth
 * of its processor time.
 */
const UNOPTIMISED = ["--no-opt"];
/** The framework's own command. */
export const NEXT_START = [join("node_modules", "next", "dist", "bin", "next"), "start"];

type StartOptions = Partial<Pick<ServerCommand, "args" | "ready">> & {
  /** Another clone of the application. */
  root?: string;
  /** Lets V8 optimise as for an operator, for measurements. */
  optimised?: boolean;
};

/**
 * Starts the application's production build on `PORT` or a free port, with these variables in addition to a quiet
 * environment.
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
