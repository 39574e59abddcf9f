import { spawn } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { Programs, UserIds } from "./programs.ts";

/** A database machine: etcd, Patroni and the PostgreSQL that Patroni starts, all below one folder. */
export class Machine {
  readonly name: string;
  readonly address: string;
  readonly folder: string;
  readonly #programs: Programs;
  readonly #prefix: string[];
  readonly #user: UserIds | null;

  constructor(options: {
    name: string;
    address: string;
    folder: string;
    programs: Programs;
    prefix: string[];
    user: UserIds | null;
  }) {
    this.name = options.name;
    this.address = options.address;
    this.folder = options.folder;
    this.#programs = options.programs;
    this.#prefix = options.prefix;
    this.#user = options.user;
  }

  /** Starts what is not running of it, as an init system does. */
  start(): void {
    this.#run("etcd", ["--config-file", join(this.folder, "etcd.yml")]);
    this.#run("patroni", [join(this.folder, "patroni.yml")]);
  }

  /** Everything on it ends where it stands, as when the power fails. */
  kill(): void {
    // Twice: one may have started another meanwhile.
    this.#signal("SIGKILL");
    this.#signal("SIGKILL");
  }

  /**
   * `SIGSTOP` to PostgreSQL and Patroni: connections are taken and kept, and nothing is answered. Not to etcd: where the
   * system answers for an etcd that hangs, the others' Patroni goes on listening to it (docs/cluster.md).
   */
  freeze(): void {
    this.#signal("SIGSTOP", (command) => !command.includes("etcd"));
  }

  thaw(): void {
    this.#signal("SIGCONT");
  }

  get running(): boolean {
    return this.#processes().length > 0;
  }

  #run(program: "etcd" | "patroni", args: string[]): void {
    const log = openSync(join(this.folder, `${program}.log`), "a");
    const [command = "", ...rest] = [...this.#prefix, ...this.#drop(), this.#programs[program], ...args];
    const child = spawn(command, rest, {
      cwd: this.folder,
      env: { PATH: process.env.PATH, NODE_ENV: process.env.NODE_ENV, HOME: this.folder, LC_ALL: "C.UTF-8" },
      detached: true,
      stdio: ["ignore", log, log],
    });
    closeSync(log);
    child.unref();
  }

  #drop(): string[] {
    if (!this.#user) return [];
    return ["setpriv", `--reuid=${this.#user.uid}`, `--regid=${this.#user.gid}`, "--clear-groups", "--"];
  }

  #signal(signal: NodeJS.Signals, which: (command: string) => boolean = () => true): void {
    for (const pid of this.#processes().filter((pid) => which(commandOf(pid)))) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended.
      }
    }
  }

  /** Whatever works in its folder, wherever that is mounted: PostgreSQL's processes in that of their data. */
  #processes(): number[] {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name) && `${workingFolder(name)}/`.includes(`${this.folder}/`))
      .map(Number);
  }
}

/** The program's name; nothing when it has just ended. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8");
  } catch {
    return "";
  }
}

function workingFolder(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return "";
  }
}
