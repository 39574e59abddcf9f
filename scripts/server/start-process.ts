import { setFlagsFromString } from "node:v8";
import { registerDirectRoutes } from "#app/direct-routes.ts";
import { startJobs } from "#lib/operations/jobs/start-jobs.ts";
import { startObserving } from "#lib/operations/observe/start-observing.ts";

/** Starts what the process needs before anything is answered, loaded by Node itself (docs/decisions/0047). */
export async function startProcess(): Promise<void> {
  await startObserving();
  await startJobs();
  // With hot reload they would stay what they were at start.
  if (process.env.NODE_ENV !== "production") return;
  registerDirectRoutes();
  // V8 optimises a function fully after 3,000 calls, and a login calls most of its own once.
  setFlagsFromString("--invocation-count-for-turbofan=600");
}
