/**
 * A real PostgreSQL of this clone's own, started when needed and shared by every process that opens it.
 *
 * Files below `root` (the `.data` folder): `postgres/` the data (or a link to it, see data-place.ts),
 * `postgres-password`, `postgres.log`, `locks/postgres/`.
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { placeData } from "./data-place.ts";
import { copyReadableByAll, findNativePostgres, type NativePostgres } from "./native-binaries.ts";
import { isPostmasterOf, readPostmaster } from "./postmaster.ts";
import { acquireLock, type ProcessLock } from "./process-lock.mjs";
import {
  type Connect,
  connectOrRefusal,
  connectTo,
  createDatabase,
  isAlone,
  isWrongPassword,
  MAINTENANCE_DATABASE,
  ROLE,
  servesFolder,
  urlOf,
} from "./server-connection.ts";
import { initialise, type Server, start, stop } from "./server-process.ts";

const POLL_MS = 30;
const JOIN_TIMEOUT_MS = 60_000;

export interface EmbeddedDatabase {
  /** `postgres://…@127.0.0.1:<port>/svc_login`, the password in it. */
  url: string;
  /** Leaves; the last one to leave stops the server. The caller's own connections must be ended before. */
  close(): Promise<void>;
}

/**
 * Makes, starts or joins the embedded database.
 *
 * A server survives its processes being killed, and a killed server is started again by the next one to
 * open it. Processes that open at once end with one server.
 *
 * @param root the `.data` folder, made when absent
 * @param log gets a sentence when something takes a while
 * @throws {Error} with a message for the operator
 */
export async function openEmbeddedDatabase({
  root,
  log,
}: {
  root: string;
  log: (message: string) => void;
}): Promise<EmbeddedDatabase> {
  const lockFolder = join(root, "locks", "postgres");
  const lock = await lockOrExplain(lockFolder, () =>
    log("Waiting for another process that opens the database."),
  );
  try {
    const { server, password } = await prepare(root, lock, log);
    const connect = (port: number, database: string) => connectTo(urlOf(port, password, database));
    const port = (await joinRunning(server, connect)) ?? (await start(server));
    await createDatabase(() => connect(port, MAINTENANCE_DATABASE)).catch((error: unknown) => {
      throw isWrongPassword(error) ? new Error(passwordRefused(server.place.data)) : error;
    });
    // Held until close: it is how the others see that somebody is still here.
    const presence = await connect(port, ROLE);
    let closed = false;
    return {
      url: urlOf(port, password, ROLE),
      async close() {
        if (closed) return;
        closed = true;
        await leave(lockFolder, presence, server, () => connect(port, MAINTENANCE_DATABASE));
      },
    };
  } finally {
    lock.release();
  }
}

/**
 * The URL of a PostgreSQL of the project's own, for development: made at the first start, and left when the process
 * ends.
 * @param root the folder that holds it, such as `.data`
 */
export async function ownDatabase(root: string): Promise<string> {
  const { url } = await openEmbeddedDatabase({ root, log: (line) => process.stdout.write(`${line}\n`) });
  leaveAtExit(root);
  return url;
}

/**
 * Leaves the embedded database when this process exits, for where the framework ends it and waits for nobody. A
 * process of its own does it: an exiting one cannot wait for an answer.
 * @param root as given to `openEmbeddedDatabase`
 */
export function leaveAtExit(root: string): void {
  process.once("exit", () => {
    // A folder that was removed meanwhile is not made again.
    if (!existsSync(join(root, "postgres"))) return;
    const script = `const { openEmbeddedDatabase } = await import(${JSON.stringify(import.meta.url)});
      const database = await openEmbeddedDatabase({ root: ${JSON.stringify(root)}, log() {} });
      await database.close();`;
    const args = ["--input-type=module", "--eval", script];
    spawn(process.execPath, args, { cwd: "/", detached: true, stdio: "ignore" }).unref();
  });
}

