import { setTimeout as sleep } from "node:timers/promises";
import { startTcpProxy } from "#e2e/support/tcp-proxy.ts";
import { Client } from "../kit/client.ts";
import { logIn, registerWallet } from "../kit/login.ts";
import { TestWallet } from "../kit/test-wallet.ts";
import { formatSeconds, waitUntilOk } from "../kit/waiting.ts";
import { openWaitingBrowser, type WaitingBrowser } from "../kit/watcher.ts";
import { PostgresServer } from "./postgres.ts";
import type { Scenario, Stage } from "./stage.ts";
import { countWhere, DATA, World } from "./world.ts";

const BACK_MS = 10_000;

const STREAMS = 20;

export const databaseRestartScenario: Scenario = {
  name: "database-restart",
  title: "PostgreSQL restarted at once under load",
  async play(stage) {
    const world = await World.open(stage);
    const postgres = new PostgresServer(DATA);
    const app = await world.start();
    const receiver = await world.addCustomer();
    const load = await world.startLoad({ people: 6 });
    await sleep(2_000);
    const waiting = await Promise.all(
      Array.from({ length: STREAMS }, () => openWaitingBrowser(new Client(app.url), "register")),
    );
    // The receiver refuses this event, so the application retries it while the database is unreachable.
    receiver.on("/", (response) => response.writeHead(503).end());
    await sleep(2_000);
    const stopped = performance.now();
    await postgres.stopAtOnce();
    await sleep(500);
    await postgres.start();
    receiver.on("/", (response) => response.writeHead(204).end());
    const ready = await waitUntilOk(`${app.url}/readyz`, BACK_MS * 3);
    await sleep(3_000);

    stage.checkWithin("ready again", ready, BACK_MS);
    const since = { away: stopped, back: stopped, withinMs: BACK_MS };
    load.traffic.checkUnavailable(stage, "while it was away", since);
    const open = waiting.filter(({ watcher }) => !watcher.ended).length;
    stage.checkAll("open event streams stayed open", open, STREAMS);
    const notifiedCount = await countWhere(waiting, async (watcher) => (await pushed(watcher)) !== null);
    stage.checkAll("and tell a login that is made afterwards", notifiedCount, STREAMS);
    await world.checkLoad(load);
    world.checkAlive(app);
  },
};

/** Longer than the application waits for a query, but shorter than people wait for a login. */
const SILENCE_MS = 13_000;
const GIVEN_UP_MS = 12_000;
const READY_MS = 2_000;

export const databaseHangScenario: Scenario = {
  name: "database-hang",
  title: "PostgreSQL stopped in its tracks, then a network that swallows packets",
  async play(stage) {
    const world = await World.open(stage);
    const postgres = new PostgresServer(DATA);
    const url = new URL(world.databaseUrl);
    const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
    stage.onEnd(() => proxy.close());
    url.host = `127.0.0.1:${proxy.port}`;
    const app = await world.start({ DATABASE_URL: url.href });
    await world.addCustomer();
    // PostgreSQL must not stay frozen, even if the scenario fails.
    stage.onEnd(() => postgres.thaw());
    const silences = [
      { name: "SIGSTOP", begin: () => postgres.freeze(), end: () => postgres.thaw() },
      { name: "no packets", begin: () => proxy.swallow(), end: () => proxy.heal() },
    ];
    for (const silence of silences) {
      const load = await world.startLoad({ people: 6 });
      await sleep(2_000);
      const waiting = await openWaitingBrowser(new Client(app.url), "register");
      const since = await fallSilent(stage, app.url, silence);
      const notifiedMs = await pushed(waiting);
      stage.check(
        `${silence.name}: the stream from before stayed open, and tells`,
        notifiedMs !== null,
        formatSeconds(notifiedMs),
      );
      waiting.watcher.close();
      await sleep(5_000);
      load.traffic.checkUnavailable(stage, silence.name, { ...since, withinMs: BACK_MS });
      await load.stop();
      stage.checkWithin(`${silence.name}: every request is answered`, load.traffic.latency(1), GIVEN_UP_MS);
      await world.checkLoad(load);
    }
    world.checkAlive(app);
  },
};

/**
 * During the silence, health checks and the session must still be answered quickly.
 * @returns when the silence began and ended (performance.now())
 */
async function fallSilent(
  stage: Stage,
  origin: string,
  { name, begin, end }: { name: string; begin(): void; end(): unknown },
) {
  const browser = new Client(origin);
  await logIn(origin, await registerWallet(origin), browser);
  const cookies = [...browser.cookies].join();

  const away = performance.now();
  begin();
  const [ready, health, session, page] = await Promise.all([
    timed(browser, "/readyz"),
    timed(browser, "/healthz"),
    timed(browser, "/api/auth/session"),
    timed(browser, "/dashboard"),
  ]);
  await sleep(Math.max(0, SILENCE_MS - (performance.now() - away)));
  await end();
  const back = performance.now();

  stage.check(`${name}: /readyz says 503 in time`, ready.status === 503 && ready.ms < READY_MS, ready.told);
  stage.check(`${name}: /healthz is well`, health.status === 200 && health.ms < READY_MS, health.told);
  stage.check(
    `${name}: nobody is told that they are signed in, and cookies stay`,
    session.status === 503 && page.status === 503 && [...browser.cookies].join() === cookies,
    `session ${session.told}, dashboard ${page.told}`,
  );
  const again = await waitUntilOk(`${origin}/readyz`, BACK_MS);
  stage.check(`${name}: ready again by itself`, again !== null, `after ${formatSeconds(again)}`);
  const { body } = await browser.send("/api/auth/session");
  stage.check(`${name}: and the browser is signed in as before`, body.includes('"user"'), body.slice(0, 60));
  return { away, back };
}

/**
 * Answers a code. Returns how many milliseconds later the code's browser was notified, or null if it was not notified.
 */
async function pushed({ browser, challenge, watcher }: WaitingBrowser): Promise<number | null> {
  const sentAt = performance.now();
  const json = new TestWallet().response(challenge);
  await new Client(browser.url).send("/webhook/register", { json });
  const at = await watcher.waitForMessage('"authenticated"', 5_000);
  return at && at - sentAt;
}

async function timed(browser: Client, path: string) {
  const from = performance.now();
  const { status } = await browser.send(path);
  const ms = performance.now() - from;
  return { status, ms, told: `${status} after ${formatSeconds(ms)}` };
}
