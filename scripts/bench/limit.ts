import { join } from "node:path";
import { type ServerProcess, startServer } from "./server-process.ts";
import { BENCH_SECRET } from "./tenant.ts";

/** Starts the limit, which answers at the application's own addresses (limit/server.ts), on an empty database. */
export function startLimit(root: string, databaseUrl: string): Promise<ServerProcess> {
  return startServer({
    args: [join(import.meta.dirname, "limit", "server.ts")],
    cwd: root,
    path: "/",
    env: () => ({ DATABASE_URL: databaseUrl, NEXTAUTH_SECRET: BENCH_SECRET }),
  });
}
