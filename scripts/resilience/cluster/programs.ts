import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { Skipped } from "../stage.ts";

/** What a cluster is made of, each with the Debian package that has it. */
const PACKAGES = {
  etcd: "etcd-server",
  haproxy: "haproxy",
  patroni: "patroni",
  patronictl: "patroni",
  openssl: "openssl",
} as const;
/** Modules that Debian's patroni does not insist on. Without them it reaches no etcd by TLS, or no PostgreSQL. */
const PATRONI_MODULES = { etcd: "python3-etcd", idna: "python3-idna", psycopg2: "python3-psycopg2" };
const PYTHON = "/usr/bin/python3";
const POSTGRES = "/usr/lib/postgresql";

/** Paths of the programs; `postgres` is the folder with the newest PostgreSQL's, `pgbouncer` empty where it is too old. */
export type Programs = Record<keyof typeof PACKAGES | "postgres" | "pgbouncer", string>;

/**
 * Finds the programs of a cluster.
 * @throws {Skipped} with the command that installs what is missing
 */
export function findPrograms(): Programs {
  const names = Object.keys(PACKAGES) as (keyof typeof PACKAGES)[];
  const found = new Map<string, string>(names.map((name) => [name, find(name)]));
  const missing = new Set(names.filter((name) => !found.get(name)).map((name) => PACKAGES[name] as string));
  const postgres = newestPostgres();
  if (!postgres) missing.add("postgresql");
  for (const [name, packageName] of Object.entries(PATRONI_MODULES)) {
    if (!hasModule(name)) missing.add(packageName);
  }
  refuseWithout([...missing]);
  return { ...Object.fromEntries(found), postgres, pgbouncer: findPgbouncer() } as Programs;
}

/**
 * Patroni 3.0 takes its lock back when it wakes up, whoever holds it by then: what the other one has acknowledged is lost.
 * Patroni 4 looks first, and knows `synchronous_mode: quorum`.
 */
export function hasPatroni4({ patroni }: Programs): boolean {
  return versionOf(patroni) >= 4;
}

/** PgBouncer that keeps prepared statements: 1.21 or newer. */
function findPgbouncer(): string {
  const pgbouncer = find("pgbouncer");
  return pgbouncer && versionOf(pgbouncer) >= 1.21 ? pgbouncer : "";
}

function versionOf(program: string): number {
  return Number(/\d+\.\d+/.exec(execFileSync(program, ["--version"], { encoding: "utf8" }))?.[0]);
}

/**
 * The folder with the newest PostgreSQL's programs: the one that npm brings makes no backups.
 * @throws {Skipped} with the command that installs one
 */
export function findPostgres(): string {
  const postgres = newestPostgres();
  refuseWithout(postgres ? [] : ["postgresql"]);
  return postgres;
}

function refuseWithout(missing: readonly string[]): void {
  if (process.platform !== "linux") throw new Skipped("needs what Linux has");
  if (missing.length === 0) return;
  throw new Skipped(
    `install what is missing, as root: apt-get install --no-install-recommends ${missing.join(" ")}`,
  );
}

function hasModule(name: string): boolean {
  return spawnSync(PYTHON, ["-c", `import ${name}`]).status === 0;
}

function find(program: string): string {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/bin"];
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path)) ?? "";
}

function newestPostgres(): string {
  if (!existsSync(POSTGRES)) return "";
  const versions = readdirSync(POSTGRES).filter((name) => existsSync(join(POSTGRES, name, "bin", "initdb")));
  const [newest] = versions.sort((a, b) => Number(b) - Number(a));
  return newest ? join(POSTGRES, newest, "bin") : "";
}

/** Whom servers run as, where that is not the user of this process. */
export type UserIds = { uid: number; gid: number };

/** PostgreSQL refuses to be root, who lends it to the user of Debian's package. */
export function serverUser(): UserIds | null {
  if (process.getuid?.() !== 0) return null;
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}
