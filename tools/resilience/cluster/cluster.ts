import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { sql } from "#tools/kit/sql.ts";
import { findFreePort } from "#tools/kit/start-server.ts";
import { waitFor } from "../../kit/waiting.ts";
import { changeOwner, findPrograms, findServerUser, hasPatroni4, type Programs } from "../programs.ts";
import type { Stage } from "../stage.ts";
import { Machine, type Network, openNetwork, type Ports, startProxies } from "./machines.ts";

const FILES = join(import.meta.dirname, "..", "..", "..", "deploy", "cluster");
const MACHINES = [1, 2, 3];
const START_MS = 60_000;
const SETTLED_MS = 3_000;
const ASK_MS = 2_000;

const Members = z.object({
  members: z.array(z.object({ name: z.string(), role: z.string(), state: z.string() })),
});
type Member = z.infer<typeof Members>["members"][number];

const works = ({ state }: Member) => state === "running" || state === "streaming";
const isSynchronous = (member: Member) => /^(sync|quorum)_standby$/.test(member.role) && works(member);

/**
 * Runs the cluster of deploy/cluster without containers. make.sh creates the files, and three machines share a network
 * (docs/operations.md#a-cluster). HAProxy runs on the application's machine.
 */
export class Cluster {
  readonly machines: readonly Machine[];
  readonly network: Network;
  readonly programs: Programs;
  readonly #folder: string;
  readonly #ports: Ports;

  /**
   * Takes half a minute.
   * @throws {Skipped} if a program is missing
   */
  static async start(stage: Stage): Promise<Cluster> {
    const programs = findPrograms();
    const folder = mkdtempSync(join(tmpdir(), "svc-cluster-"));
    stage.onEnd(() => rmSync(folder, { recursive: true, force: true }));
    const network = openNetwork((process.pid % 254) + 1, MACHINES);
    stage.onEnd(() => network.close());
    const ports = { database: await findFreePort(), pooler: await findFreePort(), web: await findFreePort() };
    const cluster = new Cluster(folder, programs, network, ports);
    cluster.#makeFiles();
    stage.onEnd(() => {
      for (const machine of cluster.machines) {
        machine.thaw();
        machine.kill();
      }
    });
    for (const machine of cluster.machines) machine.start();
    await startProxies(stage, { folder: join(folder, "app1"), programs, ports });
    const recoveryMs = await cluster.waitUntilWhole(START_MS);
    if (recoveryMs === null) throw new Error(`the cluster does not come up\n${cluster.logs()}`);
    return cluster;
  }

  private constructor(folder: string, programs: Programs, network: Network, ports: Ports) {
    this.#folder = folder;
    this.programs = programs;
    this.network = network;
    this.#ports = ports;
    this.machines = MACHINES.map((number) => new Machine(number, folder, programs, network));
  }

  /** Encrypted, to the primary through HAProxy. */
  get databaseUrl(): string {
    return this.#urlOf("localhost", this.#ports.database);
  }

