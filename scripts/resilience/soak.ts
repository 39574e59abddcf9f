import { setTimeout as sleep } from "node:timers/promises";
import { registeredWallet } from "../bench/app.ts";
import { median } from "../bench/measure.ts";
import { Ledger, logIn } from "./login.ts";
import { memoryMb, openHandles } from "./process-memory.ts";
import type { Scenario } from "./stage.ts";
import { Traffic } from "./traffic.ts";
import { count, DATA, openWorld } from "./world.ts";

const MINUTES = 3;
const REQUESTS_PER_SECOND = 50;
const REQUESTS_PER_LOGIN = 5;
const SAMPLE_MS = 2_000;
/** The share of the time that the process gets to warm up, and that the two states are measured over. */
const WARM_UP = 1 / 3;
const WINDOW = 1 / 6;
const GROWTH = 0.1;

type Sample = { memory: number; handles: number; connections: number };

export const soak: Scenario = {
  name: "soak",
  title: `${REQUESTS_PER_SECOND} requests a second for a while`,
  async play(stage) {
    const minutes = stage.minutes ?? MINUTES;
    const world = await openWorld(stage, `${DATA}-soak`);
    const app = await world.start();
    const { pid } = app.process;
    const wallet = await registeredWallet(app.url);
    const person = { origin: app.url, wallet, traffic: new Traffic(), ledger: new Ledger() };
    const logins = logInSteadily(person, minutes * 60);
    const samples: Sample[] = [];
    const until = performance.now() + minutes * 60_000;
    while (performance.now() < until) {
      const connections = await count(
        world.databaseUrl,
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
      );
      samples.push({ memory: memoryMb(pid), handles: openHandles(pid), connections });
      await sleep(SAMPLE_MS);
    }
    await logins;

    const from = Math.floor(samples.length * WARM_UP);
    const window = Math.max(1, Math.floor(samples.length * WINDOW));
    const warm = samples.slice(from, from + window);
    const end = samples.slice(-window);
    const of = (part: Sample[], key: keyof Sample) => median(part.map((sample) => sample[key]));
    const growth = of(end, "memory") / of(warm, "memory") - 1;
    stage.check(
      "memory at the end within 10 % of the warmed-up process's",
      growth < GROWTH,
      `${of(warm, "memory").toFixed(0)} MB, then ${of(end, "memory").toFixed(0)} MB (${(growth * 100).toFixed(1)} %)`,
    );
    stage.check(
      "connections to PostgreSQL stable",
      of(end, "connections") <= of(warm, "connections") + 1,
      `${of(warm, "connections")}, then ${of(end, "connections")}`,
    );
    stage.check(
      "open handles stable",
      of(end, "handles") <= of(warm, "handles") + 5,
      `${of(warm, "handles")}, then ${of(end, "handles")}`,
    );
    const { traffic, ledger } = person;
    const bad = traffic.exchanges.filter(({ outcome }) => outcome !== 200);
    const rate = traffic.exchanges.length / (minutes * 60);
    stage.check(
      "every request is answered well",
      bad.length === 0 && ledger.failures.length === 0,
      `${traffic.exchanges.length} in ${minutes} min, ${rate.toFixed(0)} a second; p95 ${traffic.latency(0.95).toFixed(0)} ms; ${traffic.summary()}`,
    );
  },
};

/** Begins a login at even intervals, whether those before have ended or not. */
async function logInSteadily(person: Parameters<typeof logIn>[0], forSeconds: number): Promise<void> {
  const everyMs = (1000 * REQUESTS_PER_LOGIN) / REQUESTS_PER_SECOND;
  const began = performance.now();
  const running = new Set<Promise<void>>();
  for (let index = 0; index * everyMs < forSeconds * 1000; index++) {
    await sleep(Math.max(0, began + index * everyMs - performance.now()));
    const login = logIn(person).finally(() => running.delete(login));
    running.add(login);
  }
  await Promise.all(running);
}
