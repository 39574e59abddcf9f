import {
  chmodSync,
  chownSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connectTo } from "#lib/postgres/server-connection.ts";
import { execute, openDatabaseServer } from "../kit/database.ts";
import { untilOk } from "../kit/waiting.ts";
import type { UserIds } from "./cluster/programs.ts";
import { Load } from "./load.ts";
import { PostgresServer } from "./postgres.ts";
import { checkPromises } from "./promises-kept.ts";
import { SmallDisk } from "./small-disk.ts";
import { type Scenario, Skipped, type Stage } from "./stage.ts";
import { checkUnavailable } from "./unavailable.ts";
import { DATA, worldOn } from "./world.ts";

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
    const tables = mountAside(stage, TABLES_MB, postgres.user);
    const log = mountAside(stage, LOG_MB, postgres.user);
    stage.onEnd(() => (postgres.running ? postgres.stopAtOnce() : undefined));
    const databaseUrl = await server.create("resilience");
    const maintenance = new URL(databaseUrl);
    maintenance.pathname = "/postgres";
    await execute(
      maintenance.href,
      `CREATE TABLESPACE small LOCATION '${tables.folder}'`,
      "ALTER DATABASE resilience SET TABLESPACE small",
    );
    const app = await worldOn(stage, databaseUrl).start();

    await playFull(stage, { name: "tables", url: app.url, databaseUrl }, tables, async () => {});

    await postgres.stopAtOnce();
    moveLog(postgres, log.folder);
    postgres.start();
    await untilOk(`${app.url}/readyz`, BACK_MS);
    await playFull(stage, { name: "log", url: app.url, databaseUrl }, log, async () => {
      // It ends itself when it cannot write its log; an init system starts it again.
      if (!postgres.running) postgres.start();
      // Its log grows in files of 16 MB: the next one is asked for at once.
      await switchLog(databaseUrl).catch(() => {});
    });
    stage.check(
      "the application's process stays",
      app.process.exitCode === null,
      `process ${app.process.pid}`,
    );
  },
};

function mountAside(stage: Stage, megabytes: number, user: UserIds): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), "svc-login-disk-"));
  chmodSync(folder, 0o755);
  stage.onEnd(() => rmSync(folder, { recursive: true, force: true }));
  return new SmallDisk(stage, { folder, megabytes, user });
}

/** Fills a disk under load, keeps it full for a while and makes room again; `tend` runs every second meanwhile. */
async function playFull(
  stage: Stage,
  { name, url, databaseUrl }: { name: string; url: string; databaseUrl: string },
  disk: SmallDisk,
  tend: () => Promise<void>,
): Promise<void> {
  const load = await Load.start({ origin: url, people: 4 });
  await sleep(2_000);
  disk.fill();
  const full = performance.now();
  let tending = true;
  const tended = (async () => {
    while (tending) {
      await tend();
      await sleep(1_000);
    }
  })();
  await sleep(FULL_MS);
  disk.free();
  const freed = performance.now();
  await sleep(BACK_MS);
  tending = false;
  await tended;
  await load.stop();

  const since = { away: full, back: freed, withinMs: BACK_MS };
  checkUnavailable(stage, `disk of the ${name} full`, load.traffic, since);
  await checkPromises(stage, { origin: url, databaseUrl, ledger: load.ledger });
}

function moveLog(postgres: PostgresServer, folder: string): void {
  const log = join(postgres.data, "pg_wal");
  cpSync(log, folder, { recursive: true, preserveTimestamps: true });
  renameSync(log, `${log}.moved`);
  symlinkSync(folder, log);
  for (const name of readdirSync(folder)) chownSync(join(folder, name), postgres.user.uid, postgres.user.gid);
}

async function switchLog(databaseUrl: string): Promise<void> {
  const client = await connectTo(databaseUrl);
  try {
    await client.query("SELECT pg_switch_wal()");
  } finally {
    await client.end();
  }
}
