/**
 * The server process of one data folder: found by the `postmaster.pid` that PostgreSQL keeps there.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 30;
const QUIT_TIMEOUT_MS = 10_000;

interface Postmaster {
  pid: number;
  /** Undefined while it is only just starting. */
  port: number | undefined;
}

/** What `postmaster.pid` says, or undefined if there is none; the process may have died long ago. */
export function readPostmaster(data: string): Postmaster | undefined {
  try {
    const lines = readFileSync(join(data, "postmaster.pid"), "utf8").split("\n");
    const pid = Math.abs(Number.parseInt(lines[0] ?? "", 10));
    const port = Number.parseInt(lines[3] ?? "", 10);
    return pid > 0 ? { pid, port: port > 0 ? port : undefined } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether any process has this id. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Whether that process is the server of this data folder, and not one that got its id later. */
export function isPostmasterOf(data: string, pid: number): boolean {
  if (!isAlive(pid)) return false;
  try {
    if (process.platform === "win32") return true;
    // The server's working directory is its data folder, so no command line has to be read.
    if (process.platform === "linux") return readlinkSync(`/proc/${pid}/cwd`) === data;
    return execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).includes(data);
  } catch {
    return false;
  }
}

/** Ends the server of a data folder that is about to be thrown away, if one runs there. */
export async function killPostmaster(data: string): Promise<void> {
  const postmaster = readPostmaster(data);
  if (!postmaster || !isPostmasterOf(data, postmaster.pid)) return;
  // SIGQUIT: PostgreSQL's immediate shutdown, which takes its other processes along.
  process.kill(postmaster.pid, "SIGQUIT");
  const deadline = Date.now() + QUIT_TIMEOUT_MS;
  while (isPostmasterOf(data, postmaster.pid)) {
    if (Date.now() > deadline) process.kill(postmaster.pid, "SIGKILL");
    await sleep(POLL_MS);
  }
}
