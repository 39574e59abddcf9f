import { hasEnv } from "#lib/platform/env.ts";

/** The framework calls this once when the server starts; Node-only code stands behind the check. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  if (!hasEnv()) await setUpPlainNext();
  const { startObserving } = await import("#lib/operations/observe/start-observing.ts");
  await startObserving();
  const { startJobs } = await import("#lib/operations/jobs/start-jobs.ts");
  await startJobs();
  // With hot reload they would stay what they were at start.
  if (process.env.NODE_ENV !== "production") return;
  const { registerDirectRoutes } = await import("#app/direct-routes.ts");
  registerDirectRoutes();
}

/** What scripts/serve.ts has done where it started the process. Node loads it as it is: it reads its files by path. */
async function setUpPlainNext(): Promise<void> {
  const { pathToFileURL } = await import("node:url");
  const file = pathToFileURL(`${process.cwd()}/scripts/server/plain-next.ts`).href;
  const script: typeof import("#scripts/server/plain-next.ts") = await import(
    /* turbopackIgnore: true */ file
  );
  await script.setUpPlainNext();
}
