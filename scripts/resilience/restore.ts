import { execFileSync } from "node:child_process";
import { appendFileSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { logIn, registeredWallet } from "../bench/app.ts";
import { Client } from "../kit/client.ts";
import { execute } from "../kit/database.ts";
import { sql } from "../kit/sql.ts";
import { freePort } from "../kit/start-server.ts";
import { seconds, waitFor } from "../kit/waiting.ts";
import { findPostgres, serverUser } from "./cluster/programs.ts";
import { Load } from "./load.ts";
import { Ledger } from "./login.ts";
import { checkPromises } from "./promises-kept.ts";
import type { Scenario, Stage } from "./stage.ts";
import { worldOn } from "./world.ts";

const PASSWORD = "of-a-database-that-lives-for-a-minute";
const RESTORED_MS = 60_000;
const CODES_PER_MINUTE = 120;

export const restore: Scenario = {
  name: "restore",
  title: "a backup taken under load, restored to the moment before a mistake",
  async play(stage) {
    const server = await ArchivingPostgres.start(stage);
    const world = worldOn(stage, server.url);
    let app = await world.start();
    const wallet = await registeredWallet(app.url);
    const load = await Load.start({ origin: app.url, people: 4, fast: 2 });
    await sleep(2_000);
    const began = performance.now();
    server.backUp();
    stage.say(
      `the backup took ${seconds(performance.now() - began)}, ${load.ledger.signedIn} logins meanwhile`,
    );
    await sleep(3_000);

    const endedBefore = new Client(app.url);
    const endedAfter = new Client(app.url);
    await logIn(app.url, wallet, endedBefore);
    await logIn(app.url, wallet, endedAfter);
    const keptToken = endedBefore.copy();
    await endedBefore.signOut();
    const limited = new Client(app.url, "198.51.100.7");
    await limited.expect(200, "/api/svc/qr?mode=login");

    // Everything in it is older than the moment that is asked for after it.
    const before = copyOf(load.ledger);
    const [row] = await sql<{ at: string }>(server.url, "SELECT clock_timestamp()::text AS at");
    const moment = row?.at ?? "";
    // What was under way is answered by then.
    await sleep(3_000);
    const answered = load.ledger.done.length;
    await sleep(3_000);
    const keptAfter = endedAfter.copy();
    await endedAfter.signOut();
    await load.stop();
    const later = load.ledger.done.slice(answered);
    await execute(server.url, "TRUNCATE user_account CASCADE");
    await server.finishLog();
    await app.stop();

    await server.restoreTo(moment);
    stage.say(`restored to ${moment}; ${later.length} logins were made after it`);
    app = await world.start({ PORT: new URL(app.url).port, RATE_LIMIT_SCALE: "1" });
    await checkPromises(stage, { origin: app.url, databaseUrl: server.url, ledger: at(before) });
    const known = await signedIn(later.flatMap(({ browser }) => browser ?? []));
    stage.check(
      "nobody is signed in by what came after it",
      known === 0 && later.length > 0,
      `${known} of ${later.length}`,
    );
    stage.check(
      "a session that was ended before it is over",
      (await signedIn([keptToken])) === 0,
      "signed out",
    );
    stage.check(
      "one that was ended after it is there again",
      (await signedIn([keptAfter])) === 1,
      "signed in",
    );
    await execute(server.url, "DELETE FROM browser_session");
    stage.check("until everybody is signed out", (await signedIn([keptAfter])) === 0, "signed out");
    await checkLimit(stage, app.url);
    await logIn(app.url, wallet, new Client(app.url));
    stage.check("the user from before it signs in", true, "signed in");
  },
};

/** A PostgreSQL of the system that archives its log, in a temporary folder. */
class ArchivingPostgres {
  readonly #folder: string;
  readonly #programs = findPostgres();
  readonly #user = serverUser();
  readonly #port: number;
  #data = "data";

  static async start(stage: Stage): Promise<ArchivingPostgres> {
    const server = new ArchivingPostgres(mkdtempSync(join(tmpdir(), "svc-restore-")), await freePort());
    stage.onEnd(() => rmSync(server.#folder, { recursive: true, force: true }));
    server.#run("initdb", [
      "--username=postgres",
      "--pwfile=password",
      "--auth=scram-sha-256",
      "-E",
      "UTF8",
      "data",
    ]);
    appendFileSync(
      join(server.#folder, "data", "postgresql.conf"),
      [
        `port = ${server.#port}`,
        `unix_socket_directories = '${server.#folder}'`,
        "archive_mode = on",
        `archive_command = 'cp %p ${server.#folder}/archive/%f'`,
        `restore_command = 'cp ${server.#folder}/archive/%f %p'`,
      ].join("\n"),
    );
    stage.onEnd(() => server.#stop());
    server.#start();
    await execute(server.#urlOf("postgres"), "CREATE DATABASE svc_login");
    return server;
  }

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = port;
    mkdirSync(join(folder, "archive"));
    writeFileSync(join(folder, "password"), PASSWORD);
    const user = this.#user;
    if (user)
      for (const path of ["", "archive", "password"]) chownSync(join(folder, path), user.uid, user.gid);
  }

  get url(): string {
    return this.#urlOf("svc_login");
  }

  #urlOf(database: string): string {
    return `postgresql://postgres:${PASSWORD}@127.0.0.1:${this.#port}/${database}`;
  }

  /** Copies the data while it is written. */
  backUp(): void {
    const source = this.#urlOf("postgres");
    this.#run("pg_basebackup", [
      "--dbname",
      source,
      "--pgdata",
      "backup",
      "--wal-method=none",
      "--checkpoint=fast",
    ]);
  }

  /** Archives the log up to now. */
  async finishLog(): Promise<void> {
    const [row] = await sql<{ file: string }>(
      this.#urlOf("postgres"),
      "SELECT pg_walfile_name(pg_switch_wal()) AS file",
    );
    const archived = () =>
      sql(this.#urlOf("postgres"), "SELECT 1 FROM pg_stat_archiver WHERE last_archived_wal >= $1", [
        row?.file,
      ]);
    const done = await waitFor(async () => (await archived()).length > 0, RESTORED_MS);
    if (!done) throw new Error("the log is not archived");
  }

  /** Starts from the backup, in the place of what was there, and takes the log up to a moment. */
  async restoreTo(moment: string): Promise<void> {
    this.#stop();
    this.#data = "backup";
    const settings = `\nrecovery_target_time = '${moment}'\nrecovery_target_action = promote\n`;
    appendFileSync(join(this.#folder, "backup", "postgresql.conf"), settings);
    writeFileSync(join(this.#folder, "backup", "recovery.signal"), "");
    this.#start();
    const question = "SELECT 1 WHERE NOT pg_is_in_recovery()";
    const there = await waitFor(
      () =>
        sql(this.#urlOf("postgres"), question).then(
          ({ length }) => length > 0,
          () => false,
        ),
      RESTORED_MS,
    );
    if (!there) throw new Error("the restored database does not come up");
  }

  #start(): void {
    this.#run("pg_ctl", ["start", "--wait", "--silent", "--pgdata", this.#data, "--log", "log"]);
  }

  #stop(): void {
    this.#run("pg_ctl", ["stop", "--wait", "--silent", "--mode=immediate", "--pgdata", this.#data]);
  }

  #run(program: string, args: string[]): void {
    execFileSync(join(this.#programs, program), args, {
      ...this.#user,
      cwd: this.#folder,
      env: { PATH: process.env.PATH, NODE_ENV: process.env.NODE_ENV, LC_ALL: "C.UTF-8" },
      // A server that goes on running would hold a pipe open.
      stdio: "ignore",
    });
  }
}

