import { spawnSync } from "node:child_process";

/**
 * Addresses for machines that are none. Root makes each a network of its own behind a bridge, whose cable can be pulled;
 * for others they are addresses of this machine's loopback, which takes no rights.
 */
export type Network = {
  /** Of this machine, as the others reach it: one for each process of the application. */
  own: readonly [string, string];
  addressOf(machine: number): string;
  /** What comes before a command that runs on a machine. */
  prefix(machine: number): string[];
  /** Whether `unplug` works here. */
  cables: boolean;
  /** From now on every packet to and from the machine is lost, without a word to either side. */
  unplug(machine: number): void;
  plug(machine: number): void;
  close(): void;
};

/** @param run a number from 1 to 254, so that several may run beside each other */
export function openNetwork(run: number, machines: readonly number[]): Network {
  return process.getuid?.() === 0 ? bridged(run, machines) : loopback(run);
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

function bridged(run: number, machines: readonly number[]): Network {
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
