import { connect } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { startApp } from "#tools/kit/start-app.ts";
import { findFreePort, type RunningServer } from "#tools/kit/start-server.ts";

const REPORT = pathToFileURL(join(import.meta.dirname, "report-occupancy.ts")).href;

/** Reports how long the application's main thread was busy. */
export type MeasuredApp = {
  app: RunningServer;
  /** Returns the longest time (ms) since the last call for which the thread read no new requests. */
  longest(): Promise<number>;
  /**
   * In ms. The minimum of a few attempts, because concurrent work (a job, garbage collection) can only add to it. The
   * attempts end when one stays within `enough`.
   */
  cost(send: () => Promise<unknown>, enough: number): Promise<number>;
};

const TRIES = 12;
const Report = z.object({ busy: z.number(), longest: z.number() });

export async function startMeasuredApp(variables: Record<string, string>): Promise<MeasuredApp> {
  const port = await findFreePort();
  const app = await startApp(
    { ...variables, OCCUPANCY_PORT: String(port), NODE_OPTIONS: `--import=${REPORT}` },
    { optimised: true },
  );
  const report = async () => Report.parse(await json(connect(port, "localhost")));
  return {
    app,
    longest: async () => (await report()).longest,
    async cost(send, enough) {
      let least = Number.POSITIVE_INFINITY;
      for (let tries = 0; tries < TRIES && least > enough; tries++) {
        const before = (await report()).busy;
        await send();
        least = Math.min(least, (await report()).busy - before);
      }
      return least;
    },
  };
}
