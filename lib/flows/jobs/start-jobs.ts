import "server-only";
import { Logger, run } from "graphile-worker";
import { now } from "#lib/core/clock.ts";
import { pool } from "#lib/core/db.ts";
import { log } from "#lib/core/log.ts";
import { whenStopping } from "#lib/core/shutdown.ts";
import { prune } from "#lib/store/prune.ts";

/** What runs beside requests: graphile-worker's jobs, shared by every process on the database. */
export async function startJobs(): Promise<void> {
  const runner = await run({
    pgPool: pool(),
    noHandleSignals: true,
    logger: new Logger(() => (level, message) => log().debug({ level, message }, "jobs")),
    // Contract 7: what has ended is removed every five minutes.
    crontab: "*/5 * * * * prune",
    taskList: {
      prune: async () => {
        const deleted = await prune(now());
        log().info({ deleted }, "pruned");
      },
    },
  });
  whenStopping(() => runner.stop());
}
