import { readFileSync } from "node:fs";

/** What the machine had to spare for a while. */
export type MachineUse = {
  /** The share of all its processors' time that nobody used; null where there is no `/proc`. */
  idle: number | null;
  /** What this process, in which the clients are, took of one processor. */
  clients: number;
};

const IDLE_AT_LEAST = 0.1;
const CLIENTS_AT_MOST = 0.9;

/** Begins to watch the machine. Returns what tells how it was used since. */
export function watchMachine(): () => MachineUse {
  const before = readTicks();
  const own = process.cpuUsage();
  const started = performance.now();
  return () => {
    const after = readTicks();
    const { user, system } = process.cpuUsage(own);
    return {
      idle: before && after && (after.idle - before.idle) / (after.all - before.all),
      clients: (user + system) / 1000 / (performance.now() - started),
    };
  };
}

/** Names what the machine or the clients limited, so that it does not pass for the servers' limit; or "". */
export function limitNote(measured: readonly (MachineUse & { name: string })[]): string {
  const limited = measured.filter(
    ({ idle, clients }) => (idle !== null && idle < IDLE_AT_LEAST) || clients > CLIENTS_AT_MOST,
  );
  if (limited.length === 0) return "";
  const names = limited.map(({ name }) => name).join("; ");
  return `\nThe machine was the limit, clients included (less than ${IDLE_AT_LEAST * 100} % idle, or the clients at more than ${CLIENTS_AT_MOST * 100} % of one processor): ${names}`;
}

/** The resident memory of processes together, in MB; null where there is no `/proc`. */
export function residentMb(pids: readonly number[]): number | null {
  const kilobytes = pids.map((pid) => Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1]));
  const sum = kilobytes.reduce((total, each) => total + each, 0);
  return Number.isNaN(sum) ? null : sum / 1024;
}

/** Ticks of all processors together: user, nice, system, idle, waiting for a disk, interrupts (two), stolen. */
function readTicks(): { all: number; idle: number } | null {
  const line = /^cpu +(.*)/.exec(read("/proc/stat"))?.[1];
  if (line === undefined) return null;
  const ticks = line.split(" ").slice(0, 8).map(Number);
  return { all: ticks.reduce((sum, each) => sum + each, 0), idle: (ticks[3] ?? 0) + (ticks[4] ?? 0) };
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
