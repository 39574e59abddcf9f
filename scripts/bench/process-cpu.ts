import { readdirSync, readFileSync } from "node:fs";

/** What Linux counts in `/proc/<pid>/stat`: a hundred ticks a second on every platform that Node runs on. */
const TICK_MS = 10;

/**
 * The processor time (ms) that processes and all below them have used so far, those that have ended and were waited
 * for included; null where there is no `/proc`.
 */
export function cpuMs(roots: readonly number[]): number | null {
  const table = readTable();
  if (!table) return null;
  let ticks = 0;
  const queue = [...roots];
  for (let pid = queue.pop(); pid !== undefined; pid = queue.pop()) {
    ticks += table.get(pid)?.ticks ?? 0;
    for (const [child, { parent }] of table) if (parent === pid) queue.push(child);
  }
  return ticks * TICK_MS;
}

/** Begins to watch processes. Returns what tells the processor time (ms) that they have used since, as `cpuMs`. */
export function watchCpu(roots: readonly number[]): () => number | null {
  const before = cpuMs(roots);
  return () => {
    const after = cpuMs(roots);
    return before === null || after === null ? null : after - before;
  };
}

function readTable(): Map<number, { parent: number; ticks: number }> | null {
  const table = new Map<number, { parent: number; ticks: number }>();
  for (const name of processFolders()) {
    const stat = readStat(name);
    // After the name, which may hold anything: state, parent, … and as 12th to 15th the four times.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const times = fields.slice(11, 15).map(Number);
    table.set(Number(name), { parent: Number(fields[1]), ticks: times.reduce((sum, time) => sum + time, 0) });
  }
  return table.size > 0 ? table : null;
}

function processFolders(): string[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function readStat(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return "";
  }
}
