import { pathToFileURL } from "node:url";
import { registerDirectRoutes } from "#app/direct-routes.ts";
import { startJobs } from "#lib/operations/jobs/start-jobs.ts";
import { startObserving } from "#lib/operations/observe/start-observing.ts";
import { hasEnv } from "#lib/platform/env.ts";

/** Starts what the process needs before the framework answers anything. */
export async function startProcess(): Promise<void> {
  if (!hasEnv()) await setUpPlainNext();
  await startObserving();
  await startJobs();
  // With hot reload they would stay what they were at start.
  if (process.env.NODE_ENV === "production") registerDirectRoutes();
}

/**
 * What scripts/serve.ts has done where it started the process. Node loads it as it is, not bundled: it finds the
 * migrations and PostgreSQL's programs by paths of its own.
 */
async function setUpPlainNext(): Promise<void> {
  if (!process.features.typescript) {
    throw new Error(
      `Node ${process.version} is too old: \`npx next …\` takes the Node of this repository, and so does \`npm start\``,
    );
  }
  const file = pathToFileURL(`${process.cwd()}/scripts/server/plain-next.ts`).href;
  const script: typeof import("#scripts/server/plain-next.ts") = await import(
    /* turbopackIgnore: true */ file
  );
  await script.setUpPlainNext();
}
