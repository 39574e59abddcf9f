import { readdirSync, readFileSync } from "node:fs";

/** From Linux. Functions return null if there is no `/proc`. */

/** The unit of the times in `/proc/<pid>/stat`. On every platform that Node runs on, a second has a hundred ticks. */
const TICK_MS = 10;

/**
 * Returns the processor time (ms) that these processes and their descendants have used so far. A descendant that has
 * ended counts if its parent has waited for it.
 */
function cpuMs(roots: readonly number[]): number | null {
  const table = new Map<number, { parent: number; ticks: number }>();
  for (const name of list("/proc").filter((name) => /^\d+$/.test(name))) {
    const stat = read(`/proc/${name}/stat`);
    // These are the fields after the process's name, which can contain any character: state, parent and so on. The 12th
    // to the 15th field are the times (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    table.set(Number(name), { parent: Number(fields[1]), ticks: sum(fields.slice(11, 15).map(Number)) });
  }
  if (table.size === 0) return null;
  let ticks = 0;
  const queue = [...roots];
  for (let pid = queue.pop(); pid !== undefined; pid = queue.pop()) {
    ticks += table.get(pid)?.ticks ?? 0;
    for (const [child, { parent }] of table) if (parent === pid) queue.push(child);
  }
  return ticks * TICK_MS;
}

export type Usage = {
  elapsedMs: number;
  /** The share of all processors' time that was idle. */
  idle: number | null;
  /** In CPU milliseconds, as `cpuMs` counts them. */
  serverMs: number | null;
  databaseMs: number | null;
};

export function measureUsage(servers: readonly number[], database: number | null): () => Usage {
  const read = () => [cpuMs(servers), cpuMs(database === null ? [] : [database]), readTicks()] as const;
  const [server, ofDatabase, machine] = read();
  const startedAt = performance.now();
  return () => {
    const elapsedMs = performance.now() - startedAt;
    const [serverNow, ofDatabaseNow, machineNow] = read();
    return {
      elapsedMs,
      // If one figure cannot be read, the system does not report such figures at all.
      serverMs: serverNow && serverNow - (server ?? 0),
      databaseMs: ofDatabaseNow && ofDatabaseNow - (ofDatabase ?? 0),
      idle: machine && machineNow && (machineNow.idle - machine.idle) / (machineNow.all - machine.all),
    };
  };
}

/**
 * Returns the ticks of all processors together: user, nice, system, idle, waiting for a disk, interrupts (two fields),
 * stolen.
 */
function readTicks(): { all: number; idle: number } | null {
  const line = /^cpu +(.*)/.exec(read("/proc/stat"))?.[1];
  if (line === undefined) return null;
  const ticks = line.split(" ").slice(0, 8).map(Number);
  return { all: sum(ticks), idle: (ticks[3] ?? 0) + (ticks[4] ?? 0) };
}

/** In MB, for all processes together. */
export function measureResidentMb(pids: readonly number[]): number | null {
  const kilobytes = sum(pids.map((pid) => Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1])));
  return Number.isNaN(kilobytes) ? null : kilobytes / 1024;
}

export function countOpenFiles(pid: number): number {
  return list(`/proc/${pid}/fd`).length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Returns a file's text, or "" if the process has just ended. */
function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
