import { spawn } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { isPostmasterOf, readPostmaster } from "#lib/postgres/postmaster.ts";
import { waitFor } from "../kit/waiting.ts";
import { Skipped } from "./stage.ts";

const STOP_MS = 30_000;

/** The PostgreSQL server of a data folder, held as an init system holds it: stopped at once, and started again. */
export class PostgresServer {
  readonly data: string;
  readonly #log: string;
  readonly #command: string[];
  readonly #user: { uid: number; gid: number };
  #pid: number;

  /** @param folder what `openEmbeddedDatabase` was given as `root` */
  constructor(folder: string) {
    if (process.platform !== "linux") throw new Skipped("starts PostgreSQL again by what /proc says of it");
    this.data = realpathSync(join(folder, "postgres"));
    this.#log = join(folder, "postgres.log");
    this.#pid = readPostmaster(this.data)?.pid ?? 0;
    this.#command = readFileSync(`/proc/${this.#pid}/cmdline`, "utf8").split("\0").filter(Boolean);
    const { uid, gid } = statSync(this.data);
    this.#user = { uid, gid };
  }

  get user() {
    return this.#user;
  }

  get running(): boolean {
    return isPostmasterOf(this.data, this.#pid);
  }

  /** `pg_ctl stop -m immediate`: every process ends where it stands; what was committed is in the log on the disk. */
  async stopAtOnce(): Promise<void> {
    process.kill(this.#pid, "SIGQUIT");
    if (!(await waitFor(() => !this.running, STOP_MS))) throw new Error("PostgreSQL does not stop");
  }

  /** `SIGSTOP` to every process of it: connections are taken and kept, and nothing is answered. */
  freeze(): void {
    for (const pid of this.#processes()) process.kill(pid, "SIGSTOP");
  }

  /** Lets all of it run on. */
  thaw(): void {
    for (const pid of this.#processes()) process.kill(pid, "SIGCONT");
  }

  /** The postmaster first, so that it starts no others. */
  #processes(): number[] {
    const parent = new RegExp(`^PPid:\\s+${this.#pid}$`, "m");
    const children = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && parent.test(statusOf(name)));
    return [this.#pid, ...children.map(Number)];
  }

  /** Starts it by the same command. It recovers by itself, and refuses connections until then. */
  start(): void {
    const [program = "", ...args] = this.#command;
    const log = openSync(this.#log, "a");
    const child = spawn(program, args, {
      ...this.#user,
      cwd: "/",
      env: { LC_ALL: "C", PATH: process.env.PATH, NODE_ENV: process.env.NODE_ENV },
      detached: true,
      stdio: ["ignore", log, log],
    });
    closeSync(log);
    child.unref();
    this.#pid = child.pid ?? 0;
  }
}

/** What the system says about a process; nothing when it has just ended. */
function statusOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}
