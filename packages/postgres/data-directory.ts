/**
 * For an ordinary user, the files are in `<root>/postgres`. PostgreSQL refuses to run as root, so root lends the data
 * to the user `nobody`. The files are in the same place if that user can reach the folder. Otherwise (in a clone below
 * /root, for example) they are in this clone's folder below /var/lib, and `<root>/postgres` is a link to it.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { killPostmaster } from "./postmaster.ts";

/** The same on every Linux system. */
const NOBODY_UID = 65534;
const SYSTEM_FOLDER = "/var/lib/svc-login";

interface UserIds {
  uid: number;
  gid: number;
}

export interface DataDirectory {
  data: string;
  /** Absent if the server runs as the user of this process. */
  runAs?: UserIds;
  /** Makes `<root>/postgres` point to the data. Call it once the data is complete. */
  publish(): void;
}

/**
 * Also removes what a killed server or a deleted `.data` has left behind.
 * @param root the `.data` folder
 * @throws {Error} with one sentence, if the data belongs to another user or root cannot give it to `nobody`
 */
export async function chooseDataDirectory(root: string): Promise<DataDirectory> {
  const visible = join(realpathSync(root), "postgres");
  const existing = lstatSync(visible, { throwIfNoEntry: false });
  if (existing?.isSymbolicLink() && !isUsableLink(visible)) unlinkSync(visible);
  if (existing?.isDirectory() && !isInitialised(visible)) rmSync(visible, { recursive: true });

  if (process.getuid?.() !== 0) return placeForUser(visible);
  if (existsSync(visible)) {
    const { uid, gid } = statSync(visible);
    return { data: realpathSync(visible), runAs: { uid, gid }, publish() {} };
  }
  const runAs = { uid: NOBODY_UID, gid: NOBODY_UID };
  if (canLend(dirname(visible), runAs)) return { data: visible, runAs, publish() {} };
  const data = await claimSystemFolder(visible);
  return { data, runAs, publish: () => symlinkSync(data, visible) };
}

function placeForUser(visible: string): DataDirectory {
  const owner = statSync(visible, { throwIfNoEntry: false })?.uid;
  if (owner !== undefined && process.getuid && owner !== process.getuid()) {
    throw new Error(
      `${visible} belongs to another user (uid ${owner}; ${NOBODY_UID} if root made it). ` +
        "Start as that user, or as root, or remove the folder for a fresh database.",
    );
  }
  return { data: visible, publish() {} };
}

/** initdb writes PG_VERSION into a temporary folder, which is renamed when initdb is done. */
function isInitialised(folder: string): boolean {
  return existsSync(join(folder, "PG_VERSION"));
}

/** Whether the server's user can own a folder and write to it depends on the file system and the container. */
function canLend(parent: string, ids: UserIds): boolean {
  const probe = join(parent, `postgres-probe-${process.pid}`);
  try {
    mkdirSync(probe, { mode: 0o700 });
    chownSync(probe, ids.uid, ids.gid);
    // This test needs a shell. With the option `cwd`, Node changes the folder before it switches users, so the call
    // would not test that user's access.
    const probeResult = spawnSync("/bin/sh", ["-c", 'cd "$1" && : > written', "sh", probe], {
      ...ids,
      cwd: "/",
    });
    if (probeResult.error) throw new Error(cannotLend(probeResult.error));
    return probeResult.status === 0;
  } catch (error) {
    if (isErrno(error)) return false;
    throw error;
  } finally {
    rmSync(probe, { recursive: true, force: true });
  }
}

function cannotLend(cause: Error): string {
  return (
    `PostgreSQL does not run as root, and this root may not start it as another user (${cause.message}). ` +
    "Start as an ordinary user, or set DATABASE_URL to your own PostgreSQL server."
  );
}

function isErrno(error: unknown): boolean {
  return error instanceof Error && "code" in error;
}

/**
 * Any data already in the folder is left over from a deleted `.data`, so a server that still uses it is stopped, and
 * the data is deleted.
 */
async function claimSystemFolder(visible: string): Promise<string> {
  let folder = join(SYSTEM_FOLDER, createHash("sha256").update(visible).digest("hex").slice(0, 16));
  while (isClaimedByAnother(folder, visible)) folder += "-2";
  const data = join(folder, "data");
  if (existsSync(data)) {
    await killPostmaster(data);
    rmSync(data, { recursive: true });
  }
  mkdirSync(folder, { recursive: true });
  spawnSync("chmod", ["755", SYSTEM_FOLDER, folder]);
  writeFileSync(claimFile(folder), visible);
  return data;
}

function claimFile(folder: string): string {
  return join(folder, "belongs-to");
}

function isClaimedByAnother(folder: string, visible: string): boolean {
  const claim = claimFile(folder);
  if (!existsSync(claim)) return false;
  const owner = readFileSync(claim, "utf8");
  return owner !== visible && leadsTo(owner, join(folder, "data"));
}

/**
 * A copied clone contains the original's link, and must not share its database. A clone that was moved keeps its
 * database.
 */
function isUsableLink(visible: string): boolean {
  const data = readlinkSync(visible);
  // Only root can read the folder. For other users, `placeForUser` reports that.
  if (process.getuid?.() !== 0) return existsSync(visible);
  if (!isInitialised(visible)) return false;
  if (!data.startsWith(`${SYSTEM_FOLDER}/`)) return true;
  const folder = dirname(data);
  if (isClaimedByAnother(folder, visible)) return false;
  writeFileSync(claimFile(folder), visible);
  return true;
}

function leadsTo(link: string, data: string): boolean {
  try {
    return readlinkSync(link) === data;
  } catch {
    return false;
  }
}