async function lockOrExplain(folder: string, onWait: () => void): Promise<ProcessLock> {
  try {
    return await acquireLock(folder, { onWait });
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (!["EACCES", "EPERM", "EROFS"].includes(code)) throw error;
    throw new Error(
      `This user may not write in ${dirname(dirname(folder))}: another user, perhaps root, made it. ` +
        "Start as that user, or remove the folder for a fresh database.",
    );
  }
}

/** The place, the programs and the password, all made where they are not there yet. */
async function prepare(root: string, lock: ProcessLock, log: (message: string) => void) {
  const place = await placeData(root);
  const installed = await findNativePostgres();
  const isFirst = !existsSync(place.data);
  const native = place.runAs ? nativeForOthers(installed, place.data) : installed;
  const server: Server = { place, native, logFile: join(root, "postgres.log") };
  const passwordFile = join(root, "postgres-password");
  if (!isFirst) {
    refuseOtherVersion(place.data, native);
    if (!existsSync(passwordFile)) {
      throw new Error(
        `The password of the embedded database, ${passwordFile}, is gone. ` +
          `Put it back, or remove ${join(root, "postgres")} for a fresh database.`,
      );
    }
    return { server, password: readFileSync(passwordFile, "utf8") };
  }
  log("Making the embedded database (first start).");
  const password = randomBytes(24).toString("base64url");
  rmSync(passwordFile, { force: true });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  await initialise(server, password, lock.include);
  return { server, password };
}

/** The programs where the server's user can run them, beside its data. Copied once a version. */
function nativeForOthers(native: NativePostgres, data: string): NativePostgres {
  const parent = dirname(data);
  const folder = join(parent, `postgres-native-${native.version}`);
  if (existsSync(folder)) return { ...native, folder };
  // A server that still runs may have libraries to load from the older copy.
  const older = readPostmaster(data)
    ? []
    : readdirSync(parent).filter((name) => name.startsWith("postgres-native-"));
  for (const name of older) rmSync(join(parent, name), { recursive: true, force: true });
  return copyReadableByAll(native, folder);
}

function refuseOtherVersion(data: string, native: NativePostgres): void {
  const made = readFileSync(join(data, "PG_VERSION"), "utf8").trim();
  const brought = native.version.split(".")[0];
  if (made === brought) return;
  throw new Error(
    `${data} was made by PostgreSQL ${made}, and this application brings ${brought}. ` +
      "Copy the data over with pg_dump, or remove the folder for a fresh database.",
  );
}

/** The port of the server that runs already, waiting for one that is just starting or stopping. */
async function joinRunning({ place }: Server, connect: Connect): Promise<number | undefined> {
  const deadline = Date.now() + JOIN_TIMEOUT_MS;
  for (;;) {
    const postmaster = readPostmaster(place.data);
    if (!postmaster) return undefined;
    const { pid, port } = postmaster;
    const client = port === undefined ? undefined : await connectOrRefusal(connect, port);
    if (client instanceof Client) {
      const isOurs = await servesFolder(client, place.data);
      await client.end();
      return isOurs ? port : undefined;
    }
    if (!isPostmasterOf(place.data, pid)) return undefined;
    if (client === "password") throw new Error(passwordRefused(place.data));
    if (Date.now() > deadline)
      throw new Error(`The embedded PostgreSQL (process ${pid}) runs and does not answer.`);
    await sleep(POLL_MS);
  }
}

function passwordRefused(data: string): string {
  return `The password kept for the embedded database is not that of ${data}. Put the right one back, or remove both.`;
}

/** Ends this process's part, and the server when nobody else is connected. */
async function leave(
  lockFolder: string,
  presence: Client,
  server: Server,
  connect: () => Promise<Client>,
): Promise<void> {
  const lock = await acquireLock(lockFolder);
  try {
    await presence.end();
    const client = await connect().catch(() => undefined);
    // Killed, or stopped by hand: nothing to do.
    if (!client) return;
    const isLast = await isAlone(client);
    await client.end();
    if (isLast) await stop(server);
  } finally {
    lock.release();
  }
}
