import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
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
import { type AddressInfo, createServer } from "node:net";
import { dirname, join, parse } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { DataDirectory } from "./data-directory.ts";
import type { NativePostgres } from "./native-binaries.ts";
import { readLastPort, readPostmaster, removeBrokenPidFile } from "./postmaster.ts";

/** Also the name of the application's database. */
export const ROLE = "svc_login";

/** After the server has been killed, its recovery can take a while on a slow disk. */
const READY_TIMEOUT_SECONDS = "60";
/** How long the processes of a killed server can take to end. */
const REMAINS_TIMEOUT_MS = 15_000;
const MAX_LOG_BYTES = 5_000_000;

export interface Server {
  place: Omit<DataDirectory, "publish">;
  native: NativePostgres;
  logFile: string;
}

/** For a small machine, but as durable as PostgreSQL's defaults: fsync and checksums stay on. */
const SETTINGS = {
  listen_addresses: "127.0.0.1",
  // A socket's path can have at most 107 characters, and the path of a clone is often longer.
  unix_socket_directories: "",
  max_connections: "120",
  shared_buffers: "64MB",
  max_wal_size: "256MB",
  io_method: "sync",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  // By default, PostgreSQL searches the schema named after the role first. On a site, the login's schema has that name,
  // and the site's tables are in `public`.
  search_path: "public",
};

/**
 * initdb writes to a temporary folder, which is renamed once the data folder is complete.
 * @param onStart receives initdb's process id
 */
export async function initialise(
  server: Server & { place: DataDirectory },
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
        // PostgreSQL's own collation has the same order on every system, regardless of which locales are installed.
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
 * Waits until the server accepts connections. `pg_ctl` gives the server a separate session, so Ctrl-C or the end of
 * this process does not stop it.
 * @param onStart receives the process id of each attempt, which continues even if this process is killed
 * @param ownPort the port that the server must use; without it, the server uses its previous port if that is free,
 * otherwise a free one
 * @returns the server's port on 127.0.0.1
 */
export async function start(
  server: Server,
  onStart: (pid: number) => void,
  ownPort?: number,
): Promise<number> {
  const { data } = server.place;
  let port = ownPort ?? readPostmaster(data)?.port ?? readLastPort(data) ?? (await freePort());
  await removeBrokenPidFile(data);
  const deadline = Date.now() + REMAINS_TIMEOUT_MS;
  for (;;) {
    const complaint = await launch(server, port, onStart);
    if (complaint === null) return port;
    const isTransient = /shared memory block|postmaster\.pid|could not create any TCP\/IP sockets/.test(
      complaint,
    );
    if (!isTransient || Date.now() > deadline) {
      throw new Error(`The embedded PostgreSQL does not start; its log is ${server.logFile}:\n${complaint}`);
    }
    if (complaint.includes("TCP/IP") && ownPort === undefined) port = await freePort();
    await sleep(200);
  }
}

/**
 * Waits until the server has ended. Running statements are rolled back, and everything that was committed is on disk.
 */
export async function stop(server: Server): Promise<void> {
  await runProgram(server, "pg_ctl", ["stop", "-D", server.place.data, "-m", "fast", "-w", "-t", "60"]);
}

/** @returns null if the server accepts connections, otherwise the output that the server logged before it ended */
async function launch(server: Server, port: number, onStart: (pid: number) => void): Promise<string | null> {
  const settings = Object.entries({ ...SETTINGS, port }).map(([name, value]) => `-c ${name}=${value}`);
  const args = ["start", "-s", "-w", "-t", READY_TIMEOUT_SECONDS, "-D", server.place.data];
  const log = openSync(server.logFile, "a", 0o600);
  try {
    if (fstatSync(log).size > MAX_LOG_BYTES) ftruncateSync(log);
    const logStart = fstatSync(log).size;
    const child = spawn(programOf(server, "pg_ctl"), [...args, "-o", settings.join(" ")], {
      ...childOptions(server),
      stdio: ["ignore", log, log],
    });
    if (child.pid !== undefined) onStart(child.pid);
    const [code] = await once(child, "exit");
    return code === 0 ? null : readFileSync(server.logFile).subarray(logStart).toString().trim();
  } finally {
    closeSync(log);
  }
}

/** @throws {Error} with the program's output on stderr */
async function runProgram(
  server: Server,
  name: string,
  args: string[],
  onStart?: (pid: number) => void,
): Promise<void> {
  const running = promisify(execFile)(programOf(server, name), args, childOptions(server));
  if (running.child.pid !== undefined) onStart?.(running.child.pid);
  await running;
}

function programOf({ native }: Server, name: string): string {
  return join(native.folder, "bin", process.platform === "win32" ? `${name}.exe` : name);
}

function childOptions({ place }: Server) {
  const { PATH, SystemRoot, TEMP, NODE_ENV } = process.env;
  return {
    ...place.runAs,
    // The server's user might not be able to enter this process's folder. The environment is not passed on, because it
    // contains secrets and PG… settings.
    cwd: parse(dirname(place.data)).root,
    env: { PATH, SystemRoot, TEMP, LC_ALL: "C", NODE_ENV },
    windowsHide: true,
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  await once(probe.close(), "close");
  return port;
}
