/**
 * A real PostgreSQL of this clone's own, started when needed and shared by every process that opens it.
 *
 * Files below `root` (the `.data` folder): `postgres/` the data (or a link to it, see data-place.ts),
 * `postgres-password`, `postgres.log`, `locks/postgres/`.
 */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, DatabaseError } from "pg";
import { placeData } from "./data-place.ts";
import { findNativePostgres, type NativePostgres, nativeForOthers } from "./native-binaries.ts";
import { isPostmasterOf, readPostmaster } from "./postmaster.ts";
import { acquireLock } from "./process-lock.mjs";
import { initialise, ROLE, type Server, start, stop } from "./server-process.ts";

/** The database that always exists. */
const MAINTENANCE_DATABASE = "postgres";

type ProcessLock = Awaited<ReturnType<typeof acquireLock>>;

const POLL_MS = 30;
const JOIN_TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** A server takes a moment to notice that a connection was closed. */
const FAREWELL_MS = 500;

/** Opens a connection to a database of the server on that port. */
type Connect = (port: number, database?: string) => Promise<Client>;

interface EmbeddedDatabase {
  /** `postgresql://…@127.0.0.1:<port>/svc_login`, with the password. */
  url: string;
  /** Leaves; the last one to leave stops the server. The caller's own connections must be ended before. */
  close(): Promise<void>;
}

/**
 * Makes, starts or joins the embedded database.
 *
 * A server survives its processes being killed, and a killed server is started again by the next one to
 * open it. Processes that open it at once end up with one server.
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
    const urlOf = (port: number, database: string) =>
      `postgresql://${ROLE}:${password}@127.0.0.1:${port}/${database}`;
    const connect: Connect = (port, database = MAINTENANCE_DATABASE) => connectTo(urlOf(port, database));
    const port = (await joinRunning(server, connect)) ?? (await start(server));
    await createDatabase(() => connect(port)).catch((error: unknown) => {
      throw isWrongPassword(error) ? new Error(passwordRefused(server.place.data)) : error;
    });
    // Held until close, so that other processes see that this one still uses the server.
    const presence = await connect(port, ROLE);
    let closed = false;
    return {
      url: urlOf(port, ROLE),
      async close() {
        if (closed) return;
        closed = true;
        await leave(lockFolder, presence, server, () => connect(port));
      },
    };
  } finally {
    lock.release();
  }
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

/** Finds the place, the programs and the password, or makes them at the first start. */
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

function refuseOtherVersion(data: string, native: NativePostgres): void {
  const made = readFileSync(join(data, "PG_VERSION"), "utf8").trim();
  const brought = native.version.split(".")[0];
  if (made === brought) return;
  throw new Error(
    `${data} was made by PostgreSQL ${made}, and this application brings ${brought}. ` +
      "Copy the data over with pg_dump, or remove the folder for a fresh database.",
  );
}

/** The port of a server that runs already, or undefined. Waits while one is starting or stopping. */
async function joinRunning({ place }: Server, connect: Connect): Promise<number | undefined> {
  const deadline = Date.now() + JOIN_TIMEOUT_MS;
  for (;;) {
    const postmaster = readPostmaster(place.data);
    if (!postmaster) return undefined;
    const { pid, port } = postmaster;
    const answer = port === undefined ? undefined : await connect(port).catch((error: unknown) => error);
    if (answer instanceof Client) {
      const isOurs = await servesFolder(answer, place.data);
      await answer.end();
      return isOurs ? port : undefined;
    }
    if (!isPostmasterOf(place.data, pid)) return undefined;
    if (isWrongPassword(answer)) throw new Error(passwordRefused(place.data));
    if (Date.now() > deadline)
      throw new Error(`The embedded PostgreSQL (process ${pid}) runs and does not answer.`);
    await sleep(POLL_MS);
  }
}

function passwordRefused(data: string): string {
  return `The password kept for the embedded database is not that of ${data}. Put the right one back, or remove both.`;
}

/** Closes this process's connection, and stops the server when nobody else is connected. */
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

async function connectTo(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // Without a listener, a connection that breaks while idle would end the process. Its next use fails anyway.
  client.on("error", () => {});
  await client.connect();
  return client;
}

function isWrongPassword(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === "28P01";
}

/** Creates the application's database when it is not there. */
async function createDatabase(connect: () => Promise<Client>): Promise<void> {
  const client = await connect();
  try {
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [ROLE]);
    if (rowCount === 0) await client.query(`create database ${ROLE}`);
  } finally {
    await client.end();
  }
}

/**
 * Whether a server works on this data folder. A copied folder has the port number of the original's server. A folder
 * that was moved while its server runs is still that server's.
 */
async function servesFolder(client: Client, data: string): Promise<boolean> {
  const { rows } = await client.query<{ data_directory: string }>("show data_directory");
  const served = statSync(rows[0]?.data_directory ?? "", { throwIfNoEntry: false });
  return served === undefined || served.ino === statSync(data).ino;
}

/** Whether this is the only connection. Waits a moment for those that are just closing. */
async function isAlone(client: Client): Promise<boolean> {
  const deadline = Date.now() + FAREWELL_MS;
  for (;;) {
    const { rowCount } = await client.query(
      "select 1 from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    );
    if (rowCount === 0) return true;
    if (Date.now() > deadline) return false;
    await sleep(POLL_MS);
  }
}
