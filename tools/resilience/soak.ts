import { setTimeout as sleep } from "node:timers/promises";
import { median } from "../bench/measure.ts";
import { openHandles, residentMb } from "../kit/process-figures.ts";
import { steadily } from "../kit/waiting.ts";
import type { Load } from "./load.ts";
import { requireLinux, type Scenario } from "./stage.ts";
import { DATA, World } from "./world.ts";

const MINUTES = 3;
const REQUESTS_PER_SECOND = 50;
/** Code, wallet response, check, sign-in. */
const REQUESTS_PER_LOGIN = 4;
const SAMPLE_MS = 2_000;
/** Shares of the whole time: to warm up, and for each of the two measurements. */
const WARM_UP = 1 / 3;
const WINDOW = 1 / 6;
const GROWTH = 0.1;

export const soak: Scenario = {
  name: "soak",
  title: `${REQUESTS_PER_SECOND} requests a second for a while`,
  async play(stage) {
    requireLinux();
    const minutes = stage.options.minutes ?? MINUTES;
    const world = await World.open(stage, `${DATA}-soak`);
    const app = await world.start();
    const load = await world.startLoad({ people: 0 });
    const logins = logInSteadily(load, minutes * 60);
    const samples: { memory: number; handles: number; connections: number }[] = [];
    const until = performance.now() + minutes * 60_000;
    while (performance.now() < until) {
      const connections = await world.count(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
      );
      const { pid } = app;
      samples.push({ memory: residentMb([pid]) ?? Number.NaN, handles: openHandles(pid), connections });
      await sleep(SAMPLE_MS);
    }
    await logins;

    const from = Math.floor(samples.length * WARM_UP);
    const window = Math.max(1, Math.floor(samples.length * WINDOW));
    /** The medians after warming up, and at the end. */
    const states = (key: "memory" | "handles" | "connections") =>
      [samples.slice(from, from + window), samples.slice(-window)].map((part) =>
        median(part.map((sample) => sample[key])),
      ) as [number, number];
    const [warmMb, endMb] = states("memory");
    const growth = endMb / warmMb - 1;
    stage.check(
      "memory at the end within 10 % of the warmed-up process's",
      growth < GROWTH,
      `${warmMb.toFixed(0)} MB, then ${endMb.toFixed(0)} MB (${(growth * 100).toFixed(1)} %)`,
    );
    const checkStable = (claim: string, [warm, end]: [number, number], more: number) =>
      stage.check(claim, end <= warm + more, `${warm}, then ${end}`);
    checkStable("connections to PostgreSQL stable", states("connections"), 1);
    checkStable("open handles stable", states("handles"), 5);
    const { traffic, ledger } = load;
    const total = traffic.exchanges.length;
    stage.check(
      "every request is answered well",
      traffic.exchanges.every(({ outcome }) => outcome === 200) && ledger.failures.length === 0,
      `${total} in ${minutes} min, ${(total / minutes / 60).toFixed(0)} a second; ` +
        `p95 ${traffic.latency(0.95).toFixed(0)} ms; ${traffic.summary()}`,
    );
  },
};

/** Begins a login at even intervals, whether those before have ended or not. */
async function logInSteadily(load: Load, forSeconds: number): Promise<void> {
  const everyMs = (1000 * REQUESTS_PER_LOGIN) / REQUESTS_PER_SECOND;
  const underWay: Promise<void>[] = [];
  await steadily(everyMs, Math.ceil((forSeconds * 1000) / everyMs), () => underWay.push(load.logIn("login")));
  await Promise.all(underWay);
}
