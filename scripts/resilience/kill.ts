import { setTimeout as sleep } from "node:timers/promises";
import { startReceiver } from "#scripts/kit/receiver.ts";
import { seconds, untilOk } from "../kit/waiting.ts";
import { Load } from "./load.ts";
import { checkEvents, checkPromises } from "./promises-kept.ts";
import type { Scenario } from "./stage.ts";
import { newTenant } from "./tenant.ts";
import { openWorld } from "./world.ts";

const KILLS = 20;
const BETWEEN_MS = 1_500;
const HEALTHY_MS = 5_000;
/** A try that was under way is given up after its lease of 30 s. */
const LEASE_AND_SWEEP_MS = 45_000;

export const kill: Scenario = {
  name: "kill",
  title: `kill -9, ${KILLS} times under load`,
  async play(stage) {
    const world = await openWorld(stage);
    const receiver = await startReceiver();
    stage.onEnd(() => receiver.close());
    let app = await world.start();
    const { port } = new URL(app.url);
    const tenant = await newTenant(app.url, world.databaseUrl, receiver.url);
    const load = await Load.start({ origin: app.url, people: 6, tenant });

    const times: (number | null)[] = [];
    for (let count = 0; count < KILLS; count++) {
      await sleep(BETWEEN_MS);
      await app.stop("SIGKILL");
      const killed = performance.now();
      app = await world.start({ PORT: port });
      const ready = await untilOk(`${app.url}/readyz`, HEALTHY_MS);
      times.push(ready === null ? null : performance.now() - killed);
    }
    await load.stop();

    const slowest = times.includes(null) ? null : Math.max(...times.map(Number));
    stage.check(
      `ready within ${seconds(HEALTHY_MS)} of every kill`,
      slowest !== null && slowest < HEALTHY_MS,
      `the slowest after ${seconds(slowest)}`,
    );
    const { ledger, traffic } = load;
    stage.say(`requests: ${traffic.summary()}`);
    stage.check(
      "no login failed that was tried again",
      ledger.failures.length === 0,
      `${ledger.signedIn} signed in${ledger.failures.map((text) => `; ${text}`).join("")}`,
    );
    await checkPromises(stage, { origin: app.url, databaseUrl: world.databaseUrl, ledger });
    await checkEvents(stage, { receiver, ledger, timeoutMs: LEASE_AND_SWEEP_MS });
  },
};
