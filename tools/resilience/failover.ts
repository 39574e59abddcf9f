import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "../kit/client.ts";
import { seconds } from "../kit/waiting.ts";
import { Cluster } from "./cluster/cluster.ts";
import { LimitedDisk } from "./cluster/limited-disk.ts";
import type { Machine } from "./cluster/machines.ts";
import { Service } from "./cluster/service.ts";
import type { Load } from "./load.ts";
import { hasPatroni4 } from "./programs.ts";
import { type Outcome, type Scenario, type Stage, tally } from "./stage.ts";

const KILLS = 3;
const CROWD = 40;
const CROWD_MS = 2_000;
/** How long a planned change may take. */
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
    const { network } = cluster;
    const service = await Service.startOn(cluster, stage);
    for (let kill = 1; kill <= KILLS; kill++) {
      await playLoss(service, {
        name: `kill ${kill}`,
        begin: (primary) => primary.kill(),
        end: (primary) => primary.start(),
      });
    }
    const wakes = hasPatroni4(cluster.programs);
    if (wakes) {
      await playLoss(service, {
        name: "a primary that stops in its tracks and wakes up again",
        begin: (primary) => primary.freeze(),
        end: (primary) => primary.thaw(),
      });
    } else stage.say("left out: a primary that wakes up again, which takes Patroni 4");
    if (network.cables) {
      await playLoss(service, {
        name: "a network that swallows the primary's packets",
        begin: ({ number }) => network.unplug(number),
        end(primary) {
          if (!wakes) primary.kill();
          network.plug(primary.number);
          if (!wakes) primary.start();
        },
      });
    } else stage.say("left out: a network that swallows packets, which takes root");
    await playSwitchOver(service);
    await playRollingRestart(service);
    await service.stop();
    if (process.getuid?.() === 0) await playFullStandby(stage);
    else stage.say("left out: a standby whose disk is full, which takes root");
  },
};

type Fault = {
  name: string;
  /** Plays the fault. Returns when the cluster accepted writes again (performance.now()). */
  play(load: Load): Promise<number>;
  /** Runs before the load ends. */
  end?(load: Load): Promise<unknown>;
  /** The claim that the cluster has three machines again at the end. */
  whole?: string;
};

/** Injects a fault while people log in, and checks the guarantees. */
async function playFault(service: Service, { name, play, end, whole }: Fault): Promise<void> {
  const load = await service.startPeople();
  const streams = await service.openStreams();
  await sleep(3_000);
  const from = await play(load);
  await service.checkContinues(name, load, streams, from);
  await end?.(load);
  await service.checkPeople(name, load);
  if (!whole) return;
  const ms = await service.cluster.untilWhole(WHOLE_MS);
  service.stage.check(`${name}: ${whole}`, ms !== null, `after ${seconds(ms)}`);
}

type Loss = {
  name: string;
  begin(primary: Machine): void;
  /** The machine comes back. */
  end(primary: Machine): void;
};

/** The cluster loses the primary's whole machine. */
async function playLoss(service: Service, { name, begin, end }: Loss): Promise<void> {
  const { stage } = service;
  const primary = await service.cluster.primary();
  let crowd: ReturnType<typeof askForCodes> | undefined;
  await playFault(service, {
    name,
    async play() {
      const lostAt = performance.now();
      begin(primary);
      crowd = askForCodes(service.cluster.origin);
      const written = await service.firstWrite(primary);
      stage.say(
        `${name}: ${primary.name} is lost; the first write is taken ${seconds(written - lostAt)} later`,
      );
      return written;
    },
    async end() {
      const answers = (await crowd) ?? [];
      stage.check(
        `${name}: ${CROWD} people who ask for a code within ${seconds(CROWD_MS)} get 503 with Retry-After`,
        answers.every(({ status, retry }) => status === 503 && /^[1-9]\d*$/.test(retry)),
        tally(answers.map(({ status }) => status)),
      );
      end(primary);
      await sleep(5_000);
    },
    whole: "the machine is a standby again",
  });
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

/** An operator requests another primary. */
async function playSwitchOver(service: Service): Promise<void> {
  const name = "a planned change of the primary";
  const { cluster, stage } = service;
  await playFault(service, {
    name,
    async play() {
      const before = await cluster.primary();
      const requestedAt = performance.now();
      cluster.switchOver();
      const written = await service.firstWrite(before);
      stage.checkWithin(`${name} is over`, written - requestedAt, PLANNED_MS);
      return written;
    },
    end: () => sleep(3_000),
    whole: "the former primary is a standby",
  });
}

/** Each process of the application is replaced, as in an upgrade. */
async function playRollingRestart(service: Service): Promise<void> {
  const name = "processes restarted one after the other";
  const outcomes: Outcome[] = [];
  for (const place of service.processes.keys()) {
    await playFault(service, {
      name: `${name}, ${place + 1}`,
      async play() {
        await service.replaceProcess(place);
        return performance.now();
      },
      async end(load) {
        await sleep(3_000);
        outcomes.push(...load.traffic.exchanges.map(({ outcome }) => outcome));
      },
    });
  }
  const others = outcomes.filter((outcome) => outcome !== 200 && outcome !== 201);
  service.stage.check(
    `${name}: no request is refused`,
    others.length === 0,
    `${outcomes.length} requests, refused ${tally(others)}`,
  );
}

/** The standby for which every commit waits can no longer write. */
async function playFullStandby(stage: Stage): Promise<void> {
  const name = "the synchronous standby's disk full";
  const disks = new Map<Machine, LimitedDisk>();
  const cluster = await Cluster.start(stage, (machine, user) => {
    if (!user) return;
    const data = join(machine.folder, "data");
    mkdirSync(data);
    disks.set(machine, new LimitedDisk(stage, data, DISK_MB, user));
  });
  let disk: LimitedDisk | undefined;
  await playFault(await Service.startOn(cluster, stage), {
    name,
    async play(load) {
      const standby = await cluster.synchronous();
      disk = disks.get(standby);
      const full = performance.now();
      disk?.fill();
      await sleep(DISK_FULL_MS);
      const since = load.traffic.exchanges.filter(({ at }) => at > full);
      const stalled = Math.max(0, ...since.map(({ ms }) => ms));
      stage.say(
        `${name}: ${standby.name} for ${seconds(DISK_FULL_MS)}; the slowest request meanwhile took ${seconds(stalled)}`,
      );
      const other = await cluster.synchronous();
      stage.check(
        `${name}: commits wait for the other standby`,
        other !== standby,
        `${standby.name}, then ${other.name}`,
      );
      return performance.now();
    },
    end: async () => disk?.free(),
    whole: "it follows again once there is room",
  });
}
