/**
 * Every process that opens this clone's server shares it. Files below `root` (the `.data` folder): `postgres/` (the
 * data, or a link to it, see data-directory.ts), `postgres-password`, `postgres.log` and `locks/postgres/`.
 */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { passwordFile } from "./connection.ts";
import { chooseDataDirectory } from "./data-directory.ts";
import { lockFolder, membershipName } from "./leave.ts";
import { findNativePostgres, type NativePostgres, shareNativePostgres } from "./native-binaries.ts";
import { acquireLock } from "./process-lock.mjs";
import { initialise, type Server } from "./server-process.ts";
import { ServerUser } from "./server-user.ts";

type ProcessLock = Awaited<ReturnType<typeof acquireLock>>;

interface EmbeddedDatabase {
  /** `postgresql://…@127.0.0.1:<port>/svc_login`, with the password. */
  url: string;
  /** The last process to leave stops the server. The caller must close its own connections first. */
  close(): Promise<void>;
}

/**
 * Processes that open the database concurrently share one server. The server stops with the last of them, however that
 * process ends. If the server is killed, one of the processes restarts it on the same port.
 * @param root the `.data` folder, created if it does not exist
 * @param log receives a sentence if something takes a while or if the server had to be restarted
 * @throws {Error} with a message for the operator
 */
export async function openEmbeddedDatabase({
  root: folder,
  log,
}: {
  root: string;
  log: (message: string) => void;
}): Promise<EmbeddedDatabase> {
  const root = resolve(folder);
  const locked = <Value>(act: (lock: ProcessLock) => Promise<Value>) => withLock(root, log, act);
  const server = await locked((lock) => prepare(root, lock, log));
  const user = new ServerUser({ root, server, name: membershipName(randomBytes(4).toString("hex")) }, log);
  try {
    await locked((lock) => user.join(lock));
  } catch (error) {
    await user.close().catch(() => {});
    throw error;
  }
  return { url: user.url, close: () => user.close() };
}

async function withLock<Value>(
  root: string,
  log: (message: string) => void,
  act: (lock: ProcessLock) => Promise<Value>,
): Promise<Value> {
  const onWait = () => log("Waiting for another process that opens the database.");
  const lock = await acquireLock(lockFolder(root), { onWait }).catch((error: NodeJS.ErrnoException) => {
    if (!["EACCES", "EPERM", "EROFS"].includes(error.code ?? "")) throw error;
    throw new Error(
      `This user may not write in ${root}: another user, perhaps root, made it. ` +
        "Start as that user, or remove the folder for a fresh database.",
    );
  });
  try {
    return await act(lock);
  } finally {
    lock.release();
  }
}

async function prepare(root: string, lock: ProcessLock, log: (message: string) => void): Promise<Server> {
  const place = await chooseDataDirectory(root);
  const installed = await findNativePostgres();
  const isFirst = !existsSync(place.data);
  const native = place.runAs ? shareNativePostgres(installed, place.data) : installed;
  const server = { place, native, logFile: join(root, "postgres.log") };
  const password = passwordFile(root);
  if (!isFirst) {
    refuseOtherVersion(place.data, native);
    if (existsSync(password)) return server;
    throw new Error(
      `The password of the embedded database, ${password}, is gone. ` +
        `Put it back, or remove ${join(root, "postgres")} for a fresh database.`,
    );
  }
  log("Making the embedded database (first start).");
  rmSync(password, { force: true });
  writeFileSync(password, randomBytes(24).toString("base64url"), { mode: 0o600 });
  await initialise(server, readFileSync(password, "utf8"), lock.include);
  return server;
}

function refuseOtherVersion(data: string, native: NativePostgres): void {
  const dataVersion = readFileSync(join(data, "PG_VERSION"), "utf8").trim();
  const programVersion = native.version.split(".")[0];
  if (dataVersion === programVersion) return;
  throw new Error(
    `${data} was made by PostgreSQL ${dataVersion}, and this application brings ${programVersion}. ` +
      "Copy the data over with pg_dump, or remove the folder for a fresh database.",
  );
}
