import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hasNginx, runNginx } from "#e2e/support/nginx.ts";
import { sql } from "../kit/sql.ts";
import { findFreePort, type RunningServer } from "../kit/start-server.ts";
import { waitUntilOk } from "../kit/waiting.ts";
import { ensureInstalled } from "./programs.ts";
import { type Scenario, SkippedScenario, type Stage } from "./stage.ts";
import { World } from "./world.ts";

const ROOT = join(import.meta.dirname, "..", "..");

const KILLS = 20;
const BETWEEN_MS = 1_500;
const HEALTHY_MS = 5_000;
/**
 * How long to wait for an event. If a process ended during an attempt, the attempt is repeated when its lease of 30 s
 * has expired.
 */
const LEASE_AND_SWEEP_MS = 45_000;

export const killScenario: Scenario = {
  name: "kill",
  title: `kill -9, ${KILLS} times under load`,
  async play(stage) {
    const world = await World.open(stage);
    let app = await world.start();
    await world.addCustomer();
    const load = await world.startLoad({ people: 6 });
    const times: number[] = [];
    for (let count = 0; count < KILLS; count++) {
      await sleep(BETWEEN_MS);
      await app.stop("SIGKILL");
      const killed = performance.now();
      app = await world.start({ PORT: new URL(world.origin).port });
      const ready = await waitUntilOk(`${app.url}/readyz`, HEALTHY_MS);
      times.push(ready === null ? Number.POSITIVE_INFINITY : performance.now() - killed);
    }
    stage.checkWithin("the slowest start after a kill is ready", Math.max(...times), HEALTHY_MS);
    await world.checkLoad(load, LEASE_AND_SWEEP_MS);
  },
};

const SIDE_BY_SIDE_MS = 6_000;
const DEFAULT_PORT = 3000;

export const upgradeScenario: Scenario = {
  name: "upgrade",
  title: "the version before and this one side by side on one database, and back again",
  async play(stage) {
    const before = prepareVersionBefore(stage);
    const world = await World.open(stage);
    // Over plain HTTP, the names of cookies contain the port. Earlier versions can read these cookies only on the
    // default port.
    const start = await behindNginx(world, DEFAULT_PORT);
    const migrations = async () =>
      (await sql(world.databaseUrl, "SELECT 1 FROM _prisma_migrations WHERE finished_at IS NOT NULL")).length;

    const processes = [await start(0, before), await start(1, before)];
    const knownMigrations = await migrations();
    await world.addCustomer(before);
    const load = await world.startLoad({ people: 4, fast: 2 });
    for (const root of [ROOT, before]) {
      for (const place of [0, 1] as const) {
        await sleep(SIDE_BY_SIDE_MS);
        await processes[place]?.stop("SIGTERM");
        processes[place] = await start(place, root);
      }
      if (root === ROOT)
        stage.say(`${(await migrations()) - knownMigrations} migrations lie between the two`);
    }
    await sleep(SIDE_BY_SIDE_MS / 2);
    await world.checkLoad(load);
    const errors = load.traffic.exchanges.filter(({ outcome }) => outcome === 500);
    stage.checkNone(
      "no request is answered with 500",
      errors.map(({ path }) => path),
    );
  },
};

/**
 * The configuration from `deploy/` with different ports.
 * @returns a function that starts the first or the second process at its port
 * @throws {SkippedScenario} if nginx is not installed
 */
async function behindNginx(world: World, own?: number) {
  ensureInstalled("nginx-light", hasNginx);
  const [port, ...ports] = [own ?? (await findFreePort()), await findFreePort(), await findFreePort()];
  const configuration = readFileSync(join(ROOT, "deploy", "nginx.conf"), "utf8")
    .replace("127.0.0.1:3001", `127.0.0.1:${ports[0]}`)
    .replace("127.0.0.1:3002", `127.0.0.1:${ports[1]}`)
    .replace("listen 3000", `listen 127.0.0.1:${port}`);
  const nginx = await runNginx(configuration, port);
  world.stage.onEnd(() => nginx.stop());
  world.origin = `http://localhost:${port}`;
  return (place: 0 | 1, root?: string): Promise<RunningServer> =>
    world.start({ PORT: String(ports[place]), APP_URL: world.origin }, root);
}

/** Before releases had tags. */
const UNTAGGED_RELEASE = "9b9b417d5d3ef18cb296d451423ebb892ba385cc";

/**
 * Clones, installs and builds an earlier version: the requested one, or the last release. The clone is kept below
 * .data/, so only the first run takes long.
 * @returns the clone's folder
 * @throws {SkippedScenario} if the version is not in this repository's history
 */
function prepareVersionBefore(stage: Stage): string {
  const baseCommit = stage.options.from ?? (git("rev-list", "--tags", "--max-count=1") || UNTAGGED_RELEASE);
  const commit = git("rev-parse", "--verify", "--quiet", `${baseCommit}^{commit}`);
  if (!commit) throw new SkippedScenario(`needs ${baseCommit}, which this clone has not`);
  stage.say(`the version before: ${git("log", "-1", "--format=%h of %cs, %s", commit)}`);
  const folder = join(ROOT, ".data", "versions", commit);
  if (!existsSync(folder)) {
    git("clone", "--quiet", "--no-checkout", ROOT, folder);
    git("-C", folder, "checkout", "--quiet", "--detach", commit);
  }
  const { status } = spawnSync(process.execPath, [join("scripts", "run.mjs"), "package"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error(`the version before cannot be built in ${folder}`);
  return folder;
}

/** "" if git fails. */
function git(...args: string[]): string {
  return spawnSync("git", args, { cwd: ROOT, encoding: "utf8" }).stdout?.trim() ?? "";
}
