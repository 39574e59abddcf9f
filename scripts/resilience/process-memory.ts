import { readdirSync, readFileSync } from "node:fs";
import { Skipped } from "./stage.ts";

/** Resident memory of a process, in MB. */
export function memoryMb(pid: number | undefined): number {
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readProc(`${pid}/status`))?.[1];
  return Number(kilobytes) / 1024;
}

/** How many files and sockets a process holds open. */
export function openHandles(pid: number | undefined): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** How many files and sockets this process may hold open. */
export function handleLimit(): number {
  return Number(/Max open files\s+(\d+)/.exec(readProc("self/limits"))?.[1]);
}

function readProc(name: string): string {
  if (process.platform !== "linux") throw new Skipped("reads what /proc tells of a process");
  return readFileSync(`/proc/${name}`, "utf8");
}
