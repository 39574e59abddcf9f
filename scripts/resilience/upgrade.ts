import { setTimeout as sleep } from "node:timers/promises";
import { startReceiver } from "../kit/receiver.ts";
import { sql } from "../kit/sql.ts";
import { freePort } from "../kit/start-server.ts";
import { Load } from "./load.ts";
import { checkEvents, checkPromises } from "./promises-kept.ts";
import type { Scenario } from "./stage.ts";
import { newTenant } from "./tenant.ts";
import { startNginx } from "./two-processes.ts";
import { prepareVersionBefore } from "./version-before.ts";
import { openWorld } from "./world.ts";

const SIDE_BY_SIDE_MS = 6_000;
const EVENTS_MS = 60_000;

export const upgrade: Scenario = {
  name: "upgrade",
  title: "the version before and this one side by side on one database, and back again",
  async play(stage) {
    const before = prepareVersionBefore(stage);
    const world = await openWorld(stage);
    const receiver = await startReceiver();
    stage.onEnd(() => receiver.close());
    const ports: [number, number] = [await freePort(), await freePort()];
    const origin = await startNginx(stage, ports);
    const start = (port: number, root?: string) => world.start({ PORT: String(port), APP_URL: origin }, root);
    const migrations = async () =>
      (await sql(world.databaseUrl, "SELECT 1 FROM _prisma_migrations WHERE finished_at IS NOT NULL")).length;

    let first = await start(ports[0], before);
    let second = await start(ports[1], before);
    const known = await migrations();
    const tenant = await newTenant(origin, world.databaseUrl, receiver.url, before);
    const load = await Load.start({ origin, people: 4, fast: 2, tenant });
    await sleep(SIDE_BY_SIDE_MS / 2);
    await first.stop("SIGTERM");
    first = await start(ports[0]);
    stage.say(`${(await migrations()) - known} migrations lie between the two`);
    await sleep(SIDE_BY_SIDE_MS);
    await second.stop("SIGTERM");
    second = await start(ports[1]);
    await sleep(SIDE_BY_SIDE_MS / 2);
    stage.say("and back");
    await first.stop("SIGTERM");
    first = await start(ports[0], before);
    await sleep(SIDE_BY_SIDE_MS);
    await second.stop("SIGTERM");
    second = await start(ports[1], before);
    await sleep(SIDE_BY_SIDE_MS / 2);
    await load.stop();

    const { ledger, traffic } = load;
    stage.say(`requests: ${traffic.summary()}`);
    stage.check(
      "no login failed",
      ledger.failures.length === 0 && ledger.signedIn > 0,
      [`${ledger.signedIn} signed in`, ...ledger.failures].join("; "),
    );
    const errors = traffic.exchanges.filter(({ outcome }) => Number(outcome) === 500);
    stage.check("no request is answered with 500", errors.length === 0, `${errors.length}`);
    await checkPromises(stage, { origin, databaseUrl: world.databaseUrl, ledger });
    await checkEvents(stage, { receiver, ledger, timeoutMs: EVENTS_MS });
  },
};
