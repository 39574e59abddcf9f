/**
 * Making, starting and stopping the embedded PostgreSQL in its place.
 */
import { type ChildProcess, spawn } from "node:child_process";
import {
  chownSync,
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join, parse } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { DataPlace } from "./data-place.ts";
import type { NativePostgres } from "./native-binaries.ts";
import { isAlive, isPostmasterOf, readPostmaster } from "./postmaster.ts";
import { ROLE } from "./server-connection.ts";

const POLL_MS = 30;
/** Recovery after a kill takes a while on a slow disk. */
const READY_TIMEOUT_MS = 60_000;
/** How long processes of a killed server may take to notice and go. */
const REMAINS_TIMEOUT_MS = 15_000;
const MAX_LOG_BYTES = 5_000_000;

/** Everything that makes and runs the server of one place. */
export interface Server {
  place: DataPlace;
  native: NativePostgres;
  logFile: string;
}

/** For a small machine, and as durable as PostgreSQL is by itself: fsync and checksums stay on. */
const SETTINGS = {
  listen_addresses: "127.0.0.1",
  // A socket's path may have 107 characters; a clone's is often longer.
  unix_socket_directories: "",
  max_connections: "120",
  shared_buffers: "64MB",
  max_wal_size: "256MB",
  io_method: "sync",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
};

/**
 * Makes the data folder with initdb: under another name, so that one with the right name is whole.
 *
 * @param onStart gets initdb's process id
 */
export async function initialise(
  server: Server,
  password: string,
  onStart: (pid: number) => void,
): Promise<void> {
  const { data, runAs } = server.place;
  const unfinished = `${data}.unfinished`;
  const passwordFile = `${data}.password`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  rmSync(passwordFile, { force: true });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (runAs) for (const path of [unfinished, passwordFile]) chownSync(path, runAs.uid, runAs.gid);
  try {
    await runProgram(
      server,
      "initdb",
      [
        `--pgdata=${unfinished}`,
        `--username=${ROLE}`,
        `--pwfile=${passwordFile}`,
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        // PostgreSQL's own collation: the same order on every system, whatever locales it has.
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--locale=C",
      ],
      onStart,
    );
    renameSync(unfinished, data);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  server.place.publish();
}

/**
 * Starts the server, detached, so that neither Ctrl-C nor the end of this process takes it along.
 *
 * @param isReady tells whether it answers on a port
 * @returns its port on 127.0.0.1
 */
export async function start(server: Server, isReady: (port: number) => Promise<boolean>): Promise<number> {
  const { data } = server.place;
  const before = readPostmaster(data);
  // PostgreSQL takes any living process with the noted id for its server, even one that got the id since.
  if (before && isAlive(before.pid)) rmSync(join(data, "postmaster.pid"), { force: true });
  // The port it had, if it can: the pools of an application that outlived it find it again.
  let port = before?.port ?? (await freePort());
  const deadline = Date.now() + REMAINS_TIMEOUT_MS;
  for (;;) {
    const complaint = await launch(server, port, isReady);
    if (complaint === null) return port;
    const isTransient = /shared memory block|postmaster\.pid|could not create any TCP\/IP sockets/.test(
      complaint,
    );
    if (!isTransient || Date.now() > deadline) {
      throw new Error(`The embedded PostgreSQL does not start; its log is ${server.logFile}:\n${complaint}`);
    }
    if (complaint.includes("TCP/IP")) port = await freePort();
    await sleep(200);
  }
}

/** Stops the server and waits for it: running statements are rolled back, everything committed is on disk. */
export async function stop(server: Server): Promise<void> {
  await runProgram(server, "pg_ctl", ["stop", "-D", server.place.data, "-m", "fast", "-w", "-t", "60"]);
}

/** Starts once. @returns null when it answers, else what it wrote before it ended */
async function launch(
  server: Server,
  port: number,
  isReady: (port: number) => Promise<boolean>,
): Promise<string | null> {
  const settings = Object.entries({ ...SETTINGS, port: String(port) });
  const args = ["-D", server.place.data, ...settings.flatMap(([name, value]) => ["-c", `${name}=${value}`])];
  const log = openSync(server.logFile, "a", 0o600);
  if (fstatSync(log).size > MAX_LOG_BYTES) ftruncateSync(log);
  const logStart = fstatSync(log).size;
  const child = spawnProgram(server, "postgres", args, { detached: true, stdio: ["ignore", log, log] });
  closeSync(log);
  const ended = new Promise<Error | "exit">((resolve) => {
    child.once("error", resolve);
    child.once("exit", () => resolve("exit"));
  });
  child.unref();
  const deadline = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    const outcome = await Promise.race([ended, sleep(POLL_MS)]);
    if (outcome instanceof Error) return outcome.message;
    if (outcome === "exit") return readFileSync(server.logFile).subarray(logStart).toString().trim();
    if (await isReady(port)) return null;
    if (Date.now() > deadline && child.pid !== undefined && isPostmasterOf(server.place.data, child.pid)) {
      child.kill("SIGQUIT");
      return `No answer on port ${port} within ${READY_TIMEOUT_MS / 1000} s.`;
    }
  }
}

async function runProgram(
  server: Server,
  name: string,
  args: string[],
  onStart?: (pid: number) => void,
): Promise<void> {
  const child = spawnProgram(server, name, args, { stdio: ["ignore", "pipe", "pipe"] });
  if (child.pid !== undefined) onStart?.(child.pid);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      output += chunk;
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code !== 0) throw new Error(`${name} failed (${code}):\n${output.trim()}`);
}

function spawnProgram(
  server: Server,
  name: string,
  args: string[],
  options: { detached?: boolean; stdio: ("ignore" | "pipe" | number)[] },
): ChildProcess {
  const { PATH, SystemRoot, TEMP } = process.env;
  return spawn(join(server.native.folder, "bin", process.platform === "win32" ? `${name}.exe` : name), args, {
    ...options,
    ...server.place.runAs,
    // This process's folder may be closed to the server's user, and its environment holds secrets and PG… settings.
    cwd: parse(dirname(server.place.data)).root,
    env: { PATH, SystemRoot, TEMP, LC_ALL: "C", NODE_ENV: process.env.NODE_ENV },
    windowsHide: true,
  });
}

/** A port on 127.0.0.1 that nobody listens on at this moment. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      const port = typeof address === "object" && address ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
