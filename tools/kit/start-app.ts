import { join } from "node:path";
import { type RunningServer, type ServerCommand, startServer } from "./start-server.ts";

const ROOT = join(import.meta.dirname, "..", "..");
/** The secret with which the application seals and signs, unless a test sets another. */
export const NEXTAUTH_SECRET = "a secret for tests that is long enough";

/** The command of `npm start` in a clone. */
const SERVE = [join("scripts", "serve.ts")];
/** The framework's own command. */
export const NEXT_START = [join("node_modules", "next", "dist", "bin", "next"), "start"];

/**
 * Starts the application's production build on `PORT` or a free port, with these variables in addition to a quiet
 * environment.
 * @param command.root another clone of the application
 * @param command.args what Node runs there
 */
export function startApp(
  variables: Record<string, string>,
  { root = ROOT, ...command }: Partial<Pick<ServerCommand, "args" | "ready">> & { root?: string } = {},
): Promise<RunningServer> {
  return startServer({
    args: SERVE,
    cwd: root,
    port: variables.PORT === undefined ? undefined : Number(variables.PORT),
    env: (url) => ({ APP_URL: url, NEXTAUTH_SECRET, ...variables }),
    ready: { words: "Ready on" },
    ...command,
  });
}
