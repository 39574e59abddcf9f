import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { EVENT_STREAM_BEAT_SECONDS, EVENT_STREAMS_PER_ADDRESS } from "#packages/login/http/numbers.ts";
import { Client } from "../kit/client.ts";
import { registeredWallet, requestCode } from "../kit/login.ts";
import { handleLimit, residentMb } from "../kit/process-figures.ts";
import type { TestWallet } from "../kit/test-wallet.ts";
import { seconds, waitFor } from "../kit/waiting.ts";
import { openWaiting, type Waiting, Watcher } from "../kit/watcher.ts";
import { requireLinux, type Scenario, Skipped, type Stage } from "./stage.ts";
import { World } from "./world.ts";

const STREAMS = 10_000;
const AT_ONCE = 40;
const PUSHES = 20;
const PUSHED_MS = 500;
const MEMORY_MB = 512;
const EXIT_MS = 10_000;

export const streams: Scenario = {
  name: "streams",
  title: `${STREAMS.toLocaleString("en")} idle event streams in one process`,
  async play(stage) {
    requireLinux();
    if (handleLimit() < STREAMS * 1.1) throw new Skipped(`may open ${handleLimit()} files only (ulimit -n)`);
    const world = await World.open(stage);
    const app = await world.start();
    const wallet = await registeredWallet(app.url);
    const people = await world.startLoad({ people: 0 });
    for (let login = 0; login < 200; login++) await people.logIn("login");

    const memoryMb = () => residentMb([app.pid]) ?? Number.NaN;
    const before = memoryMb();
    const opened = performance.now();
    const waiting: Waiting[] = [];
    stage.onEnd(() => {
      for (const { watcher } of waiting) watcher.close();
    });
    await openStreams(app.url, waiting);
    const open = () => waiting.filter(({ watcher }) => watcher.status === 200 && !watcher.ended).length;
    stage.check("all are open", open() === STREAMS, `${open()}, in ${seconds(performance.now() - opened)}`);
    const more = memoryMb() - before;
    stage.check(
      `in less than ${MEMORY_MB} MB`,
      more < MEMORY_MB,
      `${before.toFixed(0)} MB without, ${more.toFixed(0)} MB more with them, ${((more * 1024) / STREAMS).toFixed(0)} KB each`,
    );
    const listening = await world.count(
      `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
         AND (query IN ('LISTEN login_session', 'SELECT 1') OR query LIKE 'SELECT sid FROM login\\_session WHERE sid = ANY%')`,
    );
    stage.check("on one connection that listens", listening === 1, `${listening}`);
    await checkPushes(stage, wallet, waiting);
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
    const exitMs = performance.now() - told;
    await waitFor(() => open() === 0, 2_000);
    stage.check(
      "SIGTERM ends all of them, and the process",
      open() === 0 && code === 0 && exitMs < EXIT_MS,
      `${held} ended, exit code ${code} after ${seconds(exitMs)}`,
    );
  },
};

/** Browsers that show a code and listen, each with a separate address. */
async function openStreams(origin: string, waiting: Waiting[]): Promise<void> {
  let next = 0;
  const loop = async () => {
    for (let index = next++; index < STREAMS; index = next++) {
      const browser = new Client(origin, `172.16.${index >> 8}.${index & 255}`);
      waiting.push(await openWaiting(browser, "register"));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, loop));
}

async function checkPushes(stage: Stage, wallet: TestWallet, waiting: readonly Waiting[]): Promise<void> {
  const times: number[] = [];
  // The last ones, whose challenges have not expired.
  for (const { browser, challenge, watcher } of waiting.slice(-PUSHES)) {
    const json = wallet.response(challenge);
    await new Client(browser.url).expect(200, "/webhook/register", { json });
    const answered = performance.now();
    const told = await watcher.arrival('"authenticated"', 5_000);
    times.push((told ?? Number.POSITIVE_INFINITY) - answered);
  }
  const slowest = Math.max(...times);
  stage.check(
    `a login among them is told within ${PUSHED_MS} ms of the wallet's answer`,
    slowest < PUSHED_MS,
    `${PUSHES} of ${PUSHES}, the slowest within ${slowest.toFixed(0)} ms`,
  );
}

async function checkCap(stage: Stage, origin: string): Promise<void> {
  const browser = new Client(origin);
  const { sid } = await requestCode(browser);
  const watchers = Array.from({ length: EVENT_STREAMS_PER_ADDRESS + 1 }, () => new Watcher(browser, sid));
  await waitFor(() => watchers.every(({ status }) => status !== 0), 10_000);
  for (const watcher of watchers) watcher.close();
  stage.checkTally(
    `an address gets ${EVENT_STREAMS_PER_ADDRESS} of them, and 429 for the next`,
    watchers.map(({ status }) => status),
    { 200: EVENT_STREAMS_PER_ADDRESS, 429: 1 },
  );
}
