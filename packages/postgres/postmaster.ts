import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 30;
const QUIT_TIMEOUT_MS = 10_000;
/** A server checks once a minute whether its `postmaster.pid` is still correct, and shuts down if it is not. */
const NOTICE_TIMEOUT_MS = 75_000;

interface Postmaster {
  pid: number;
  /** Undefined while the server is starting. */
  port: number | undefined;
}

function pidFile(data: string): string {
  return join(data, "postmaster.pid");
}

/** The process might have ended long ago. */
export function readPostmaster(data: string): Postmaster | undefined {
  try {
    const lines = readFileSync(pidFile(data), "utf8").split("\n");
    const pid = Math.abs(Number.parseInt(lines[0] ?? "", 10));
    const port = Number.parseInt(lines[3] ?? "", 10);
    return pid > 0 ? { pid, port: port > 0 ? port : undefined } : undefined;
  } catch {
    return undefined;
  }
}

/** PostgreSQL records the last server's command line in the data folder. */
export function readLastPort(data: string): number | undefined {
  try {
    const [, port] = /\bport=(\d+)/.exec(readFileSync(join(data, "postmaster.opts"), "utf8")) ?? [];
    return port === undefined ? undefined : Number(port);
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** False for a later process with the same id. */
export function isPostmasterOf(data: string, pid: number): boolean {
  if (!isAlive(pid)) return false;
  try {
    if (process.platform === "win32") return true;
    if (process.platform === "linux") return worksIn(data, pid);
    return execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).includes(data);
  } catch {
    return false;
  }
}

/** True for the folder's server on Linux, whose command line then does not have to be read. */
function worksIn(data: string, pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === data;
  } catch {
    return false;
  }
}

/** Ignores the folder's `postmaster.pid`. */
function processesOf(data: string): number[] {
  if (process.platform === "win32") return [];
  if (process.platform === "linux") {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => worksIn(data, pid));
  }
  return execFileSync("ps", ["-axo", "pid=,command="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes("postgres") && line.includes(data))
    .map((line) => Number.parseInt(line, 10));
}

/**
 * Removes a `postmaster.pid` that prevents PostgreSQL from starting although no server is running: an empty file, left
 * by a full disk or a power failure, or one whose process id now belongs to another program. Without the file,
 * PostgreSQL cannot detect a previous server's remaining processes, so this function waits until these processes have
 * ended.
 * @throws {Error} with one sentence, if a server keeps running
 */
export async function removeBrokenPidFile(data: string): Promise<void> {
  const file = pidFile(data);
  const postmaster = readPostmaster(data);
  if (!existsSync(file) || (postmaster && !isAlive(postmaster.pid))) return;
  const deadline = Date.now() + NOTICE_TIMEOUT_MS;
  for (let remaining = processesOf(data); remaining.length > 0; remaining = processesOf(data)) {
    if (Date.now() > deadline) {
      throw new Error(
        `${file} is broken, and process ${remaining[0]} still works in that folder: end it, and start again.`,
      );
    }
    await sleep(POLL_MS);
  }
  rmSync(file, { force: true });
}

export async function killPostmaster(data: string): Promise<void> {
  const postmaster = readPostmaster(data);
  if (!postmaster || !isPostmasterOf(data, postmaster.pid)) return;
  // SIGQUIT is PostgreSQL's immediate shutdown, which also ends the server's other processes.
  process.kill(postmaster.pid, "SIGQUIT");
  const deadline = Date.now() + QUIT_TIMEOUT_MS;
  while (isPostmasterOf(data, postmaster.pid)) {
    if (Date.now() > deadline) process.kill(postmaster.pid, "SIGKILL");
    await sleep(POLL_MS);
  }
}
