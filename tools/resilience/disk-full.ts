import { spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { execute, openDatabaseServer } from "../kit/database.ts";
import { untilOk } from "../kit/waiting.ts";
import { PostgresServer } from "./postgres.ts";
import { giveTo, type UserIds } from "./programs.ts";
import { type Scenario, Skipped, type Stage } from "./stage.ts";
import { DATA, World } from "./world.ts";

const FOLDER = `${DATA}-disk`;
const TABLES_MB = 64;
const LOG_MB = 160;
const FULL_MS = 6_000;
const BACK_MS = 10_000;

export const diskFull: Scenario = {
  name: "disk-full",
  title: "PostgreSQL's disk full: that of its tables, then that of its log",
  async play(stage) {
    if (process.getuid?.() !== 0) throw new Skipped("mounts small file systems, which takes root");
    const server = await openDatabaseServer(FOLDER);
    const postgres = new PostgresServer(FOLDER);
    stage.onEnd(() => {
      for (const folder of [postgres.data, FOLDER]) rmSync(folder, { recursive: true, force: true });
    });
    const tables = mountAside(stage, TABLES_MB, postgres);
    const log = mountAside(stage, LOG_MB, postgres);
    stage.onEnd(() => (postgres.running ? postgres.stopAtOnce() : undefined));
    const world = new World(stage, await server.create("resilience"));
    await execute(
      server.url,
      `CREATE TABLESPACE small LOCATION '${tables.folder}'`,
      "ALTER DATABASE resilience SET TABLESPACE small",
    );
    const app = await world.start();
    await playFull(world, "tables", tables, async () => {});

    await postgres.stopAtOnce();
    moveLog(postgres, log.folder);
    await postgres.start();
    await untilOk(`${app.url}/readyz`, BACK_MS);
    await playFull(world, "log", log, async () => {
      // PostgreSQL ends itself when it cannot write its log; an init system would start it again.
      if (!postgres.running) await postgres.start();
      // Its log grows in files of 16 MB, so request the next one immediately.
      await execute(world.databaseUrl, "SELECT pg_switch_wal()").catch(() => {});
    });
    world.checkAlive(app);
  },
};

function mountAside(stage: Stage, megabytes: number, { user }: PostgresServer): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), "svc-login-disk-"));
  chmodSync(folder, 0o755);
  stage.onEnd(() => rmSync(folder, { recursive: true, force: true }));
  return new SmallDisk(stage, folder, megabytes, user);
}

/** Fills a disk under load, keeps it full for a while and makes room again; `tend` runs every second meanwhile. */
async function playFull(
  world: World,
  name: string,
  disk: SmallDisk,
  tend: () => Promise<void>,
): Promise<void> {
  const load = await world.startLoad({ people: 4 });
  await sleep(2_000);
  disk.fill();
  const away = performance.now();
  let tending = true;
  const tended = (async () => {
    for (; tending; await sleep(1_000)) await tend();
  })();
  await sleep(FULL_MS);
  disk.free();
  const back = performance.now();
  await sleep(BACK_MS);
  tending = false;
  await tended;
  await load.stop();
  world.stage.say(`requests: ${load.traffic.summary()}`);
  load.traffic.checkUnavailable(world.stage, `disk of the ${name} full`, { away, back, withinMs: BACK_MS });
  await world.checkKept(load.ledger);
}

function moveLog({ data, user }: PostgresServer, folder: string): void {
  const log = join(data, "pg_wal");
  cpSync(log, folder, { recursive: true, preserveTimestamps: true });
  renameSync(log, `${log}.moved`);
  symlinkSync(folder, log);
  giveTo(user, folder);
}

/** A file system of a few megabytes that can be filled up. */
export class SmallDisk {
  readonly folder: string;

  /**
   * Mounts one in memory, on an empty folder, until the scenario ends.
   * @throws {Skipped} if this process may not mount
   */
  constructor(stage: Stage, folder: string, megabytes: number, { uid, gid }: UserIds) {
    this.folder = folder;
    const options = `size=${megabytes}m,uid=${uid},gid=${gid},mode=700`;
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder]);
    if (mounted.status !== 0) {
      throw new Skipped("needs to mount a small file system, which this user may not");
    }
    stage.onEnd(() => spawnSync("umount", ["--lazy", folder]));
  }

  /** Takes all the room that is left. */
  fill(): void {
    const file = openSync(join(this.folder, "filler"), "w");
    for (const size of [64 * 1024, 4096]) {
      const block = Buffer.alloc(size);
      try {
        for (;;) writeSync(file, block);
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
      }
    }
    closeSync(file);
  }

  free(): void {
    rmSync(join(this.folder, "filler"));
  }
}
