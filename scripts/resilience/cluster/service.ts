import { type Receiver, startReceiver } from "#scripts/kit/receiver.ts";
import { sql } from "#scripts/kit/sql.ts";
import type { RunningServer } from "#scripts/kit/start-server.ts";
import { requestCode } from "../../bench/app.ts";
import { Client } from "../../kit/client.ts";
import { TestWallet } from "../../kit/test-wallet.ts";
import { seconds, waitFor } from "../../kit/waiting.ts";
import { Load } from "../load.ts";
import { checkEvents, checkPromises } from "../promises-kept.ts";
import type { Stage } from "../stage.ts";
import { newTenant, type Tenant } from "../tenant.ts";
import { unexpected } from "../unavailable.ts";
import { Watcher } from "../watcher.ts";
import { worldOn } from "../world.ts";
import type { Cluster } from "./cluster.ts";
import { prepareProbe } from "./probe.ts";

const PROCESSES = 2;
const STREAMS = 10;
/** Longer than the cluster needs for a new primary. */
const PATIENCE_MS = 90_000;
const GIVEN_UP_MS = 12_000;
const EVENTS_MS = 60_000;
/** After a long outage a job or a push is not waited for for ever. */
const LOOK_MS = 20_000;

/** A browser that shows a code and listens. */
type Waiting = { browser: Client; sid: string; watcher: Watcher };

/** Processes of the application on a cluster behind its HAProxy, a customer of the hosted API, and people. */
export class Service {
  readonly cluster: Cluster;
  readonly processes: RunningServer[] = [];
  readonly #stage: Stage;
  readonly #receiver: Receiver;
  #tenant: Tenant | undefined;

  static async start(stage: Stage, cluster: Cluster): Promise<Service> {
    const receiver = await startReceiver();
    stage.onEnd(() => receiver.close());
    const service = new Service(stage, cluster, receiver);
    for (let index = 0; index < PROCESSES; index++) service.processes.push(await service.startProcess(index));
    await prepareProbe(cluster);
    service.#tenant = await newTenant(cluster.origin, cluster.databaseUrl, receiver.url);
    return service;
  }

  private constructor(stage: Stage, cluster: Cluster, receiver: Receiver) {
    this.#stage = stage;
    this.cluster = cluster;
    this.#receiver = receiver;
  }

