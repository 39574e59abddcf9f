import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { Client } from "../../kit/client.ts";
import { execute } from "../../kit/database.ts";
import { requestCode } from "../../kit/login.ts";
import { sql } from "../../kit/sql.ts";
import type { RunningServer } from "../../kit/start-server.ts";
import { TestWallet } from "../../kit/test-wallet.ts";
import { formatSeconds, waitFor } from "../../kit/waiting.ts";
import { openWaitingBrowser, type WaitingBrowser, Watcher } from "../../kit/watcher.ts";
import type { FlowName, Load } from "../load.ts";
import type { Stage } from "../stage.ts";
import { World } from "../world.ts";
import type { Cluster } from "./cluster.ts";
import type { Machine } from "./machines.ts";

const STREAMS = 10;
/** How long people wait for a login. This is longer than the cluster needs to get a new primary. */
const PATIENCE_MS = 90_000;
const GIVEN_UP_MS = 12_000;
/** After the cluster has acknowledged a write again. */
const GOES_ON_MS = 2_000;
const PROBE_PAUSE_MS = 50;
const PROBE_CONNECT_MS = 500;
/**
 * Long, because a write that waits for a standby is answered as soon as a standby follows. A second write would be
 * answered later.
 */
const PROBE_ANSWER_MS = 15_000;
const NO_WRITE_MS = 120_000;
const LOOK_MS = 20_000;

export class Service extends World {
  readonly cluster: Cluster;
  readonly processes: RunningServer[] = [];

  static async startOn(cluster: Cluster, stage: Stage): Promise<Service> {
    const service = new Service(stage, cluster);
    for (const place of [0, 1]) service.processes[place] = await service.#startProcess(place);
    await execute(
      cluster.databaseUrl,
      "CREATE SCHEMA probe",
      "CREATE TABLE probe.write (at timestamptz NOT NULL DEFAULT now())",
    );
    await service.addCustomer();
    return service;
  }

  private constructor(stage: Stage, cluster: Cluster) {
    super(stage, cluster.databaseUrl);
    this.cluster = cluster;
    this.origin = cluster.origin;
  }

