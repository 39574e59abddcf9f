import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { EVENT_STREAM_BEAT_SECONDS, EVENT_STREAMS_PER_ADDRESS } from "#lib/login/http/numbers.ts";
import { registeredWallet, requestCode } from "../bench/app.ts";
import { quantile } from "../bench/measure.ts";
import { Client } from "../kit/client.ts";
import { seconds, waitFor } from "../kit/waiting.ts";
import { Ledger, logIn } from "./login.ts";
import { handleLimit, memoryMb } from "./process-memory.ts";
import { type Scenario, Skipped } from "./stage.ts";
import { Traffic } from "./traffic.ts";
import { Watcher } from "./watcher.ts";
import { count, openWorld } from "./world.ts";

const STREAMS = 10_000;
const AT_ONCE = 40;
const PUSHES = 20;
const PUSHED_MS = 500;
const MEMORY_MB = 512;
const EXIT_MS = 10_000;

type Waiting = { challenge: string; watcher: Watcher };

export const streams: Scenario = {
  name: "streams",
  title: `${STREAMS.toLocaleString("en")} idle event streams in one process`,
  async play(stage) {
    if (handleLimit() < STREAMS * 1.1) throw new Skipped(`may open ${handleLimit()} files only (ulimit -n)`);
    const world = await openWorld(stage);
    const app = await world.start();
    const wallet = await registeredWallet(app.url);
    const person = { origin: app.url, wallet, traffic: new Traffic(), ledger: new Ledger() };
    for (let login = 0; login < 200; login++) await logIn(person);

    const before = memoryMb(app.process.pid);
    const opened = performance.now();
    const waiting = await openStreams(app.url, STREAMS);
    stage.onEnd(() => {
      for (const { watcher } of waiting) watcher.close();
    });
    const open = () => waiting.filter(({ watcher }) => watcher.status === 200 && !watcher.ended).length;
    stage.check("all are open", open() === STREAMS, `${open()}, in ${seconds(performance.now() - opened)}`);
    const memory = memoryMb(app.process.pid) - before;
    stage.check(
      `in less than ${MEMORY_MB} MB`,
      memory < MEMORY_MB,
      `${before.toFixed(0)} MB without, ${memory.toFixed(0)} MB more with them, ${((memory * 1024) / STREAMS).toFixed(0)} KB each`,
    );
    const listening = await count(
      world.databaseUrl,
      `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
         AND (query IN ('LISTEN login_session', 'SELECT 1') OR query LIKE 'SELECT sid FROM login\\_session WHERE sid = ANY%')`,
    );
    stage.check("on one connection that listens", listening === 1, `${listening}`);
    await checkPushes(stage, app.url, wallet, waiting);
    await checkCap(stage, app.url);
    const beaten = await waitFor(
      () => waiting.at(-1 - PUSHES)?.watcher.text.includes(": beat") ?? false,
      (EVENT_STREAM_BEAT_SECONDS + 5) * 1000,
    );
    stage.check("they beat", beaten !== null, `one of the last after ${seconds(beaten?.ms ?? null)}`);

    const held = open();
    const told = performance.now();
    app.process.kill("SIGTERM");
    const [code] = await Promise.race([once(app.process, "exit"), sleep(EXIT_MS * 2, ["none"])]);
    const exit = performance.now() - told;
    await waitFor(() => open() === 0, 2_000);
    stage.check(
      "SIGTERM ends all of them, and the process",
      open() === 0 && code === 0 && exit < EXIT_MS,
      `${held} ended, exit code ${code} after ${seconds(exit)}`,
    );
  },
};

/** Browsers that show a code and listen, each with an address of its own. */
async function openStreams(origin: string, total: number): Promise<Waiting[]> {
  const waiting: Waiting[] = [];
  let next = 0;
  const loop = async () => {
    for (let index = next++; index < total; index = next++) {
      const browser = new Client(origin, `172.16.${index >> 8}.${index & 255}`);
      const { sid, challenge } = await requestCode(browser, "register");
      const watcher = new Watcher(browser, sid);
      waiting.push({ challenge, watcher });
      if ((await watcher.until('"pending"', 10_000)) === null)
        throw new Error(`stream ${index}: ${watcher.status}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, loop));
  return waiting;
}

async function checkPushes(
  stage: Parameters<Scenario["play"]>[0],
  origin: string,
  wallet: { response(challenge: string): unknown },
  waiting: readonly Waiting[],
): Promise<void> {
  const times: number[] = [];
  // The last ones: their challenges still live.
  for (const { challenge, watcher } of waiting.slice(-PUSHES)) {
    await new Client(origin).expect(200, "/webhook/register", { json: wallet.response(challenge) });
    times.push((await watcher.until('"authenticated"', 5_000)) ?? Number.POSITIVE_INFINITY);
  }
  const slowest = quantile(
    times.sort((a, b) => a - b),
    1,
  );
  stage.check(
    `a login among them is told within ${PUSHED_MS} ms of the wallet's answer`,
    slowest < PUSHED_MS,
    `${PUSHES} of ${PUSHES}, the slowest within ${slowest.toFixed(0)} ms`,
  );
}

async function checkCap(stage: Parameters<Scenario["play"]>[0], origin: string): Promise<void> {
  const browser = new Client(origin);
  const { sid } = await requestCode(browser);
  const watchers = Array.from({ length: EVENT_STREAMS_PER_ADDRESS + 1 }, () => new Watcher(browser, sid));
  await waitFor(() => watchers.every(({ status }) => status !== 0), 10_000);
  const refused = watchers.filter(({ status }) => status === 429).length;
  for (const watcher of watchers) watcher.close();
  stage.check(
    `an address gets ${EVENT_STREAMS_PER_ADDRESS} of them, and 429 for the next`,
    refused === 1 && watchers.filter(({ status }) => status === 200).length === EVENT_STREAMS_PER_ADDRESS,
    `${refused} ×429`,
  );
}
