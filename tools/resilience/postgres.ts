import { readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { readPostmaster } from "#packages/postgres/postmaster.ts";
import { acquireLock } from "#packages/postgres/process-lock.mjs";
import { waitFor } from "../kit/waiting.ts";
import { findProcessesIn, signalProcessesIn, startServer, type UserIds } from "./programs.ts";
import { requireLinux } from "./stage.ts";

const STOP_MS = 30_000;
const START_MS = 10_000;

export class PostgresServer {
  readonly data: string;
  readonly user: UserIds;
  readonly #folder: string;
  readonly #log: string;
  readonly #command: string[];
  /** This lock is held while the server is stopped, so that programs that use the server do not restart it. */
  #lock: Awaited<ReturnType<typeof acquireLock>> | null = null;

  /** @param folder the `root` that was passed to `openEmbeddedDatabase` */
  constructor(folder: string) {
    requireLinux();
    this.#folder = folder;
    this.data = realpathSync(join(folder, "postgres"));
    this.#log = join(folder, "postgres.log");
    const pid = readPostmaster(this.data)?.pid;
    this.#command = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").filter(Boolean);
    const { uid, gid } = statSync(this.data);
    this.user = { uid, gid };
  }

  get running(): boolean {
    return findProcessesIn(this.data).length > 0;
  }

  /**
   * Runs `pg_ctl stop -m immediate`. All processes end immediately. Everything that was committed is in the log on
   * disk.
   */
  async stopAtOnce(): Promise<void> {
    this.#lock ??= await acquireLock(join(this.#folder, "locks", "postgres"));
    const postmaster = readPostmaster(this.data);
    if (postmaster) process.kill(postmaster.pid, "SIGQUIT");
    if (!(await waitFor(() => !this.running, STOP_MS))) throw new Error("PostgreSQL does not stop");
  }

  /** `SIGSTOP`: the system still accepts connections, but they get no response. */
  freeze(): void {
    signalProcessesIn(this.data, "SIGSTOP");
  }

  thaw(): void {
    signalProcessesIn(this.data, "SIGCONT");
  }

  /**
   * Starts the server with the same command as before. PostgreSQL refuses connections until its automatic recovery has
   * finished.
   */
  async start(): Promise<void> {
    startServer(this.#command, { cwd: "/", log: this.#log, user: this.user });
    await waitFor(() => readPostmaster(this.data)?.port !== undefined, START_MS);
    this.#lock?.release();
    this.#lock = null;
  }
}
