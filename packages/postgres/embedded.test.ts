import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { openEmbeddedDatabase } from "./embedded.ts";
import { isPostmasterOf, killPostmaster, readPostmaster } from "./postmaster.ts";

const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;
const MODULE = join(import.meta.dirname, "embedded.ts");

let folder: string;
let root: string;

/** Several tests share this database, because creating one takes longer than the tests themselves. */
const madeFolder = mkdtempSync(join(tmpdir(), "svc made database "));
const dataFolder = join(madeFolder, ".data");

beforeAll(async () => {
  chmodSync(madeFolder, 0o755);
  await (await openEmbeddedDatabase({ root: dataFolder, log: () => {} })).close();
});
afterAll(() => rmSync(madeFolder, { recursive: true }));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "svc database "));
  chmodSync(folder, 0o755);
  root = join(folder, ".data");
});

afterEach(async () => {
  const data = join(root, "postgres");
  if (existsSync(data)) {
    const real = realpathSync(data);
    await killPostmaster(real);
    if (real.startsWith("/var/lib/svc-login/")) rmSync(dirname(real), { recursive: true });
  }
  rmSync(folder, { recursive: true });
});

const open = () => openEmbeddedDatabase({ root, log: () => {} });
const serverOf = () => readPostmaster(realpathSync(join(root, "postgres")));

