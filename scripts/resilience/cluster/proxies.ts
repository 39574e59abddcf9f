import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { giveTo, type Programs, serverUser, startServer, type UserIds } from "../programs.ts";
import type { Stage } from "../stage.ts";

/** On the machine of the application: to the primary, to PgBouncer before it, and from the web. */
export type Ports = { database: number; pooler: number; web: number };

/** They have judged their settings by then. */
const SETTLED_MS = 1_000;

/**
 * Starts HAProxy and PgBouncer of an application machine with its files, but with ports of their own, fewer connections
 * than take a limit to be raised, and without the site's certificate.
 */
export async function startProxies(
  stage: Stage,
  { folder, programs, ports }: { folder: string; programs: Programs; ports: Ports },
): Promise<void> {
  change(join(folder, "haproxy.cfg"), [
    ["maxconn 20000", "maxconn 2000"],
    ["bind 127.0.0.1:5432", `bind 127.0.0.1:${ports.database}`],
    ["bind :80\n", `bind 127.0.0.1:${ports.web}\n`],
    [/ {2}bind :443 .*\n/, ""],
    [/ {2}http-request redirect scheme https .*\n/, ""],
  ]);
  await start(stage, folder, [programs.haproxy, "-db", "-f", join(folder, "haproxy.cfg")]);
  if (!programs.pgbouncer) {
    stage.say("left out: PgBouncer, which has to be 1.21 or newer");
    return;
  }
  const file = join(folder, "pgbouncer.ini");
  change(file, [
    ["port=5432", `port=${ports.database}`],
    ["listen_port = 6432", `listen_port = ${ports.pooler}`],
  ]);
  const user = serverUser();
  if (user) giveTo(user, folder);
  await start(stage, folder, [programs.pgbouncer, file], user);
}

function change(file: string, changes: readonly (readonly [string | RegExp, string])[]): void {
  let text = readFileSync(file, "utf8");
  for (const [from, to] of changes) {
    if (text.search(from) < 0) throw new Error(`${file} has no ${from}`);
    text = text.replace(from, to);
  }
  writeFileSync(file, text);
}

async function start(stage: Stage, cwd: string, command: string[], user?: UserIds): Promise<void> {
  const log = join(cwd, "proxies.log");
  const child = startServer(command, { cwd, log, user });
  stage.onEnd(() => child.kill("SIGKILL"));
  await sleep(SETTLED_MS);
  if (child.exitCode !== null) throw new Error(readFileSync(log, "utf8"));
}
