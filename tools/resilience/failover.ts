import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "../kit/client.ts";
import { formatSeconds } from "../kit/waiting.ts";
import { Cluster } from "./cluster/cluster.ts";
import type { Machine } from "./cluster/machines.ts";
import { Service } from "./cluster/service.ts";
import { hasPatroni4 } from "./programs.ts";
import { type Scenario, tally } from "./stage.ts";

const KILLS = 3;
const CROWD = 40;
const CROWD_MS = 2_000;
const PLANNED_MS = 10_000;
const WHOLE_MS = 90_000;

export const failoverScenario: Scenario = {
  name: "failover",
  title: "a cluster of three behind HAProxy: the primary killed, stopped, cut off and moved",
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
  },
};

type Fault = {
  name: string;
  /** Returns when the cluster accepted writes again (performance.now()). */
  play(): Promise<number>;
  end(): Promise<unknown>;
  /** Checked at the end: the cluster has three machines again. */
  whole: string;
};

async function playFault(service: Service, { name, play, end, whole }: Fault): Promise<void> {
  const load = await service.startPeople();
  const streams = await service.openStreams();
  await sleep(3_000);
  const from = await play();
  await service.checkContinues(name, load, streams, from);
  await end();
  await service.checkPeople(name, load);
  const ms = await service.cluster.waitUntilWhole(WHOLE_MS);
  service.stage.check(`${name}: ${whole}`, ms !== null, `after ${formatSeconds(ms)}`);
}

type Loss = {
  name: string;
  begin(primary: Machine): void;
  end(primary: Machine): void;
};

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
        `${name}: ${primary.name} is lost; the first write is taken ${formatSeconds(written - lostAt)} later`,
      );
      return written;
    },
    async end() {
      const answers = (await crowd) ?? [];
      stage.check(
        `${name}: ${CROWD} people who ask for a code within ${formatSeconds(CROWD_MS)} get 503 with Retry-After`,
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
