import { setTimeout as sleep } from "node:timers/promises";
import { startTcpProxy, type TcpProxy } from "#e2e/support/tcp-proxy.ts";
import { startReceiver } from "#scripts/kit/receiver.ts";
import { logIn, registeredWallet, requestCode } from "../bench/app.ts";
import { Client } from "../kit/client.ts";
import { TestWallet } from "../kit/test-wallet.ts";
import { seconds, untilOk } from "../kit/waiting.ts";
import { Load } from "./load.ts";
import { PostgresServer } from "./postgres.ts";
import { checkEvents, checkPromises } from "./promises-kept.ts";
import type { Scenario, Stage } from "./stage.ts";
import { newTenant } from "./tenant.ts";
import { checkUnavailable } from "./unavailable.ts";
import { Watcher } from "./watcher.ts";
import { DATA, openWorld, worldOn } from "./world.ts";

/** Longer than a query is waited for, shorter than people are patient. */
const SILENCE_MS = 13_000;
const BACK_MS = 10_000;
const GIVEN_UP_MS = 12_000;
const READY_MS = 2_000;
const EVENTS_MS = 60_000;

type Silence = { name: string; begin(): void; end(): unknown };

export const databaseHang: Scenario = {
  name: "database-hang",
  title: "PostgreSQL stopped in its tracks, then a network that swallows packets",
  async play(stage) {
    const world = await openWorld(stage);
    const postgres = new PostgresServer(DATA);
    const url = new URL(world.databaseUrl);
    const proxy: TcpProxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
    stage.onEnd(() => proxy.close());
    url.host = `127.0.0.1:${proxy.port}`;
    const receiver = await startReceiver();
    stage.onEnd(() => receiver.close());
    const app = await worldOn(stage, url.href).start();
    const tenant = await newTenant(app.url, world.databaseUrl, receiver.url);
    // Whatever happens, nothing stays stopped.
    stage.onEnd(() => postgres.thaw());
    const silences: Silence[] = [
      { name: "SIGSTOP", begin: () => postgres.freeze(), end: () => postgres.thaw() },
      { name: "no packets", begin: () => proxy.swallow(), end: () => proxy.heal() },
    ];
    for (const silence of silences) {
      const load = await Load.start({ origin: app.url, people: 6, tenant });
      await sleep(2_000);
      const { away, back, watcher, challenge } = await fallSilent(stage, app.url, silence);
      await checkPush(stage, silence.name, app.url, { watcher, challenge });
      await sleep(5_000);
      checkUnavailable(stage, silence.name, load.traffic, { away, back, withinMs: BACK_MS });
      await load.stop();
      const { ledger, traffic } = load;
      const slowest = Math.max(...traffic.exchanges.map(({ ms }) => ms));
      stage.check(
        `${silence.name}: no request waits longer than ${seconds(GIVEN_UP_MS)}`,
        slowest < GIVEN_UP_MS,
        `the slowest ${seconds(slowest)}`,
      );
      stage.check(
        `${silence.name}: no login failed`,
        ledger.failures.length === 0,
        [
          `${ledger.signedIn} signed in, ${ledger.codesLost} asked for their code again`,
          ...ledger.failures,
        ].join("; "),
      );
      await checkPromises(stage, { origin: app.url, databaseUrl: world.databaseUrl, ledger });
      await checkEvents(stage, { receiver, ledger, timeoutMs: EVENTS_MS });
    }
    stage.check("the same process all along", app.process.exitCode === null, `process ${app.process.pid}`);
  },
};

/** Plays one silence of the database. Meanwhile it asks what must not take long, and who is signed in. */
async function fallSilent(stage: Stage, origin: string, silence: Silence) {
  const signedIn = new Client(origin);
  await logIn(origin, await registeredWallet(origin), signedIn);
  const browser = new Client(origin);
  const { sid, challenge } = await requestCode(browser, "register");
  const watcher = new Watcher(browser, sid);
  await watcher.until('"pending"', 5_000);
  const cookies = [...signedIn.cookies].join();

  const away = performance.now();
  silence.begin();
  const asked = ["/readyz", "/healthz", "/api/auth/session", "/dashboard"].map((path) =>
    timed(signedIn, path),
  );
  const [ready, health, session, page] = await Promise.all(asked);
  await sleep(Math.max(0, SILENCE_MS - (performance.now() - away)));
  await silence.end();
  const back = performance.now();

  const { name } = silence;
  stage.check(`${name}: /readyz says 503 in time`, ready?.status === 503 && ready.ms < READY_MS, tell(ready));
  stage.check(`${name}: /healthz is well`, health?.status === 200 && health.ms < READY_MS, tell(health));
  stage.check(
    `${name}: nobody is told that they are signed in, and cookies stay`,
    session?.status === 503 && page?.status === 503 && [...signedIn.cookies].join() === cookies,
    `session ${tell(session)}, dashboard ${tell(page)}`,
  );
  const again = await untilOk(`${origin}/readyz`, BACK_MS);
  stage.check(`${name}: ready again by itself`, again !== null, `after ${seconds(again)}`);
  const { body } = await signedIn.send("/api/auth/session");
  stage.check(`${name}: and the browser is signed in as before`, body.includes('"user"'), body.slice(0, 60));
  return { away, back, watcher, challenge };
}

async function checkPush(
  stage: Stage,
  name: string,
  origin: string,
  { watcher, challenge }: { watcher: Watcher; challenge: string },
): Promise<void> {
  const json = new TestWallet().response(challenge);
  const { status } = await new Client(origin).send("/webhook/register", { json });
  const pushed = await watcher.until('"authenticated"', 5_000);
  stage.check(
    `${name}: the stream from before stayed open, and tells`,
    pushed !== null,
    `${status}, ${seconds(pushed)}`,
  );
  watcher.close();
}

type Timed = { status: number; ms: number };

async function timed(browser: Client, path: string): Promise<Timed> {
  const from = performance.now();
  const { status } = await browser.send(path);
  return { status, ms: performance.now() - from };
}

function tell(asked: Timed | undefined): string {
  return asked ? `${asked.status} after ${seconds(asked.ms)}` : "no answer";
}
