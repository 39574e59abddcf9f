import { globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CHALLENGE_LIFETIME_SECONDS } from "#packages/login/protocol/numbers.ts";
import { Client } from "../kit/client.ts";
import { registeredWallet, requestCode } from "../kit/login.ts";
import type { TestWallet } from "../kit/test-wallet.ts";
import { ensureInstalled } from "./programs.ts";
import type { Scenario, Stage } from "./stage.ts";
import { World } from "./world.ts";

const HOUR_SECONDS = 3600;
const EVENTS_MS = 45_000;
const NAMES = ["right", "an hour ahead", "an hour behind", "set four times"];

export const clock: Scenario = {
  name: "clock",
  title: "clocks an hour off either way, and set while the process runs",
  async play(stage) {
    const library = ensureInstalled("faketime", findLibrary);
    const clocks = [HOUR_SECONDS, -HOUR_SECONDS, 0].map((offset) => fakeClock(stage, library, offset));
    const world = await World.open(stage);
    const right = await world.start();
    const others = await Promise.all(
      clocks.map(({ variables }) => world.start({ ...variables, APP_URL: right.url })),
    );
    await world.addCustomer();
    const origins = [right, ...others].map(({ url }) => url);
    const wallet = await registeredWallet(right.url);
    const unanswered = await Promise.all(origins.map((origin) => requestCode(new Client(origin))));
    const loads = await Promise.all(
      origins.map((origin) => world.startLoad({ origin, people: 2, pauseMs: 300 })),
    );

    const accepted: number[] = [];
    const spent: string[] = [];
    for (const issuer of origins) {
      for (const judge of origins) {
        const { challenge } = await requestCode(new Client(issuer));
        accepted.push(await answer(judge, challenge, wallet));
        spent.push(challenge);
      }
    }
    stage.checkTally("a code of each is good at each", accepted, { 200: spent.length });
    const again = await answerEverywhere(origins, spent, wallet);
    stage.checkTally("and once", again, { 408: origins.length * spent.length });

    for (const offset of [HOUR_SECONDS, -HOUR_SECONDS, 0, HOUR_SECONDS]) {
      await sleep(2_000);
      clocks[2]?.set(offset);
    }
    await sleep((CHALLENGE_LIFETIME_SECONDS + 1) * 1000 - 8_000);
    const expired = unanswered.map(({ challenge }) => challenge);
    stage.checkTally(
      "a code that has expired is taken by none of them, whoever issued it",
      await answerEverywhere(origins, expired, wallet),
      { 408: origins.length * expired.length },
    );
    await Promise.all(loads.map((load) => load.stop()));
    for (const [index, load] of loads.entries()) {
      const failed = load.traffic.exchanges.filter(
        ({ outcome }) => typeof outcome === "string" || outcome >= 500,
      );
      stage.check(`clock ${NAMES[index]}: no 5xx`, failed.length === 0, `${failed.length}`);
      await world.checkLoad(load, EVENTS_MS);
    }
  },
};

async function answer(origin: string, challenge: string, wallet: TestWallet): Promise<number> {
  const json = wallet.response(challenge);
  return (await new Client(origin).send("/webhook/login", { json })).status;
}

async function answerEverywhere(
  origins: readonly string[],
  challenges: readonly string[],
  wallet: TestWallet,
) {
  const statuses: number[] = [];
  for (const origin of origins) {
    for (const challenge of challenges) statuses.push(await answer(origin, challenge, wallet));
  }
  return statuses;
}

/** A process's wall clock that can be set while it runs. The monotonic clock, which cannot be set, is left alone. */
function fakeClock(stage: Stage, library: string, offsetSeconds: number) {
  const folder = mkdtempSync(join(tmpdir(), "svc-login-clock-"));
  stage.onEnd(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "offset");
  const set = (seconds: number) => writeFileSync(file, `${seconds < 0 ? "" : "+"}${seconds}s\n`);
  set(offsetSeconds);
  const variables = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
    DONT_FAKE_MONOTONIC: "1",
  };
  return { set, variables };
}

function findLibrary(): string | undefined {
  return globSync("/usr/lib/{*/,}faketime/libfaketimeMT.so.1")[0];
}
