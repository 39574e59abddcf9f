import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "../kit/client.ts";
import { seconds } from "../kit/waiting.ts";
import { Cluster } from "./cluster/cluster.ts";
import type { Machine } from "./cluster/machine.ts";
import { firstWrite } from "./cluster/probe.ts";
import { hasPatroni4 } from "./cluster/programs.ts";
import { Service } from "./cluster/service.ts";
import { SmallDisk } from "./small-disk.ts";
import type { Scenario, Stage } from "./stage.ts";

const KILLS = 3;
const CROWD = 40;
const CROWD_MS = 2_000;
/** From the first write that the cluster acknowledges until everything goes on. */
const GOES_ON_MS = 2_000;
/** An outage that nobody should see. */
const PLANNED_MS = 10_000;
const WHOLE_MS = 90_000;
const DISK_MB = 600;
const DISK_FULL_MS = 20_000;

export const failover: Scenario = {
  name: "failover",
  title:
    "a cluster of three behind HAProxy: the primary killed, stopped, cut off and moved, a standby's disk full",
  async play(stage) {
    const cluster = await Cluster.start(stage);
    const service = await Service.start(stage, cluster);
    for (let kill = 1; kill <= KILLS; kill++) {
      await playLoss(stage, service, {
        name: `kill ${kill}`,
        begin: (primary) => primary.kill(),
        end: (primary) => primary.start(),
      });
    }
    const wakes = hasPatroni4(cluster.programs);
    if (wakes) {
      await playLoss(stage, service, {
        name: "a primary that stops in its tracks and wakes up again",
        begin: (primary) => primary.freeze(),
        end: (primary) => primary.thaw(),
      });
    } else stage.say("left out: a primary that wakes up again, which takes Patroni 4");
    if (cluster.network.cables) {
      const number = (machine: Machine) => cluster.machines.indexOf(machine) + 1;
      await playLoss(stage, service, {
        name: "a network that swallows the primary's packets",
        begin: (primary) => cluster.network.unplug(number(primary)),
        end(primary) {
          if (!wakes) primary.kill();
          cluster.network.plug(number(primary));
          if (!wakes) primary.start();
        },
      });
    } else stage.say("left out: a network that swallows packets, which takes root");
    await playSwitchOver(stage, service);
    await playRollingRestart(stage, service);
    await service.stop();
    if (process.getuid?.() === 0) await playFullStandby(stage);
    else stage.say("left out: a standby whose disk is full, which takes root");
  },
};

type Loss = {
  name: string;
  begin(primary: Machine): void;
  /** The machine comes back. */
  end(primary: Machine): void;
};

/** The cluster loses its primary, machine and all, while people log in. */
async function playLoss(stage: Stage, service: Service, { name, begin, end }: Loss): Promise<void> {
  const { cluster } = service;
  const load = await service.startLoad();
  const streams = await service.openStreams();
  await sleep(3_000);
  const primary = await cluster.primary();
  const lost = performance.now();
  begin(primary);
  const crowd = askForCodes(cluster.origin);
  const written = await firstWrite(cluster, primary);
  stage.say(`${name}: ${primary.name} is lost; the first write is taken ${seconds(written - lost)} later`);
  await service.checkGoesOn(name, { load, streams, from: written, limitMs: GOES_ON_MS });
  const answers = await crowd;
  stage.check(
    `${name}: ${CROWD} people who ask for a code within ${seconds(CROWD_MS)} get 503 with Retry-After`,
    answers.every(({ status, retry }) => status === 503 && /^[1-9]\d*$/.test(retry)),
    tally(answers.map(({ status }) => status)),
  );
  end(primary);
  await sleep(5_000);
  await service.checkKept(name, load);
  await checkWhole(stage, cluster, `${name}: the machine is a standby again`);
}

