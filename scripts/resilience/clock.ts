import { existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CHALLENGE_LIFETIME_SECONDS } from "#lib/login/protocol/numbers.ts";
import { startReceiver } from "#scripts/kit/receiver.ts";
import { registeredWallet, requestCode } from "../bench/app.ts";
import { Client } from "../kit/client.ts";
import { installPackage } from "./debian-package.ts";
import { Load } from "./load.ts";
import { checkEvents, checkPromises } from "./promises-kept.ts";
import { type Scenario, Skipped, type Stage } from "./stage.ts";
import { newTenant } from "./tenant.ts";
import { openWorld } from "./world.ts";

const HOUR_SECONDS = 3600;
const EVENTS_MS = 45_000;

export const clock: Scenario = {
  name: "clock",
  title: "clocks an hour off either way, and set while the process runs",
  async play(stage) {
    const clocks = [
      fakeClock(stage, HOUR_SECONDS),
      fakeClock(stage, -HOUR_SECONDS),
      fakeClock(stage, 0),
    ] as const;
    const world = await openWorld(stage);
    const right = await world.start();
    const receiver = await startReceiver();
    stage.onEnd(() => receiver.close());
    const others = await Promise.all(
      clocks.map(({ variables }) => world.start({ ...variables, APP_URL: right.url })),
    );
    const origins = [right, ...others].map(({ url }) => url);
    const wallet = await registeredWallet(right.url);
    const tenant = await newTenant(right.url, world.databaseUrl, receiver.url);
    const codes = await Promise.all(
      origins.map(async (origin) => ({ origin, ...(await requestCode(new Client(origin))) })),
    );
    const loads = await Promise.all(
      origins.map((origin) => Load.start({ origin, people: 2, tenant, pauseMs: 300 })),
    );

    await checkEachOthers(stage, origins, wallet);
    const stepped = clocks[2];
    for (const offset of [HOUR_SECONDS, -HOUR_SECONDS, 0, HOUR_SECONDS]) {
      await sleep(2_000);
      stepped.set(offset);
    }
    await sleep((CHALLENGE_LIFETIME_SECONDS + 1) * 1000 - 8_000);

    const late = await deliverEverywhere(
      origins,
      codes.map(({ challenge }) => challenge),
      wallet,
    );
    stage.check(
      "a code that has expired is taken by none of them, whoever issued it",
      late.every((status) => status === 408),
      tally(late),
    );
    await Promise.all(loads.map((load) => load.stop()));
    for (const [index, load] of loads.entries()) {
      const name = ["right", "an hour ahead", "an hour behind", "set four times"][index];
      const failed = load.traffic.exchanges.filter(
        ({ outcome }) => typeof outcome === "string" || outcome >= 500,
      );
      stage.check(
        `clock ${name}: logins work, no 5xx`,
        load.ledger.failures.length === 0 && failed.length === 0 && load.ledger.signedIn > 0,
        [`${load.ledger.signedIn} logins`, ...load.ledger.failures.slice(0, 3)].join("; "),
      );
      await checkPromises(stage, { origin: right.url, databaseUrl: world.databaseUrl, ledger: load.ledger });
      await checkEvents(stage, { receiver, ledger: load.ledger, timeoutMs: EVENTS_MS });
    }
  },
};

/** Each process accepts the others' codes, once; no process accepts a spent one. */
async function checkEachOthers(
  stage: Stage,
  origins: readonly string[],
  wallet: Awaited<ReturnType<typeof registeredWallet>>,
): Promise<void> {
  const accepted: number[] = [];
  const spent: string[] = [];
  for (const issuer of origins) {
    for (const judge of origins) {
      const { challenge } = await requestCode(new Client(issuer));
      const json = wallet.response(challenge);
      accepted.push((await new Client(judge).send("/webhook/login", { json })).status);
      spent.push(challenge);
    }
  }
  stage.check(
    "a code of each is good at each",
    accepted.every((status) => status === 200),
    tally(accepted),
  );
  const again = await deliverEverywhere(origins, spent, wallet);
  stage.check(
    "and once",
    again.every((status) => status === 408),
    tally(again),
  );
}

async function deliverEverywhere(
  origins: readonly string[],
  challenges: readonly string[],
  wallet: Awaited<ReturnType<typeof registeredWallet>>,
): Promise<number[]> {
  const statuses: number[] = [];
  for (const origin of origins) {
    for (const challenge of challenges) {
      const json = wallet.response(challenge);
      statuses.push((await new Client(origin).send("/webhook/login", { json })).status);
    }
  }
  return statuses;
}

function tally(statuses: readonly number[]): string {
  const counts = Map.groupBy(statuses, (status) => status);
  return [...counts].map(([status, each]) => `${status} ×${each.length}`).join(", ");
}

/** A process's wall clock that can be set while it runs (libfaketime). */
type FakeClock = { variables: Record<string, string>; set(offsetSeconds: number): void };

/**
 * Makes one. The monotonic clock is left alone: no system lets anybody set it.
 * @throws {Skipped} where there is no libfaketime
 */
function fakeClock(stage: Stage, offsetSeconds: number): FakeClock {
  const library = findLibrary();
  const folder = mkdtempSync(join(tmpdir(), "svc-login-clock-"));
  stage.onEnd(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "offset");
  const set = (seconds: number) => writeFileSync(file, `${seconds < 0 ? "" : "+"}${seconds}s\n`);
  set(offsetSeconds);
  return {
    set,
    variables: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
      DONT_FAKE_MONOTONIC: "1",
    },
  };
}

function findLibrary(): string {
  const find = () => globSync("/usr/lib/{*/,}faketime/libfaketimeMT.so.1").find((path) => existsSync(path));
  if (!find()) installPackage("faketime");
  const library = find();
  if (!library) throw new Skipped("needs libfaketime");
  return library;
}
