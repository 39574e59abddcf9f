import { setTimeout as sleep } from "node:timers/promises";
import { startReceiver } from "#scripts/kit/receiver.ts";
import { registeredWallet, requestCode } from "../bench/app.ts";
import { Client } from "../kit/client.ts";
import { seconds, untilOk } from "../kit/waiting.ts";
import { Load } from "./load.ts";
import { PostgresServer } from "./postgres.ts";
import { checkEvents, checkPromises } from "./promises-kept.ts";
import type { Scenario } from "./stage.ts";
import { newTenant } from "./tenant.ts";
import { checkUnavailable } from "./unavailable.ts";
import { Watcher } from "./watcher.ts";
import { DATA, openWorld } from "./world.ts";

const STREAMS = 20;
const BACK_MS = 10_000;
const EVENTS_MS = 60_000;

export const databaseRestart: Scenario = {
  name: "database-restart",
  title: "PostgreSQL restarted at once under load",
  async play(stage) {
    const world = await openWorld(stage);
    const postgres = new PostgresServer(DATA);
    const receiver = await startReceiver();
    stage.onEnd(() => receiver.close());
    const app = await world.start();
    const tenant = await newTenant(app.url, world.databaseUrl, receiver.url);
    const load = await Load.start({ origin: app.url, people: 6, tenant });
    await sleep(2_000);

    const waiting = await Promise.all(Array.from({ length: STREAMS }, () => waitForWallet(app.url)));
    // A request that is refused now is repeated while the database is away.
    receiver.on("/", (response) => response.writeHead(503).end());
    await sleep(2_000);
    const stopped = performance.now();
    await postgres.stopAtOnce();
    await sleep(500);
    postgres.start();
    receiver.on("/", (response) => response.writeHead(204).end());
    const ready = await untilOk(`${app.url}/readyz`, BACK_MS * 3);
    await sleep(3_000);

    stage.check("ready again", ready !== null && ready < BACK_MS, `after ${seconds(ready)}`);
    const since = { away: stopped, back: stopped, withinMs: BACK_MS };
    checkUnavailable(stage, "while it was away", load.traffic, since);
    stage.check(
      "open event streams stayed open",
      waiting.every(({ watcher }) => !watcher.ended),
      `${waiting.filter(({ watcher }) => !watcher.ended).length} of ${STREAMS}`,
    );
    const wallet = await registeredWallet(app.url);
    const pushed = await Promise.all(
      waiting.map(async ({ challenge, watcher }) => {
        const { status } = await new Client(app.url).send("/webhook/login", {
          json: wallet.response(challenge),
        });
        return status === 200 && (await watcher.until('"authenticated"', 5_000)) !== null;
      }),
    );
    stage.check(
      "and tell a login that is made afterwards",
      pushed.every(Boolean),
      `${pushed.filter(Boolean).length} of ${STREAMS}`,
    );
    await load.stop();
    const { ledger } = load;
    stage.check(
      "no login failed",
      ledger.failures.length === 0,
      [
        `${ledger.signedIn} signed in, ${ledger.codesLost} asked for their code again`,
        ...ledger.failures,
      ].join("; "),
    );
    await checkPromises(stage, { origin: app.url, databaseUrl: world.databaseUrl, ledger });
    await checkEvents(stage, { receiver, ledger, timeoutMs: EVENTS_MS });
    stage.check("the same process all along", app.process.exitCode === null, `process ${app.process.pid}`);
  },
};

/** A browser that shows a code and listens. */
async function waitForWallet(origin: string) {
  const browser = new Client(origin);
  const { sid, challenge } = await requestCode(browser);
  const watcher = new Watcher(browser, sid);
  await watcher.until('"pending"', 5_000);
  return { challenge, watcher };
}
