import { execFileSync } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { sql } from "#scripts/kit/sql.ts";
import { freePort } from "#scripts/kit/start-server.ts";
import { waitFor } from "../../kit/waiting.ts";
import type { Stage } from "../stage.ts";
import { Machine } from "./machine.ts";
import { type Network, openNetwork } from "./network.ts";
import { findPrograms, hasPatroni4, type Programs, serverUser, type UserIds } from "./programs.ts";
import { type Ports, startProxies } from "./proxies.ts";

const FILES = join(import.meta.dirname, "..", "..", "..", "deploy", "cluster");
const MACHINES = 3;
const START_MS = 60_000;
const SETTLED_MS = 3_000;
/** Each cluster of a process has a network of its own. */
let opened = 0;
const ASK_MS = 2_000;

const Members = z.object({
  members: z.array(z.object({ name: z.string(), role: z.string(), state: z.string() })),
});
export type Member = z.infer<typeof Members>["members"][number];

function isSynchronous({ role, state }: Member): boolean {
  return /^(sync|quorum)_standby$/.test(role) && /^(running|streaming)$/.test(state);
}

/**
 * The cluster of deploy/cluster without containers: its files, as make.sh fills them in, on three machines of one network
 * (docs/cluster.md). HAProxy runs where the application does.
 */
export class Cluster {
  readonly machines: Machine[];
  readonly network: Network;
  readonly #folder: string;
  readonly programs: Programs;
  readonly #agent: Agent;
  readonly #ports: Ports;

