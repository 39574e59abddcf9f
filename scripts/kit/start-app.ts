import { join } from "node:path";
import { type RunningServer, startServer } from "#scripts/kit/start-server.ts";

export { freePort } from "#scripts/kit/start-server.ts";

const ROOT = join(import.meta.dirname, "..", "..");
/** What the application seals and signs with, unless a test says otherwise. */
export const NEXTAUTH_SECRET = "a secret for tests that is long enough";

/** A running application: the production build, in a process of its own. */
export type RunningApp = RunningServer;

/** What `npm start` runs. */
const SERVE = [join(ROOT, "scripts", "serve.ts")];
/** The framework's own command. */
export const NEXT_START = [join(ROOT, "node_modules", "next", "dist", "bin", "next"), "start"];

/**
 * Starts the application on `PORT`, or a free port, with these variables on top of a quiet environment.
 * @param command what Node runs
 */
export function startApp(variables: Record<string, string>, command = SERVE): Promise<RunningApp> {
  return startServer({
    args: command,
    cwd: ROOT,
    port: variables.PORT === undefined ? undefined : Number(variables.PORT),
    env: (url) => ({ APP_URL: url, NEXTAUTH_SECRET, ...variables }),
    ready: { words: "Ready on" },
  });
}