/** Another primary, because an operator wants it. */
async function playSwitchOver(stage: Stage, service: Service): Promise<void> {
  const name = "a planned change of the primary";
  const { cluster } = service;
  const load = await service.startLoad();
  const streams = await service.openStreams();
  await sleep(3_000);
  const before = await cluster.primary();
  const asked = performance.now();
  cluster.switchOver();
  const written = await firstWrite(cluster, before);
  const tookMs = written - asked;
  stage.check(`${name} takes less than ${seconds(PLANNED_MS)}`, tookMs < PLANNED_MS, seconds(tookMs));
  await service.checkGoesOn(name, { load, streams, from: written, limitMs: GOES_ON_MS });
  await sleep(3_000);
  await service.checkKept(name, load);
  await checkWhole(stage, cluster, `${name}: the former primary is a standby`);
}

/** Each process of the application is replaced, as by an upgrade. */
async function playRollingRestart(stage: Stage, service: Service): Promise<void> {
  const name = "processes restarted one after the other";
  const load = await service.startLoad();
  await sleep(3_000);
  for (const index of service.processes.keys()) {
    const streams = await service.openStreams();
    await service.replaceProcess(index);
    await service.checkGoesOn(`${name}, ${index + 1}`, {
      load,
      streams,
      from: performance.now(),
      limitMs: GOES_ON_MS,
    });
    await sleep(3_000);
  }
  const refused = load.traffic.exchanges.filter(({ outcome }) => outcome !== 200 && outcome !== 201);
  stage.check(
    `${name}: no request is refused`,
    refused.length === 0,
    `${load.traffic.exchanges.length} requests, ${tally(refused.map(({ outcome }) => outcome)) || "none refused"}`,
  );
  await service.checkKept(name, load);
}

/** The standby that every commit waits for cannot write any more. */
async function playFullStandby(stage: Stage): Promise<void> {
  const name = "the synchronous standby's disk full";
  const disks = new Map<string, SmallDisk>();
  const cluster = await Cluster.start(stage, (folder, machine, user) => {
    if (!user) return;
    const data = join(folder, "data");
    mkdirSync(data);
    disks.set(machine, new SmallDisk(stage, { folder: data, megabytes: DISK_MB, user }));
  });
  const service = await Service.start(stage, cluster);
  const load = await service.startLoad();
  const streams = await service.openStreams();
  await sleep(3_000);
  const standby = await cluster.synchronous();
  const disk = disks.get(standby.name);
  const full = performance.now();
  disk?.fill();
  await sleep(DISK_FULL_MS);
  const stalled = Math.max(0, ...load.traffic.exchanges.filter(({ at }) => at > full).map(({ ms }) => ms));
  stage.say(
    `${name}: ${standby.name} for ${seconds(DISK_FULL_MS)}; the slowest request meanwhile took ${seconds(stalled)}`,
  );
  const other = await cluster.synchronous();
  stage.check(
    `${name}: commits wait for the other standby`,
    other !== standby,
    `${standby.name}, then ${other.name}`,
  );
  await service.checkGoesOn(name, { load, streams, from: performance.now(), limitMs: GOES_ON_MS });
  disk?.free();
  await service.checkKept(name, load);
  await checkWhole(stage, cluster, `${name}: it follows again once there is room`);
}

async function checkWhole(stage: Stage, cluster: Cluster, claim: string): Promise<void> {
  const whole = await cluster.untilWhole(WHOLE_MS);
  stage.check(claim, whole !== null, `after ${seconds(whole)}`);
}

async function askForCodes(origin: string): Promise<{ status: number; retry: string }[]> {
  return Promise.all(
    Array.from({ length: CROWD }, async (_, index) => {
      await sleep((CROWD_MS / CROWD) * index);
      const { status, headers } = await new Client(origin).send("/api/svc/qr?mode=login");
      return { status, retry: headers["retry-after"] ?? "" };
    }),
  );
}

function tally(outcomes: readonly (number | string)[]): string {
  const counts = new Map<number | string, number>();
  for (const outcome of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts].map(([outcome, count]) => `${outcome} ×${count}`).join(", ");
}
