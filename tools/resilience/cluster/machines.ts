import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  changeOwner,
  findServerUser,
  type Programs,
  signalProcessesIn,
  startServer,
  type UserIds,
} from "../programs.ts";
import type { Stage } from "../stage.ts";

/** etcd, Patroni and the PostgreSQL that Patroni starts, all below one folder. */
export class Machine {
  /** The machine's number. The first machine is number 1. */
  readonly number: number;
  readonly name: string;
  readonly address: string;
  readonly folder: string;
  readonly #programs: Programs;
  readonly #prefix: string[];

  constructor(number: number, base: string, programs: Programs, network: Network) {
    this.number = number;
    this.name = `db${number}`;
    this.folder = join(base, this.name);
    this.address = network.addressOf(number);
    this.#programs = programs;
    const user = findServerUser();
    const drop = user
      ? ["setpriv", `--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups", "--"]
      : [];
    this.#prefix = [...network.prefix(number), ...drop];
  }

  start(): void {
    this.#run("etcd", "--config-file", join(this.folder, "etcd.yml"));
    this.#run("patroni", join(this.folder, "patroni.yml"));
  }

  #run(program: "etcd" | "patroni", ...args: string[]): void {
    const log = join(this.folder, `${program}.log`);
    startServer([...this.#prefix, this.#programs[program], ...args], { cwd: this.folder, log });
  }

  kill(): void {
    signalProcessesIn(this.folder, "SIGKILL");
  }

  /**
   * Sends `SIGSTOP` to PostgreSQL and Patroni. The operating system still accepts connections for them, but the
   * connections get no response. etcd is not frozen: otherwise, Patroni on the other machines would keep waiting for a
   * response from it (docs/operations.md#a-cluster).
   */
  freeze(): void {
    signalProcessesIn(this.folder, "SIGSTOP", /^(?!.*etcd)/);
  }

  thaw(): void {
    signalProcessesIn(this.folder, "SIGCONT");
  }
}

/**
 * Ports on the application's machine: HAProxy's port for the primary, PgBouncer's port, and HAProxy's port for HTTP.
 */
export type Ports = { database: number; pooler: number; web: number };

const SETTLED_MS = 1_000;

/**
 * The configuration of an application machine, but with different ports, no more connections than this system allows,
 * and without the site's certificate.
 */
export async function startProxies(
  stage: Stage,
  { folder, programs, ports }: { folder: string; programs: Programs; ports: Ports },
): Promise<void> {
  change(join(folder, "haproxy.cfg"), [
    ["maxconn 20000", "maxconn 2000"],
    // This system might not have Debian's user for HAProxy.
    [/ {2}user haproxy\n {2}group haproxy\n/, ""],
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
  const user = findServerUser();
  if (user) changeOwner(user, folder);
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

/**
 * IP addresses for the machines, which all run on this computer. If this process runs as root, each machine gets a
 * network namespace behind a bridge and can be disconnected. Otherwise, the machines get loopback addresses.
 */
export type Network = {
  /** One for each process of the application. */
  own: readonly [string, string];
  addressOf(machine: number): string;
  /** Returns the words that must precede a command to run it on a machine. */
  prefix(machine: number): string[];
  /** `unplug` works on this computer. */
  cables: boolean;
  /** Disconnects a machine. From now on, all packets to and from the machine are silently lost. */
  unplug(machine: number): void;
  plug(machine: number): void;
  close(): void;
};

/** @param run a number from 1 to 254, so that several runs can exist at the same time */
export function openNetwork(run: number, machines: readonly number[]): Network {
  return process.getuid?.() === 0 ? bridgedNetwork(run, machines) : loopback(run);
}

function loopback(run: number): Network {
  const without = () => {
    throw new Error("no cable to pull");
  };
  return {
    own: [`127.213.${run}.1`, `127.213.${run}.2`],
    addressOf: (machine) => `127.213.${run}.${10 + machine}`,
    prefix: () => [],
    cables: false,
    unplug: without,
    plug: without,
    close() {},
  };
}

function bridgedNetwork(run: number, machines: readonly number[]): Network {
  const bridge = `svcbr${run}`;
  const space = (machine: number) => `svc${run}-db${machine}`;
  const cable = (machine: number) => `svc${run}c${machine}`;
  const addressOf = (machine: number) => `10.213.${run}.${10 + machine}`;
  const close = () => {
    for (const machine of machines) spawnSync("ip", ["netns", "delete", space(machine)]);
    spawnSync("ip", ["link", "delete", bridge]);
  };
  close();
  ip(`link add ${bridge} type bridge`);
  for (const own of [1, 2]) ip(`address add 10.213.${run}.${own}/24 dev ${bridge}`);
  ip(`link set ${bridge} up`);
  for (const machine of machines) {
    const own = space(machine);
    ip(`netns add ${own}`);
    ip(`link add ${cable(machine)} type veth peer name eth0 netns ${own}`);
    ip(`link set ${cable(machine)} master ${bridge} up`);
    ip(`-netns ${own} address add ${addressOf(machine)}/24 dev eth0`);
    ip(`-netns ${own} link set eth0 up`);
    ip(`-netns ${own} link set lo up`);
  }
  return {
    own: [`10.213.${run}.1`, `10.213.${run}.2`],
    addressOf,
    prefix: (machine) => ["ip", "netns", "exec", space(machine)],
    cables: true,
    unplug: (machine) => ip(`link set ${cable(machine)} down`),
    plug: (machine) => ip(`link set ${cable(machine)} up`),
    close,
  };
}

function ip(command: string): void {
  const { status, stderr } = spawnSync("ip", command.split(" "), { encoding: "utf8" });
  if (status !== 0) throw new Error(`ip ${command}: ${stderr}`);
}