  /**
   * Makes the machines' files and starts the machines, which takes half a minute.
   * @param prepare is called with each machine's folder before anything is in it
   * @throws {Skipped} where programs are missing
   */
  static async start(
    stage: Stage,
    prepare: (folder: string, name: string, user: UserIds | null) => void = () => {},
  ): Promise<Cluster> {
    const programs = findPrograms();
    const folder = mkdtempSync(join(tmpdir(), "svc-cluster-"));
    stage.onEnd(() => rmSync(folder, { recursive: true, force: true }));
    const network = openNetwork(((process.pid + opened++) % 254) + 1, MACHINES);
    stage.onEnd(() => network.close());
    const ports = { database: await freePort(), pooler: await freePort(), web: await freePort() };
    const cluster = new Cluster({ folder, programs, network, ports });
    cluster.#makeFiles(prepare);
    stage.onEnd(() => cluster.#stop());
    for (const machine of cluster.machines) machine.start();
    await startProxies(stage, { folder: cluster.#folderOf("app1"), programs, ports: cluster.#ports });
    const whole = await cluster.untilWhole(START_MS);
    if (whole === null) throw new Error(`the cluster does not come up\n${cluster.logs()}`);
    return cluster;
  }

  private constructor(options: {
    folder: string;
    programs: Programs;
    network: Network;
    ports: Ports;
  }) {
    const { folder, programs, network } = options;
    this.#ports = options.ports;
    this.#folder = folder;
    this.programs = programs;
    this.network = network;
    const user = serverUser();
    this.machines = Array.from({ length: MACHINES }, (_, index) => {
      const machine = index + 1;
      return new Machine({
        name: `db${machine}`,
        address: network.addressOf(machine),
        folder: this.#folderOf(`db${machine}`),
        prefix: network.prefix(machine),
        programs,
        user,
      });
    });
    this.#agent = new Agent({ keepAlive: false, rejectUnauthorized: false });
  }

  /** The primary, through HAProxy, encrypted. */
  get databaseUrl(): string {
    return this.#urlOf("localhost", this.#ports.database);
  }

  /** The same through PgBouncer, where it is new enough. */
  get poolerUrl(): string | null {
    if (!this.programs.pgbouncer) return null;
    const url = new URL(this.#urlOf("127.0.0.1", this.#ports.pooler));
    url.search = "";
    return url.href;
  }

  get origin(): string {
    return `http://localhost:${this.#ports.web}`;
  }

  /** One machine's PostgreSQL, beside HAProxy. */
  urlOf(machine: Machine): string {
    return this.#urlOf(machine.address, 5432);
  }

  #urlOf(host: string, port: number): string {
    const password = readFileSync(join(this.#folder, "secret", "database"), "utf8").trim();
    const certificate = join(this.#folderOf("app1"), "tls", "ca.crt");
    return `postgresql://svc_login:${password}@${host}:${port}/svc_login?sslmode=verify-full&sslrootcert=${certificate}`;
  }

  /** What Patroni on a machine knows of all. */
  async members(): Promise<Member[]> {
    for (const machine of this.machines) {
      const answer = await this.#ask(machine, "/cluster");
      if (answer) return Members.parse(JSON.parse(answer.body)).members;
    }
    return [];
  }

  async primary(): Promise<Machine> {
    const found = await waitFor(async () => {
      const roles = await Promise.all(this.machines.map((machine) => this.#ask(machine, "/primary")));
      return this.machines[roles.findIndex((answer) => answer?.status === 200)] ?? false;
    }, START_MS);
    if (!found) throw new Error(`there is no primary\n${this.logs()}`);
    return found.value;
  }

  /** A standby whose answer commits wait for. */
  async synchronous(): Promise<Machine> {
    const found = await waitFor(async () => {
      const member = (await this.members()).find(isSynchronous);
      return this.machines.find(({ name }) => name === member?.name) ?? false;
    }, START_MS);
    if (!found) throw new Error(`there is no synchronous standby\n${this.logs()}`);
    return found.value;
  }

  /** Milliseconds until one is primary and the others follow it, one of them synchronously, and stay so; or null. */
  async untilWhole(timeoutMs: number): Promise<number | null> {
    const found = await waitFor(async () => {
      if (!(await this.#isWhole())) return false;
      // A machine that has just come back may still believe what it knew.
      await sleep(SETTLED_MS);
      return this.#isWhole();
    }, timeoutMs);
    return found?.ms ?? null;
  }

  async #isWhole(): Promise<boolean> {
    const working = (await this.members()).filter(
      ({ state }) => state === "running" || state === "streaming",
    );
    if (working.length < MACHINES || !working.some(({ role }) => role === "leader")) return false;
    if (!working.some(isSynchronous)) return false;
    const following = "SELECT count(*) FROM pg_stat_replication";
    const [row] = await sql<{ count: string }>(this.databaseUrl, following).catch(() => []);
    return Number(row?.count) === MACHINES - 1;
  }

  /** A planned change of the primary, as an operator asks for it. */
  switchOver(): void {
    const { uid, gid } = serverUser() ?? {};
    const file = join(this.#folderOf("db1"), "patroni.yml");
    const args = ["-c", file, "switchover", "--force", "svc-login"];
    execFileSync(this.programs.patronictl, args, {
      stdio: "pipe",
      env: { ...process.env, LC_ALL: "C.UTF-8" },
      ...(uid !== undefined && { uid, gid }),
    });
  }

  /** What happened on the machines, for whoever looks for the reason of a failure. */
  logs(): string {
    return this.machines
      .map(
        ({ name, folder }) =>
          `--- ${name}\n${readFileSync(join(folder, "patroni.log"), "utf8").slice(-3_000)}`,
      )
      .join("\n");
  }

  #folderOf(name: string): string {
    return join(this.#folder, name);
  }

  #ask(machine: Machine, path: string): Promise<{ status: number; body: string } | null> {
    return new Promise((resolve) => {
      const options = { host: machine.address, port: 8008, path, agent: this.#agent, timeout: ASK_MS };
      const asked = request(options, (response) => {
        let body = "";
        response.setEncoding("utf8").on("data", (part) => (body += part));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
        response.on("error", () => resolve(null));
      });
      asked
        .on("timeout", () => asked.destroy())
        .on("error", () => resolve(null))
        .end();
    });
  }

  #makeFiles(prepare: (folder: string, name: string, user: UserIds | null) => void): void {
    const settings = join(this.#folder, "cluster.env");
    const [app1, app2] = this.network.own;
    const lines = this.machines.map(({ address }, index) => `DB${index + 1}=${address}`);
    lines.push(`APP_URL=${this.origin}`, `APP1=${app1}`, `APP2=${app2}`, `MONITOR=${app1}`);
    writeFileSync(settings, lines.join("\n"));
    const user = serverUser();
    for (const { folder, name } of this.machines) {
      mkdirSync(folder);
      prepare(folder, name, user);
    }
    execFileSync("sh", [join(FILES, "make.sh"), settings, this.#folder], {
      stdio: "pipe",
      env: {
        ...process.env,
        FOLDER: join(this.#folder, "@NAME@"),
        RUN: join(this.#folder, "@NAME@", "run"),
        ETCD_DATA: join(this.#folder, "@NAME@", "etcd"),
        DATABASE_DATA: join(this.#folder, "@NAME@", "data", "postgres"),
        DATABASE_PROGRAMS: this.programs.postgres,
        SYNCHRONOUS_MODE: hasPatroni4(this.programs) ? "quorum" : "true",
        ARCHIVE_COMMAND: "true",
        RESTORE_COMMAND: "false",
      },
    });
    execFileSync("chmod", ["711", this.#folder]);
    for (const { folder } of this.machines) {
      for (const name of ["run", "data"]) mkdirSync(join(folder, name), { recursive: true });
      if (!user) continue;
      for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
        chownSync(join(folder, path), user.uid, user.gid);
      }
      chownSync(folder, user.uid, user.gid);
    }
  }

  #stop(): void {
    for (const machine of this.machines) {
      machine.thaw();
      machine.kill();
    }
  }
}