  /** Starts the process at one of HAProxy's two addresses. */
  startProcess(index: number): Promise<RunningServer> {
    const { cluster } = this;
    return worldOn(this.#stage, cluster.poolerUrl ?? cluster.databaseUrl).start({
      DATABASE_DIRECT_URL: cluster.databaseUrl,
      PORT: "3000",
      HOST: cluster.network.own[index] ?? "",
      APP_URL: cluster.origin,
      // The people's own address, and HAProxy's word for them.
      TRUSTED_PROXIES: "2",
      ALLOW_INSECURE_HTTP: "true",
    });
  }

  /** Ends a process as an operator does, and starts another in its place; once more if that fails, as systemd would. */
  async replaceProcess(index: number): Promise<void> {
    await this.processes[index]?.stop("SIGTERM");
    this.processes[index] = await this.startProcess(index).catch(() => this.startProcess(index));
  }

  async stop(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.stop("SIGTERM")));
  }

  /** People who log in by every flow. */
  startLoad(): Promise<Load> {
    return Load.start({
      origin: this.cluster.origin,
      people: 6,
      fast: 3,
      tenant: this.#tenant,
      patienceMs: PATIENCE_MS,
    });
  }

  async openStreams(): Promise<Waiting[]> {
    const open = async () => {
      const browser = new Client(this.cluster.origin);
      const { sid } = await requestCode(browser, "register");
      const watcher = new Watcher(browser, sid);
      await watcher.until('"pending"', 5_000);
      return { browser, sid, watcher };
    };
    return Promise.all(Array.from({ length: STREAMS }, open));
  }

  /**
   * What goes on, each measured from when the cluster took writes again.
   * @param options.from when that was (performance.now())
   */
  async checkGoesOn(
    name: string,
    {
      load,
      streams,
      from,
      limitMs,
    }: { load: Load; streams: readonly Waiting[]; from: number; limitMs: number },
  ): Promise<void> {
    const fromClock = Date.now() - (performance.now() - from);
    const since = (at: number | undefined) => (at === undefined ? null : at - from);
    const login = (flow: string) => async () => {
      const found = await waitFor(
        () => load.ledger.done.find((done) => done.flow === flow && done.at > from) ?? false,
        LOOK_MS,
      );
      return since(found?.value.at);
    };
    const event = async () => {
      const found = await waitFor(
        () => this.#receiver.received.find(({ at }) => at > fromClock) ?? false,
        LOOK_MS,
      );
      return found && found.value.at - fromClock;
    };
    const times = await Promise.all(
      Object.entries({
        login: login("login"),
        hosted: login("hosted"),
        fast: login("fast"),
        event,
        job: async () => since(await this.#runJob()),
        stream: async () => since(await this.#push(streams)),
      }).map(async ([what, measure]) => ({ what, ms: await measure() })),
    );
    this.#stage.check(
      `${name}: logins of all flows, streams, events and jobs go on within ${seconds(limitMs)} of the first write`,
      times.every(({ ms }) => ms !== null && ms <= limitMs),
      times.map(({ what, ms }) => `${what} ${seconds(ms)}`).join(", "),
    );
  }

  /** @returns when a job that was added now, and has nothing to do, has run, by performance.now() */
  async #runJob(): Promise<number | undefined> {
    const { databaseUrl } = this.cluster;
    const added = await waitFor(
      () =>
        sql<{ id: string }>(databaseUrl, "SELECT id FROM graphile_worker.add_job('deliver_event')").catch(
          () => false as const,
        ),
      LOOK_MS,
    );
    const id = added?.value[0]?.id;
    const gone = await waitFor(
      async () =>
        (await sql(databaseUrl, "SELECT 1 FROM graphile_worker.jobs WHERE id = $1", [id])).length === 0,
      LOOK_MS,
    );
    return gone ? performance.now() : undefined;
  }

  /** @returns when a browser that waited all along was told of its login; its code has run out meanwhile */
  async #push(streams: readonly Waiting[]): Promise<number | undefined> {
    const told = await Promise.all(
      streams.map(async ({ browser, sid, watcher }) => {
        const code = await waitFor(async () => {
          const { status, body } = await browser.send(`/api/svc/qr?mode=register&sid=${sid}`);
          return status === 200 && JSON.parse(body).challenge;
        }, LOOK_MS);
        const json = new TestWallet().response(code?.value ?? "");
        await new Client(browser.url).send("/webhook/register", { json });
        // A stream lasts a minute at most; a browser then opens another.
        const open = watcher.ended ? new Watcher(browser, sid) : watcher;
        return (await open.until('"authenticated"', LOOK_MS)) !== null && performance.now();
      }),
    );
    this.#stage.check(
      "every open event stream tells of its login",
      told.every(Boolean),
      `${told.filter(Boolean).length} of ${told.length}`,
    );
    const times = told.filter((at) => at !== false);
    return times.length > 0 ? Math.min(...times) : undefined;
  }

  /** Ends the load; judges its requests, and whether what was acknowledged is there. */
  async checkKept(name: string, load: Load): Promise<void> {
    await load.stop();
    const { ledger, traffic } = load;
    const others = unexpected(traffic);
    this.#stage.say(`requests: ${traffic.summary()}`);
    this.#stage.check(
      `${name}: nothing but 503 with Retry-After`,
      others.length === 0,
      others.length === 0
        ? "none"
        : others
            .slice(0, 8)
            .map(({ path, outcome }) => `${path} ${outcome}`)
            .join(", "),
    );
    const slowest = traffic.latency(1);
    this.#stage.check(
      `${name}: no request waits longer than ${seconds(GIVEN_UP_MS)}`,
      slowest < GIVEN_UP_MS,
      `the slowest ${seconds(slowest)}`,
    );
    this.#stage.check(
      `${name}: no login failed that was tried again`,
      ledger.failures.length === 0,
      [
        `${ledger.signedIn} signed in, ${ledger.codesLost} asked for their code again`,
        ...ledger.failures,
      ].join("; "),
    );
    await checkPromises(this.#stage, {
      origin: this.cluster.origin,
      databaseUrl: this.cluster.databaseUrl,
      ledger,
    });
    await checkEvents(this.#stage, { receiver: this.#receiver, ledger, timeoutMs: EVENTS_MS });
    this.#stage.check(
      `${name}: the same processes all along`,
      this.processes.every(({ process }) => process.exitCode === null),
      this.processes.map(({ pid }) => pid).join(", "),
    );
  }
}