async function ask(url: string, sql: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query({ text: sql, rowMode: "array" });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

interface OpenedDatabase {
  url: string;
  leave(): Promise<number | null>;
  process: ChildProcess;
}

/**
 * The process leaves when its input ends.
 * @param options.killAfterMs kills the process after this time, possibly before the database is open
 * @throws {Error} with the process's output on stderr
 */
function openElsewhere({
  killAfterMs,
  ...ids
}: {
  uid?: number;
  gid?: number;
  killAfterMs?: number;
} = {}): Promise<OpenedDatabase> {
  const script = `const { openEmbeddedDatabase } = await import(${JSON.stringify(MODULE)});
    const database = await openEmbeddedDatabase({ root: ${JSON.stringify(root)}, log() {} });
    process.stdout.write(database.url);
    process.stdin.resume().once("end", () => database.close());`;
  const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", script];
  const child = spawn(process.execPath, args, ids);
  if (killAfterMs !== undefined) setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  return new Promise((resolve, reject) => {
    let complaint = "";
    child.stderr.on("data", (chunk) => {
      complaint += chunk;
    });
    const exitCode = new Promise<number | null>((done) => child.once("close", done));
    child.stdout.once("data", (line) => {
      const leave = () => {
        child.stdin.end();
        return exitCode;
      };
      resolve({ url: String(line), leave, process: child });
    });
    exitCode.then(() => reject(new Error(complaint)));
  });
}

/** Includes the scripts that will stop the servers. */
function processesOf(path = folder): string[] {
  const { stdout } = spawnSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" });
  return stdout.split("\n").filter((line) => line.includes(path));
}
const untilAllEnd = (path?: string) =>
  expect.poll(() => processesOf(path), { timeout: 30_000, interval: 100 }).toEqual([]);

describe("the embedded database", () => {
  test("is created again if a killed process has left it incomplete", async () => {
    mkdirSync(join(root, "postgres.unfinished", "base"), { recursive: true });
    mkdirSync(join(root, "postgres"));
    const first = await open();
    await ask(first.url, "create table kept as select 42 as answer");
    expect(await ask(first.url, "show fsync")).toBe("on");
    expect(await ask(first.url, "show timezone")).toBe("UTC");
    expect(await ask(first.url, "show search_path")).toBe("public");
    expect(await ask(first.url, "show server_encoding")).toBe("UTF8");
    expect(await ask(first.url, "show listen_addresses")).toBe("127.0.0.1");
    expect(Number(await ask(first.url, "show max_connections"))).toBeGreaterThanOrEqual(100);
    await first.close();
    expect(serverOf()).toBeUndefined();

    const second = await open();
    expect(await ask(second.url, "select answer from kept")).toBe(42);
    await second.close();
  });

  test("requires a password that only its owner can read", async () => {
    root = dataFolder;
    const database = await open();
    const guessed = new URL(database.url);
    guessed.password = "guessed";
    await expect(ask(guessed.href, "select 1")).rejects.toMatchObject({ code: "28P01" });
    expect(statSync(join(root, "postgres-password")).mode & 0o777).toBe(0o600);
    await database.close();
  });

  test("runs one server for all processes that use it, and stops with the last one", async () => {
    const [one, other] = await Promise.all([openElsewhere(), openElsewhere()]);
    expect(one.url).toBe(other.url);
    expect(await one.leave()).toBe(0);
    expect(await ask(other.url, "select 1")).toBe(1);
    expect(await other.leave()).toBe(0);
    expect(serverOf()).toBeUndefined();
  });

  test("stops after the process that started it is killed, unless another process is using it", async () => {
    root = dataFolder;
    const [killed, other] = await Promise.all([openElsewhere(), openElsewhere()]);
    killed.process.kill("SIGKILL");
    await expect
      .poll(() => processesOf(madeFolder).filter((line) => line.includes("svc-login-user")).length)
      .toBe(1);
    expect(await ask(other.url, "select 1")).toBe(1);
    other.process.kill("SIGKILL");
    await untilAllEnd(madeFolder);
  });

  test.each([0, 60, 120, 180, 240, 300, 400, 600])(
    "leaves no process behind if the process that starts it is killed after %i ms",
    async (ms) => {
      root = dataFolder;
      const opening = openElsewhere({ killAfterMs: ms }).then(
        ({ process }) => process.kill("SIGKILL"),
        () => {},
      );
      await opening;
      await untilAllEnd(madeFolder);
      const next = await open();
      expect(await ask(next.url, "select 1")).toBe(1);
      await next.close();
      await untilAllEnd(madeFolder);
    },
  );

  test("is restarted by a process that uses it after it was killed, with all committed data", async () => {
    root = dataFolder;
    const [one, other] = await Promise.all([open(), openElsewhere()]);
    await ask(one.url, "drop table if exists kept");
    await ask(one.url, "create table kept as select 42 as answer");
    const answerOf = (url: string) => ask(url, "select answer from kept").catch(() => "down");
    const users = "select count(*)::int from pg_stat_activity where application_name like 'svc-login-user %'";
    for (let killed = 0; killed < 2; killed++) {
      process.kill(serverOf()?.pid ?? 0, "SIGKILL");
      await expect.poll(() => answerOf(one.url), { timeout: 30_000 }).toBe(42);
      await expect.poll(() => ask(one.url, users), { timeout: 30_000 }).toBe(2);
    }
    const data = realpathSync(join(dataFolder, "postgres"));
    expect(processesOf(madeFolder).filter((line) => line.includes(`-D ${data}`))).toHaveLength(1);
    await one.close();
    expect(await ask(other.url, "select answer from kept")).toBe(42);
    expect(await other.leave()).toBe(0);
    await untilAllEnd(madeFolder);
  });

  test("reports that it is recovering if it was killed together with the only process that used it", async () => {
    root = dataFolder;
    const killed = await openElsewhere();
    const server = serverOf()?.pid ?? 0;
    killed.process.kill("SIGKILL");
    process.kill(server, "SIGKILL");
    await untilAllEnd(madeFolder);
    const printed: string[] = [];
    const log = (message: string) => void printed.push(message);
    for (let start = 0; start < 2; start++) await (await openEmbeddedDatabase({ root, log })).close();
    expect(printed).toEqual([
      "The embedded PostgreSQL was killed, and recovers everything that was committed.",
    ]);
  });

  test("is restarted after it was stopped manually", async () => {
    root = dataFolder;
    const database = await open();
    process.kill(serverOf()?.pid ?? 0, "SIGINT");
    await expect.poll(() => ask(database.url, "select 1").catch(() => "down"), { timeout: 30_000 }).toBe(1);
    await database.close();
  });

  test.each([
    [
      "another process has its old process id",
      (data: string) => `${process.pid}\n${data}\n0\n1\n\n127.0.0.1\n\nready   \n`,
    ],
    ["its postmaster.pid is empty", () => ""],
    ["its postmaster.pid is truncated", () => "\n"],
  ])("starts even if %s", async (_what, text) => {
    root = dataFolder;
    const data = realpathSync(join(root, "postgres"));
    writeFileSync(join(data, "postmaster.pid"), text(data));
    const database = await open();
    expect(isPostmasterOf(data, serverOf()?.pid ?? 0)).toBe(true);
    await database.close();
  });

  test("names the password file if the password is wrong", async () => {
    root = dataFolder;
    const file = join(root, "postgres-password");
    const password = readFileSync(file);
    onTestFinished(() => writeFileSync(file, password));
    writeFileSync(file, "another");
    await expect(open()).rejects.toThrow(/password kept for the embedded database/);
    await untilAllEnd(madeFolder);
  });
});

describe("the embedded database, started as root", () => {
  test("runs as the user nobody, and is stored in the clone if other users can enter the clone", (context) => {
    if (!isRoot) return context.skip("needs root");
    const data = join(dataFolder, "postgres");
    expect(lstatSync(data).isSymbolicLink()).toBe(false);
    expect(statSync(data).uid).toBe(NOBODY);
  });

  test("is stored outside the clone if only root can enter the clone", async (context) => {
    if (!isRoot) return context.skip("needs root");
    chmodSync(folder, 0o700);
    const first = await open();
    const data = readlinkSync(join(root, "postgres"));
    expect(data).toMatch(/^\/var\/lib\/svc-login\/[0-9a-f]+\/data$/);
    await ask(first.url, "create table kept as select 42 as answer");

    const copy = join(folder, "copy of .data");
    mkdirSync(copy);
    symlinkSync(data, join(copy, "postgres"));
    const copied = await openEmbeddedDatabase({ root: copy, log: () => {} });
    const copiedData = readlinkSync(join(copy, "postgres"));
    onTestFinished(async () => {
      await copied.close();
      rmSync(dirname(copiedData), { recursive: true });
    });
    expect(copiedData).not.toBe(data);
    expect(await ask(first.url, "select answer from kept")).toBe(42);

    const orphan = readPostmaster(data)?.pid ?? 0;
    rmSync(root, { recursive: true });
    const second = await open();
    expect(isPostmasterOf(data, orphan)).toBe(false);
    await expect(ask(second.url, "select answer from kept")).rejects.toMatchObject({ code: "42P01" });
    await second.close();
  });
});

describe("the embedded database, started as an ordinary user", () => {
  function othersCanRun(): boolean {
    const check = '[ -r "$1" ] && [ -x "$2" ]';
    const args = ["-c", check, "sh", MODULE, process.execPath];
    return spawnSync("/bin/sh", args, { uid: NOBODY, gid: NOBODY }).status === 0;
  }

  test("runs as that user, even if root uses it too", async (context) => {
    if (!isRoot) return context.skip("needs root, to become another user");
    if (!othersCanRun()) return context.skip("this clone cannot be entered by another user");
    mkdirSync(root);
    chownSync(root, NOBODY, NOBODY);
    const user = await openElsewhere({ uid: NOBODY, gid: NOBODY });
    const database = await open();
    expect(database.url).toBe(user.url);
    await user.leave();
    await database.close();
  });

  test("reports that root created its folder", async (context) => {
    if (!isRoot) return context.skip("needs root, to become another user");
    if (!othersCanRun()) return context.skip("this clone cannot be entered by another user");
    root = dataFolder;
    await expect(openElsewhere({ uid: NOBODY, gid: NOBODY })).rejects.toThrow(
      /another user, perhaps root, made it/,
    );
  });
});
