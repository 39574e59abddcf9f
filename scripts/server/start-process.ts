import { registerDirectRoutes } from "#app/direct-routes.ts";
import { startJobs } from "#lib/operations/jobs/start-jobs.ts";
import { startObserving } from "#lib/operations/observe/start-observing.ts";

/** Starts what the process needs before anything is answered, loaded by Node itself (docs/decisions/0047). */
export async function startProcess(): Promise<void> {
  await startObserving();
  await startJobs();
  // With hot reload they would stay what they were at start.
  if (process.env.NODE_ENV === "production") registerDirectRoutes();
}
