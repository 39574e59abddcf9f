import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { chownSync, closeSync, existsSync, openSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { requireLinux, SkippedScenario } from "./stage.ts";

const PACKAGES = {
  etcd: "etcd-server",
  haproxy: "haproxy",
  patroni: "patroni",
  patronictl: "patroni",
  openssl: "openssl",
};
/**
 * Python modules that Patroni needs for PostgreSQL and for etcd over TLS. Debian's package of Patroni only recommends
 * them.
 */
const PATRONI_MODULES = { etcd: "python3-etcd", idna: "python3-idna", psycopg2: "python3-psycopg2" };
const PYTHON = "/usr/bin/python3";
const POSTGRES = "/usr/lib/postgresql";

/**
 * The paths of the programs. `postgres` is the folder of the newest PostgreSQL. `pgbouncer` is empty if the installed
 * PgBouncer is too old.
 */
export type Programs = Record<keyof typeof PACKAGES | "postgres" | "pgbouncer", string>;

/** @throws {SkippedScenario} with the command that installs what is missing */
export function findPrograms(): Programs {
  const found = Object.fromEntries(Object.keys(PACKAGES).map((name) => [name, find(name)]));
  const postgres = newestPostgres();
  refuseWithout([
    ...Object.entries(PACKAGES).flatMap(([name, packageName]) => (found[name] ? [] : packageName)),
    ...(postgres ? [] : ["postgresql"]),
    ...Object.entries(PATRONI_MODULES).flatMap(([name, packageName]) =>
      spawnSync(PYTHON, ["-c", `import ${name}`]).status === 0 ? [] : packageName,
    ),
  ]);
  // Older versions of PgBouncer do not support prepared statements.
  const pgbouncer = find("pgbouncer");
  const isNew = pgbouncer !== "" && versionOf(pgbouncer) >= 1.21;
  return { ...found, postgres, pgbouncer: isNew ? pgbouncer : "" } as Programs;
}

/**
 * When Patroni 3 wakes up, it takes back its lock even if there is a new primary. Writes that the new primary has
 * acknowledged are then lost. Patroni 4 first checks whether there is a new primary, and also supports
 * `synchronous_mode: quorum`.
 */
export function hasPatroni4({ patroni }: Programs): boolean {
  return versionOf(patroni) >= 4;
}

/**
 * Returns the folder with the programs of the newest PostgreSQL on this system. The PostgreSQL from npm cannot make
 * backups.
 * @throws {SkippedScenario} with a command that installs PostgreSQL
 */
export function findPostgres(): string {
  const postgres = newestPostgres();
  refuseWithout(postgres ? [] : ["postgresql"]);
  return postgres;
}

function refuseWithout(missing: readonly string[]): void {
  requireLinux();
  if (missing.length === 0) return;
  const names = [...new Set(missing)].join(" ");
  throw new SkippedScenario(
    `install what is missing, as root: apt-get install --no-install-recommends ${names}`,
  );
}

function find(program: string): string {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/bin"];
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path)) ?? "";
}

function versionOf(program: string): number {
  return Number(/\d+\.\d+/.exec(execFileSync(program, ["--version"], { encoding: "utf8" }))?.[0]);
}

function newestPostgres(): string {
  if (!existsSync(POSTGRES)) return "";
  const versions = readdirSync(POSTGRES).filter((name) => existsSync(join(POSTGRES, name, "bin", "initdb")));
  const [newest] = versions.sort((a, b) => Number(b) - Number(a));
  return newest ? join(POSTGRES, newest, "bin") : "";
}

/** @throws {SkippedScenario} if the package cannot be installed */
export function ensureInstalled<Found>(packageName: string, look: () => Found): NonNullable<Found> {
  const found = look();
  if (found) return found;
  if (process.getuid?.() !== 0 || !find("apt-get")) {
    throw new SkippedScenario(`needs the package ${packageName}; it is installed by root on Debian alone`);
  }
  spawnSync("apt-get", ["update"], { stdio: "ignore" });
  spawnSync("apt-get", ["install", "-y", packageName], { stdio: "ignore" });
  const installed = look();
  if (!installed) throw new SkippedScenario(`${packageName} could not be installed`);
  return installed;
}

/** Undefined if the server runs as this process's user. */
export type UserIds = { uid: number; gid: number };

/**
 * Returns the user as which PostgreSQL runs. PostgreSQL refuses to run as root, so root starts it as the user that
 * Debian's package creates.
 */
export function findServerUser(): UserIds | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, NODE_ENV: process.env.NODE_ENV, LC_ALL: "C.UTF-8" };
}

/**
 * Starts a server that keeps running after this process has ended, unless it is stopped. The server's output is
 * appended to `log`.
 */
export function startServer(
  [program = "", ...args]: readonly string[],
  { cwd, log, user }: { cwd: string; log: string; user?: UserIds },
): ChildProcess {
  const file = openSync(log, "a");
  const env = { ...serverEnvironment(), HOME: cwd };
  const child = spawn(program, args, { ...user, cwd, env, detached: true, stdio: ["ignore", file, file] });
  closeSync(file);
  child.unref();
  return child;
}

/**
 * Returns the ids of all processes whose working directory is in a folder. The processes may know the folder by a
 * different path.
 */
export function findProcessesIn(folder: string): number[] {
  const works = (pid: string) => `${tryTo(() => readlinkSync(`/proc/${pid}/cwd`))}/`.includes(`${folder}/`);
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && works(name))
    .map(Number);
}

export function signalProcessesIn(folder: string, signal: NodeJS.Signals, name = /^/): void {
  // This is done twice, because a process might have started another process in the meantime.
  for (let round = 0; round < 2; round++) {
    for (const pid of findProcessesIn(folder)) {
      const command = tryTo(() => readFileSync(`/proc/${pid}/comm`, "utf8")) ?? "";
      if (name.test(command)) tryTo(() => process.kill(pid, signal));
    }
  }
}

/** The process might have just ended. */
function tryTo<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

export function changeOwner({ uid, gid }: UserIds, folder: string): void {
  chownSync(folder, uid, gid);
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    chownSync(join(folder, path), uid, gid);
  }
}
