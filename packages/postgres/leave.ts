/** The last process to leave stops the server, even if that process was killed. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join, parse } from "node:path";
import type { Client } from "pg";
import { connect, findRunning } from "./connection.ts";
import { killPostmaster } from "./postmaster.ts";
import { acquireLock, isAlive } from "./process-lock.mjs";
import { type Server, stop } from "./server-process.ts";

/** As JSON, it contains everything that another process needs to leave the server on this process's behalf. */
export type Membership = {
  root: string;
  server: Server;
  /** From `membershipName`. */
  name: string;
};

const PREFIX = "svc-login-user";

/**
 * The application name of a process's connection, by which other processes detect whether the process is still running.
 */
export function membershipName(unique: string): string {
  return `${PREFIX} ${process.pid} ${unique}`;
}

export function lockFolder(root: string): string {
  return join(root, "locks", "postgres");
}

/** Stops the server, unless another process uses it. The process's own connection may still be open. */
export async function leaveServer({ root, server, name }: Membership): Promise<void> {
  const { data } = server.place;
  // The folder was removed in the meantime. Taking the lock would create it again.
  if (!existsSync(join(root, "postgres"))) return killPostmaster(data);
  const lock = await acquireLock(lockFolder(root));
  try {
    const port = await findRunning(root, data);
    if (port === undefined) return;
    const client = await connect(root, port);
    const isUsed = await hasOtherUser(client, name).finally(() => client.end());
    if (!isUsed) await stop(server);
  } finally {
    lock.release();
  }
}

/** A killed process's connections exist for a moment longer than the process itself. */
async function hasOtherUser(client: Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ name: string }>(
    "select application_name as name from pg_stat_activity where application_name like $1 and application_name <> $2",
    [`${PREFIX} %`, name],
  );
  return rows.some((row) => isAlive({ pid: Number(row.name.split(" ")[1]) }));
}

/**
 * Another process leaves the server after this process has ended. This process cannot do it, because frameworks end it
 * without waiting and also kill its child processes.
 * @returns a function that ends the started process
 */
export function leaveOnExit(membership: Membership): () => void {
  const script = `const { leaveServer } = await import(process.argv[1]);
    process.stdin.resume().once("end", () => leaveServer(JSON.parse(process.argv[2])));`;
  const args = ["--input-type=module", "--eval", script, import.meta.url, JSON.stringify(membership)];
  // The pipe closes when this process ends. A shell waits for the pipe to close, because a shell needs little memory.
  const [command, ...rest] =
    process.platform === "win32"
      ? [process.execPath, ...args]
      : ["/bin/sh", "-c", 'read -r _; exec "$0" "$@"', process.execPath, ...args];
  const { PATH, SystemRoot, TEMP } = process.env;
  const child = spawn(command, rest, {
    cwd: parse(membership.root).root,
    // Ctrl-C does not reach a process in a separate session.
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    env: { PATH, SystemRoot, TEMP, NODE_ENV: "production" },
    windowsHide: true,
  });
  child.on("error", () => {});
  child.unref();
  // `stdin` is a socket, although its type does not say so.
  (child.stdin as unknown as { unref(): void }).unref();
  return () => void child.kill("SIGKILL");
}