type Kept = { logins: string[]; fast: string[]; done: Ledger["done"][number][] };

function copyOf({ logins, fast, done }: Ledger): Kept {
  return { logins: [...logins], fast: [...fast], done: [...done] };
}

/** As it stood then. */
function at({ logins, fast, done }: Kept): Ledger {
  const ledger = new Ledger();
  ledger.logins.push(...logins);
  ledger.fast.push(...fast);
  ledger.done.push(...done);
  return ledger;
}

async function signedIn(browsers: readonly Client[]): Promise<number> {
  const answers = await Promise.all(browsers.map((browser) => browser.send("/api/auth/session")));
  return answers.filter(({ status, body }) => status === 200 && body.includes('"user"')).length;
}

/** Counters that came with the backup are over, and new requests are counted as ever. */
async function checkLimit(stage: Stage, origin: string): Promise<void> {
  const browser = new Client(origin, "198.51.100.7");
  const statuses: number[] = [];
  for (let asked = 0; asked < CODES_PER_MINUTE + 5; asked++) {
    statuses.push((await browser.send("/api/getqrcode?sid=")).status);
  }
  const times = (status: number) => statuses.filter((each) => each === status).length;
  stage.check(
    `an address gets its ${CODES_PER_MINUTE} codes a minute, and no more`,
    times(200) === CODES_PER_MINUTE && times(429) === 5,
    `200 ×${times(200)}, 429 ×${times(429)}`,
  );
}
