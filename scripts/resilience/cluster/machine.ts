import { join } from "node:path";
import { type Programs, serverUser, signalIn, startServer } from "../programs.ts";
import type { Network } from "./network.ts";

/** A database machine: etcd, Patroni and the PostgreSQL that Patroni starts, all below one folder. */
export class Machine {
  /** From 1. */
  readonly number: number;
  readonly name: string;
  readonly address: string;
  readonly folder: string;
  readonly #programs: Programs;
  readonly #prefix: string[];

  constructor(number: number, base: string, programs: Programs, network: Network) {
    this.number = number;
    this.name = `db${number}`;
    this.folder = join(base, this.name);
    this.address = network.addressOf(number);
    this.#programs = programs;
    const user = serverUser();
    const drop = user
      ? ["setpriv", `--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups", "--"]
      : [];
    this.#prefix = [...network.prefix(number), ...drop];
  }

  /** Starts what is not running of it, as an init system does. */
  start(): void {
    this.#run("etcd", "--config-file", join(this.folder, "etcd.yml"));
    this.#run("patroni", join(this.folder, "patroni.yml"));
  }

  #run(program: "etcd" | "patroni", ...args: string[]): void {
    const log = join(this.folder, `${program}.log`);
    startServer([...this.#prefix, this.#programs[program], ...args], { cwd: this.folder, log });
  }

  /** Everything on it ends where it stands, as when the power fails. */
  kill(): void {
    signalIn(this.folder, "SIGKILL");
  }

  /**
   * `SIGSTOP` to PostgreSQL and Patroni: connections are taken and kept, and nothing is answered. Not to etcd: where the
   * system answers for an etcd that hangs, the others' Patroni goes on listening to it (docs/cluster.md).
   */
  freeze(): void {
    signalIn(this.folder, "SIGSTOP", /^(?!.*etcd)/);
  }

  thaw(): void {
    signalIn(this.folder, "SIGCONT");
  }
}