  /** To the primary through PgBouncer and HAProxy, or null if PgBouncer is too old. */
  get poolerUrl(): string | null {
    if (!this.programs.pgbouncer) return null;
    const url = new URL(this.#urlOf("127.0.0.1", this.#ports.pooler));
    url.search = "";
    return url.href;
  }

  get origin(): string {
    return `http://localhost:${this.#ports.web}`;
  }

  /** Directly to the machine's PostgreSQL, without HAProxy. */
  urlOf(machine: Machine): string {
    return this.#urlOf(machine.address, 5432);
  }

  #urlOf(host: string, port: number): string {
    const password = readFileSync(join(this.#folder, "secret", "database"), "utf8").trim();
    const certificate = join(this.#folder, "app1", "tls", "ca.crt");
    return `postgresql://svc_login:${password}@${host}:${port}/svc_login?sslmode=verify-full&sslrootcert=${certificate}`;
  }

  /** According to the first Patroni that responds. */
  async #members(): Promise<Member[]> {
    for (const machine of this.machines) {
      const answer = await askPatroni(machine, "/cluster");
      if (answer) return Members.parse(JSON.parse(answer.body)).members;
    }
    return [];
  }

  async primary(): Promise<Machine> {
    const found = await waitFor(async () => {
      const roles = await Promise.all(this.machines.map((machine) => askPatroni(machine, "/primary")));
      return this.machines[roles.findIndex((answer) => answer?.status === 200)] ?? false;
    }, START_MS);
    if (!found) throw new Error(`there is no primary\n${this.logs()}`);
    return found.value;
  }

  /**
   * Waits until a primary exists, all other machines follow it without interruption, and one of them follows it
   * synchronously.
   * @returns how many milliseconds that took, or null if `timeoutMs` has passed
   */
  async waitUntilWhole(timeoutMs: number): Promise<number | null> {
    const found = await waitFor(async () => {
      if (!(await this.#isWhole())) return false;
      // A machine that has just come back can still report an older state.
      await sleep(SETTLED_MS);
      return this.#isWhole();
    }, timeoutMs);
    return found?.ms ?? null;
  }

  async #isWhole(): Promise<boolean> {
    const working = (await this.#members()).filter(works);
    if (working.length < MACHINES.length || !working.some(({ role }) => role === "leader")) return false;
    if (!working.some(isSynchronous)) return false;
    const following = await sql(this.databaseUrl, "SELECT 1 FROM pg_stat_replication").catch(() => []);
    return following.length === MACHINES.length - 1;
  }

  switchOver(): void {
    const file = join(this.#folder, "db1", "patroni.yml");
    execFileSync(this.programs.patronictl, ["-c", file, "switchover", "--force", "svc-login"], {
      ...findServerUser(),
      stdio: "pipe",
      env: { ...process.env, LC_ALL: "C.UTF-8" },
    });
  }

  logs(): string {
    const ends = this.machines.map(({ name, folder }) => {
      return `--- ${name}\n${readFileSync(join(folder, "patroni.log"), "utf8").slice(-3_000)}`;
    });
    return ends.join("\n");
  }

  #makeFiles(): void {
    const settings = join(this.#folder, "cluster.env");
    const [app1, app2] = this.network.own;
    const lines = this.machines.map(({ address, number }) => `DB${number}=${address}`);
    lines.push(`APP_URL=${this.origin}`, `APP1=${app1}`, `APP2=${app2}`, `MONITOR=${app1}`);
    writeFileSync(settings, lines.join("\n"));
    const folder = join(this.#folder, "@NAME@");
    execFileSync("sh", [join(FILES, "make.sh"), settings, this.#folder], {
      stdio: "pipe",
      env: {
        ...process.env,
        FOLDER: folder,
        RUN: join(folder, "run"),
        ETCD_DATA: join(folder, "etcd"),
        DATABASE_DATA: join(folder, "data", "postgres"),
        DATABASE_PROGRAMS: this.programs.postgres,
        SYNCHRONOUS_MODE: hasPatroni4(this.programs) ? "quorum" : "true",
        ARCHIVE_COMMAND: "true",
        RESTORE_COMMAND: "false",
      },
    });
    execFileSync("chmod", ["711", this.#folder]);
    const user = findServerUser();
    for (const machine of this.machines) {
      for (const name of ["run", "data"]) mkdirSync(join(machine.folder, name), { recursive: true });
      if (user) changeOwner(user, machine.folder);
    }
  }
}

/** Null if there is no response. */
function askPatroni(machine: Machine, path: string): Promise<{ status: number; body: string } | null> {
  return new Promise((resolve) => {
    const options = { host: machine.address, port: 8008, path, agent: false, timeout: ASK_MS };
    const patroniRequest = request({ ...options, rejectUnauthorized: false }, (response) => {
      text(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, body }),
        () => resolve(null),
      );
    });
    patroniRequest
      .on("timeout", () => patroniRequest.destroy())
      .on("error", () => resolve(null))
      .end();
  });
}