  /** HAProxy expects a process at each of the two IP addresses. */
  #startProcess(place: number): Promise<RunningServer> {
    const { poolerUrl, databaseUrl, network, origin } = this.cluster;
    return this.start({
      DATABASE_URL: poolerUrl ?? databaseUrl,
      DATABASE_DIRECT_URL: databaseUrl,
      PORT: "3000",
      HOST: network.own[place] ?? "",
      APP_URL: origin,
      // HAProxy is one of the two proxies. The test clients count as the other, because they claim to forward requests
      // from people's IP addresses.
      TRUSTED_PROXIES: "2",
      ALLOW_INSECURE_HTTP: "true",
    });
  }

  /** Returns performance.now(). Asks all machines except one directly, without HAProxy and the application. */
  async firstWrite(except: Machine): Promise<number> {
    const { cluster } = this;
    const until = performance.now() + NO_WRITE_MS;
    let first: number | null = null;
    const ask = async (machine: Machine): Promise<void> => {
      while (first === null && performance.now() < until) {
        if (await writes(cluster.urlOf(machine))) first ??= performance.now();
        else await sleep(PROBE_PAUSE_MS);
      }
    };
    await Promise.race(cluster.machines.filter((machine) => machine !== except).map(ask));
    if (first === null) throw new Error(`no write within ${formatSeconds(NO_WRITE_MS)}${cluster.logs()}`);
    return first;
  }

  startPeople(): Promise<Load> {
    return this.startLoad({ people: 6, fast: 3, patienceMs: PATIENCE_MS });
  }

  openStreams(): Promise<WaitingBrowser[]> {
    const open = () => openWaitingBrowser(new Client(this.cluster.origin), "register");
    return Promise.all(Array.from({ length: STREAMS }, open));
  }

  /**
   * Checks how soon logins, events, jobs and streams work again.
   * @param from when the cluster started to accept writes (performance.now())
   */
  async checkContinues(
    name: string,
    load: Load,
    streams: readonly WaitingBrowser[],
    from: number,
  ): Promise<void> {
    const { received } = this.customer?.receiver ?? { received: [] };
    const fromClock = Date.now() - (performance.now() - from);
    const login = async (flow: FlowName) => {
      const found = await waitFor(
        () => load.ledger.done.find((done) => done.flow === flow && done.at > from) ?? false,
        LOOK_MS,
      );
      return found && found.value.at - from;
    };
    const event = async () => {
      const found = await waitFor(() => received.find(({ at }) => at > fromClock) ?? false, LOOK_MS);
      return found && found.value.at - fromClock;
    };
    const measures = {
      login: login("login"),
      hosted: login("hosted"),
      fast: login("fast"),
      event: event(),
      job: this.#runJob().then((at) => at && at - from),
      stream: this.#push(streams).then((at) => at && at - from),
    };
    const times = await Promise.all(
      Object.entries(measures).map(async ([what, measured]) => ({ what, ms: await measured })),
    );
    this.stage.check(
      `${name}: logins of all flows, streams, events and jobs go on within ${formatSeconds(GOES_ON_MS)} of the first write`,
      times.every(({ ms }) => ms !== null && ms <= GOES_ON_MS),
      times.map(({ what, ms }) => `${what} ${formatSeconds(ms)}`).join(", "),
    );
  }

  /**
   * Adds a job that does nothing.
   * @returns when the job ran (performance.now()), or null if it did not run in time
   */
  async #runJob(): Promise<number | null> {
    const { databaseUrl } = this;
    const ask = (text: string, values: unknown[] = []) => sql<{ id: string }>(databaseUrl, text, values);
    const add = "SELECT id FROM graphile_worker.add_job('deliver_event')";
    const added = await waitFor(() => ask(add).catch(() => false as const), LOOK_MS);
    const values = [added?.value[0]?.id];
    const jobQuery = "SELECT id FROM graphile_worker.jobs WHERE id = $1";
    const jobGone = await waitFor(async () => (await ask(jobQuery, values)).length === 0, LOOK_MS);
    return jobGone && performance.now();
  }

  /** @returns when the first browser was notified, or null if none was */
  async #push(streams: readonly WaitingBrowser[]): Promise<number | null> {
    const notified = await Promise.all(
      streams.map(async ({ browser, sid, watcher }) => {
        const code = await waitFor(
          () => requestCode(browser, "register", sid).catch(() => false as const),
          LOOK_MS,
        );
        const json = new TestWallet().response(code?.value.challenge ?? "");
        await new Client(browser.url).send("/webhook/register", { json });
        // An event stream lasts a minute at most. After that, the browser opens a new one.
        const open = watcher.ended ? new Watcher(browser, sid) : watcher;
        return open.waitForMessage('"authenticated"', LOOK_MS);
      }),
    );
    const times = notified.filter((at) => at !== null);
    this.stage.checkAll("every open event stream tells of its login", times.length, notified.length);
    return times.length > 0 ? Math.min(...times) : null;
  }

  /**
   * Ends the load. Checks the results of its requests, and that the database contains everything that was acknowledged.
   */
  async checkPeople(name: string, load: Load): Promise<void> {
    await load.stop();
    this.stage.checkNone(`${name}: nothing but 503 with Retry-After`, load.traffic.unexpected());
    this.stage.checkWithin(`${name}: every request is answered`, load.traffic.latency(1), GIVEN_UP_MS);
    await this.checkLoad(load);
    this.checkAlive(...this.processes);
  }
}

async function writes(connectionString: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: PROBE_CONNECT_MS,
    query_timeout: PROBE_ANSWER_MS,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("INSERT INTO probe.write DEFAULT VALUES");
    return true;
  } catch {
    return false;
  } finally {
    client.end().catch(() => {});
  }
}
