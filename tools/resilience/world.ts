import { join } from "node:path";
import { Client } from "../kit/client.ts";
import { openDatabaseServer } from "../kit/database.ts";
import { type Receiver, startReceiver } from "../kit/receiver.ts";
import { createTenant, type Tenant } from "../kit/run-admin.ts";
import { sql } from "../kit/sql.ts";
import { startApp } from "../kit/start-app.ts";
import type { RunningServer } from "../kit/start-server.ts";
import { formatSeconds, waitFor } from "../kit/waiting.ts";
import { type Ledger, Load } from "./load.ts";
import type { Stage } from "./stage.ts";

const ROOT = join(import.meta.dirname, "..", "..");
/** For the scenarios' PostgreSQL. */
export const DATA = join(ROOT, ".data", "resilience");
const EVENTS_MS = 60_000;

export class World {
  readonly stage: Stage;
  readonly databaseUrl: string;
  /** People also log in to this customer's site. The receiver gets its events. */
  customer: { tenant: Tenant; receiver: Receiver } | undefined;
  /** Of the first process, or the proxy in front of it. */
  origin = "";

  /**
   * Starts the scenarios' own PostgreSQL, with an empty database.
   * @param folder the server's folder; a long scenario has its own, because other scenarios run at the same time
   */
  static async open(stage: Stage, folder = DATA): Promise<World> {
    const server = await openDatabaseServer(folder);
    stage.onEnd(() => server.close());
    return new World(stage, await server.create("resilience"));
  }

  constructor(stage: Stage, databaseUrl: string) {
    this.stage = stage;
    this.databaseUrl = databaseUrl;
  }

  /**
   * Starts a process of the application. The process is stopped when the scenario ends.
   * @param root the clone of the application that is started
   */
  async start(variables: Record<string, string> = {}, root = ROOT): Promise<RunningServer> {
    const ownVariables = {
      DATABASE_URL: this.databaseUrl,
      // With one trusted proxy, each client can have its own IP address.
      TRUSTED_PROXIES: "1",
      RATE_LIMIT_SCALE: "1000",
      // Events can be sent to this machine.
      WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
      LOG_LEVEL: "warn",
    };
    const app = await startApp({ ...ownVariables, ...variables }, { root, optimised: true });
    this.stage.onEnd(() => app.stop("SIGKILL"));
    this.origin ||= app.url;
    return app;
  }

  async startReceiver(port?: number): Promise<Receiver> {
    const receiver = await startReceiver("127.0.0.1", port);
    this.stage.onEnd(() => receiver.close());
    return receiver;
  }

  /** Creates a customer. People then also log in to the customer's site through the hosted API. */
  async addCustomer(root?: string): Promise<Receiver> {
    const receiver = await this.startReceiver();
    const tenant = await createTenant(this.databaseUrl, { mode: "test", webhookUrl: receiver.url, root });
    this.customer = { tenant, receiver };
    return receiver;
  }

  /** Starts people who log in until the load is stopped or the scenario ends. */
  async startLoad(options: Omit<Parameters<typeof Load.start>[0], "origin" | "tenant">): Promise<Load> {
    const load = await Load.start({ origin: this.origin, tenant: this.customer?.tenant, ...options });
    this.stage.onEnd(() => load.stop());
    return load;
  }

  /** Ends a load. Checks that no login has failed, and that the database contains everything that was acknowledged. */
  async checkLoad(load: Load, eventsMs?: number): Promise<void> {
    await load.stop();
    const { signedIn, codesLost, failures } = load.ledger;
    this.stage.say(`requests: ${load.traffic.summary()}; slowest ${formatSeconds(load.traffic.latency(1))}`);
    this.stage.check(
      "no login failed that was tried again",
      failures.length === 0 && signedIn > 0,
      [`${signedIn} signed in, ${codesLost} asked for their code again`, ...failures].join("; "),
    );
    await this.checkDurable(load.ledger, eventsMs);
  }

  async checkDurable(ledger: Ledger, eventsMs = EVENTS_MS): Promise<void> {
    const checks = [
      ...ledger.idsOf("login").map((sid) => ({ path: `/api/svc/check?sid=${sid}`, says: '"authenticated"' })),
      ...ledger.idsOf("fast").map((sid) => ({ path: `/api/checkfast?sid=${sid}`, says: '"status":1' })),
    ];
    const authenticated = await countWhere(checks, async ({ path, says }) =>
      (await new Client(this.origin).send(path)).body.includes(says),
    );
    this.stage.checkAll(
      "every login that was acknowledged to a wallet is authenticated",
      authenticated,
      Math.max(1, checks.length),
    );
    const ids = ledger.acknowledged.map(({ id }) => id);
    const loggedRows = await sql(
      this.databaseUrl,
      "SELECT sid FROM login_event WHERE kind = 'delivered' AND sid = ANY($1)",
      [ids],
    );
    this.stage.checkAll("and is logged once", loggedRows.length, ids.length);
    const browsers = ledger.done.flatMap(({ browser }) => browser ?? []);
    const signedIn = await countWhere(browsers, isSignedIn);
    this.stage.checkAll("every browser that was given a session is signed in", signedIn, browsers.length);
    if (this.customer) await this.#checkEvents(this.customer.receiver, ledger.idsOf("hosted"), eventsMs);
  }

  /** An event that arrives more than once must always have the same id. */
  async #checkEvents({ received }: Receiver, sessions: string[], timeoutMs: number): Promise<void> {
    const bySession = () => Map.groupBy(received, ({ body }) => JSON.parse(body.toString("utf8")).session_id);
    const missing = () => {
      const arrived = bySession();
      return sessions.filter((id) => !arrived.has(id)).length;
    };
    const all = await waitFor(() => missing() === 0, timeoutMs);
    this.stage.check(
      "every event of an acknowledged session is delivered",
      sessions.length > 0 && all !== null,
      `${sessions.length - missing()} of ${sessions.length}, the last after ${formatSeconds(all?.ms ?? null)}`,
    );
    const repeated = [...bySession().values()].filter((events) => events.length > 1);
    this.stage.check(
      "events that arrived more than once kept their webhook-id",
      repeated.every((events) => new Set(events.map(({ headers }) => headers["webhook-id"])).size === 1),
      `${repeated.length} came more than once`,
    );
  }

  checkAlive(...apps: readonly RunningServer[]): void {
    this.stage.check(
      apps.length > 1 ? "the same processes all along" : "the same process all along",
      apps.every(({ process }) => process.exitCode === null),
      `process ${apps.map(({ pid }) => pid).join(", ")}`,
    );
  }

  async count(query: string, values: unknown[] = []): Promise<number> {
    const [row] = await sql<{ count: string }>(this.databaseUrl, query, values);
    return Number(row?.count);
  }
}

export async function isSignedIn(browser: Client): Promise<boolean> {
  const { status, body } = await browser.send("/api/auth/session");
  return status === 200 && body.includes('"user"');
}

export async function countWhere<Item>(
  items: readonly Item[],
  holds: (item: Item) => Promise<boolean>,
): Promise<number> {
  let count = 0;
  for (const item of items) if (await holds(item)) count++;
  return count;
}
