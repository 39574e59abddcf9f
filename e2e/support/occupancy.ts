import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { freePort, type RunningApp, startApp } from "./start-app.ts";

const REPORT = pathToFileURL(join(import.meta.dirname, "report-occupancy.ts")).href;

/** An application that tells how long its thread was busy. */
export type MeasuredApp = {
  app: RunningApp;
  /** Milliseconds so far. */
  busy(): Promise<number>;
  /**
   * How long `send` keeps the thread busy (ms): of a few tries the least, since whatever runs beside it (a job, the
   * collection of garbage) only adds. Tries end as soon as one is within `enough`.
   */
  cost(send: () => Promise<unknown>, enough: number): Promise<number>;
};

const TRIES = 4;

/** Starts an application with these variables, to be measured. */
export async function startMeasuredApp(variables: Record<string, string>): Promise<MeasuredApp> {
  const port = await freePort();
  const app = await startApp({
    ...variables,
    OCCUPANCY_PORT: String(port),
    NODE_OPTIONS: `--import=${REPORT}`,
  });
  const busy = async () => Number(await text(connect(port, "localhost")));
  return {
    app,
    busy,
    async cost(send, enough) {
      let least = Number.POSITIVE_INFINITY;
      for (let tries = 0; tries < TRIES && least > enough; tries++) {
        const before = await busy();
        await send();
        least = Math.min(least, (await busy()) - before);
      }
      return least;
    },
  };
}
