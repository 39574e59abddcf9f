import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "../kit/client.ts";
import { execute } from "../kit/database.ts";
import { logIn, registerWallet } from "../kit/login.ts";
import { sql } from "../kit/sql.ts";
import { findFreePort } from "../kit/start-server.ts";
import { formatSeconds, waitFor } from "../kit/waiting.ts";
import { changeOwner, findPostgres, findServerUser, serverEnvironment } from "./programs.ts";
import { type Scenario, type Stage, tally } from "./stage.ts";
import { countWhere, isSignedIn, World } from "./world.ts";

const PASSWORD = "of-a-database-that-lives-for-a-minute";
const RESTORED_MS = 60_000;
const ADDRESS = "198.51.100.7";
const CODES_PER_MINUTE = 120;

export const restoreScenario: Scenario = {
  name: "restore",
  title: "a backup taken under load, restored to the moment before a mistake",
  async play(stage) {
    const server = await ArchivingPostgres.start(stage);
    const world = new World(stage, server.url);
    const app = await world.start();
    const wallet = await registerWallet(app.url);
    const load = await world.startLoad({ people: 4, fast: 2 });
    await sleep(2_000);
    const began = performance.now();
    server.backUp();
    stage.say(
      `the backup took ${formatSeconds(performance.now() - began)}, ${load.ledger.signedIn} logins meanwhile`,
    );
    await sleep(3_000);

    const endedBefore = new Client(app.url);
    const endedAfter = new Client(app.url);
    await logIn(app.url, wallet, endedBefore);
    await logIn(app.url, wallet, endedAfter);
    const keptToken = endedBefore.copy();
    await endedBefore.signOut();
    await new Client(app.url, ADDRESS).expect(200, "/api/svc/qr?mode=login");

    // Copied before that moment, so all of its data must be restored.
    const expectedLedger = load.ledger.copy();
    const [row] = await sql<{ at: string }>(server.url, "SELECT clock_timestamp()::text AS at");
    const moment = row?.at ?? "";
    // By now, the requests that were in progress at the moment to restore have been answered.
    await sleep(3_000);
    const answeredCount = load.ledger.signedIn;
    await sleep(3_000);
    const keptAfter = endedAfter.copy();
    await endedAfter.signOut();
    await load.stop();
    const later = load.ledger.done.slice(answeredCount);
    await execute(server.url, "TRUNCATE user_account CASCADE");
    await server.finishLog();
    await app.stop();

    await server.restoreTo(moment);
    stage.say(`restored to ${moment}; ${later.length} logins were made after it`);
    await world.start({ PORT: new URL(app.url).port, RATE_LIMIT_SCALE: "1" });
    await world.checkDurable(expectedLedger);
    const presentCount = await countWhere(
      later.flatMap(({ browser }) => browser ?? []),
      isSignedIn,
    );
    stage.check(
      "nobody is signed in by what came after it",
      presentCount === 0 && later.length > 0,
      `${presentCount} of ${later.length}`,
    );
    const checkSession = async (claim: string, browser: Client, expected: boolean) => {
      const found = await isSignedIn(browser);
      stage.check(claim, found === expected, found ? "signed in" : "signed out");
    };
    await checkSession("a session that was ended before it is over", keptToken, false);
    await checkSession("one that was ended after it is there again", keptAfter, true);
    await execute(server.url, "DELETE FROM browser_session");
    await checkSession("until everybody is signed out", keptAfter, false);
    // The restored counters belong to earlier minutes, so new requests are counted from the beginning.
    const requests = Array.from({ length: CODES_PER_MINUTE + 5 }, () =>
      new Client(app.url, ADDRESS).send("/api/getqrcode?sid="),
    );
    const seen = tally((await Promise.all(requests)).map(({ status }) => status));
    const expected = `200 ×${CODES_PER_MINUTE}, 429 ×5`;
    stage.check("an address gets its codes of a minute, and no more", seen === expected, seen);
    const browser = new Client(app.url);
    await logIn(app.url, wallet, browser);
    await checkSession("the user from before it signs in", browser, true);
  },
};

class ArchivingPostgres {
  readonly #folder = mkdtempSync(join(tmpdir(), "svc-restore-"));
  readonly #programs = findPostgres();
  readonly #user = findServerUser();
  readonly #port: number;
  #data = "data";

  static async start(stage: Stage): Promise<ArchivingPostgres> {
    const server = new ArchivingPostgres(await findFreePort());
    stage.onEnd(() => rmSync(server.#folder, { recursive: true, force: true }));
    server.#make();
    stage.onEnd(() => server.#stop());
    server.#start();
    await execute(server.#urlOf("postgres"), "CREATE DATABASE svc_login");
    return server;
  }

  private constructor(port: number) {
    this.#port = port;
  }

  #make(): void {
    const folder = this.#folder;
    mkdirSync(join(folder, "archive"));
    writeFileSync(join(folder, "password"), PASSWORD);
    if (this.#user) changeOwner(this.#user, folder);
    this.#run("initdb", "--username=postgres --pwfile=password --auth=scram-sha-256 -E UTF8 data");
    this.#configure(
      `port = ${this.#port}`,
      `unix_socket_directories = '${folder}'`,
      "archive_mode = on",
      `archive_command = 'cp %p ${folder}/archive/%f'`,
      `restore_command = 'cp ${folder}/archive/%f %p'`,
    );
  }

  get url(): string {
    return this.#urlOf("svc_login");
  }

  #urlOf(database: string): string {
    return `postgresql://postgres:${PASSWORD}@127.0.0.1:${this.#port}/${database}`;
  }

  backUp(): void {
    const source = this.#urlOf("postgres");
    this.#run("pg_basebackup", `--dbname ${source} --pgdata backup --wal-method=none --checkpoint=fast`);
  }

  async finishLog(): Promise<void> {
    const url = this.#urlOf("postgres");
    const [row] = await sql<{ file: string }>(url, "SELECT pg_walfile_name(pg_switch_wal()) AS file");
    const archivedCheck = "SELECT 1 FROM pg_stat_archiver WHERE last_archived_wal >= $1";
    const done = await waitFor(
      async () => (await sql(url, archivedCheck, [row?.file])).length > 0,
      RESTORED_MS,
    );
    if (!done) throw new Error("the log is not archived");
  }

  /** Replays the log up to a moment. */
  async restoreTo(moment: string): Promise<void> {
    this.#stop();
    this.#data = "backup";
    this.#configure("", `recovery_target_time = '${moment}'`, "recovery_target_action = promote", "");
    writeFileSync(join(this.#folder, "backup", "recovery.signal"), "");
    this.#start();
    const recovered = () =>
      sql(this.#urlOf("postgres"), "SELECT 1 WHERE NOT pg_is_in_recovery()").then(
        ({ length }) => length > 0,
        () => false,
      );
    if (!(await waitFor(recovered, RESTORED_MS))) throw new Error("the restored database does not come up");
  }

  #configure(...lines: string[]): void {
    appendFileSync(join(this.#folder, this.#data, "postgresql.conf"), lines.join("\n"));
  }

  #start(): void {
    this.#run("pg_ctl", `start --wait --silent --pgdata ${this.#data} --log log`);
  }

  #stop(): void {
    this.#run("pg_ctl", `stop --wait --silent --mode=immediate --pgdata ${this.#data}`);
  }

  #run(program: string, args: string): void {
    execFileSync(join(this.#programs, program), args.split(" "), {
      ...this.#user,
      cwd: this.#folder,
      env: serverEnvironment(),
      // The server keeps running, so it would keep a pipe open.
      stdio: "ignore",
    });
  }
}
