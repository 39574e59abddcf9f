/**
 * A lock between processes that needs only a folder. The lock is released when the process that holds it is killed. The
 * folder contains numbered files, and the highest number is the lock. A process takes the lock by creating the next
 * number, which the file system lets only one process do. The highest file is never deleted, only marked as released,
 * so a slow process that creates an old number sees a higher one and backs off. This way, two processes never remove
 * the same stale lock. This file is plain JavaScript for Node 18 and later, because scripts/run.mjs needs it before
 * anything is installed.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 50;
/** How long a lock file can lack readable content before its creator is considered killed. */
const UNREADABLE_GRACE_MS = 5_000;
const RELEASED = "released";

/**
 * Waits as long as a living process holds the lock.
 * @param {string} folder created if it does not exist; it must not contain other files
 * @param {{ onWait?: (pid: number | undefined) => void }} [options] `onWait` is called once, if another process holds
 * the lock
 * @returns {Promise<{ release(): void, include(pid: number): void }>} `include` keeps the lock for as long as that
 * child process lives, even if this process is killed earlier
 */
export async function acquireLock(folder, { onWait } = {}) {
  mkdirSync(folder, { recursive: true });
  let waited = false;
  for (;;) {
    const top = highestNumber(folder);
    const holder = top === 0 ? null : livingHolder(join(folder, String(top)));
    if (holder === null) {
      const lock = claim(folder, top + 1);
      if (lock) return lock;
    } else if (!waited) {
      waited = true;
      onWait?.(holder.pid);
    }
    await sleep(POLL_MS);
  }
}

function claim(folder, number) {
  const file = join(folder, String(number));
  const holders = [identify(process.pid)];
  try {
    writeFileSync(file, JSON.stringify(holders), { flag: "wx" });
  } catch (error) {
    if (error.code === "EEXIST") return null;
    throw error;
  }
  if (highestNumber(folder) !== number) {
    rmSync(file, { force: true });
    return null;
  }
  for (const older of numbers(folder)) {
    if (older < number) rmSync(join(folder, String(older)), { force: true });
  }
  return {
    release: () => writeFileSync(file, RELEASED),
    include: (pid) => {
      holders.push(identify(pid));
      writeFileSync(file, JSON.stringify(holders));
    },
  };
}

function livingHolder(file) {
  let text;
  try {
    text = readFileSync(file, "utf8");
    if (text === RELEASED) return null;
    return JSON.parse(text).find(isAlive) ?? null;
  } catch (error) {
    if (error.code === "ENOENT") return {};
    if (!(error instanceof SyntaxError)) throw error;
    // The file has been created but not written yet, or its creator was killed in between.
    return Date.now() - modifiedAt(file) > UNREADABLE_GRACE_MS ? null : {};
  }
}

function modifiedAt(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
}

function numbers(folder) {
  return readdirSync(folder)
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function highestNumber(folder) {
  return Math.max(0, ...numbers(folder));
}

function identify(pid) {
  return { pid, started: startOf(pid)?.started };
}

/**
 * Compares `started`, because another process can have the same id after a restart, especially in a container.
 * @param {{ pid: number, started?: string }} process
 */
export function isAlive({ pid, started }) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== "EPERM") return false;
  }
  const now = startOf(pid);
  if (now?.dead) return false;
  return started === undefined || now === null || now.started === started;
}

/** The boot id and the clock tick, or null on systems other than Linux. */
function startOf(pid) {
  if (process.platform !== "linux") return null;
  try {
    // The command name, which comes before these fields, can itself contain spaces and parentheses (proc(5)).
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").pop().split(" ");
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return { started: `${boot}/${fields[19]}`, dead: fields[0] === "Z" };
  } catch {
    return null;
  }
}
