import { createHmac } from "node:crypto";
import type pg from "pg";
import { afterAll, test as base, beforeAll, expect } from "vitest";
import { z } from "zod";
import type { TestDatabase } from "#tools/kit/database.ts";
import { type ReceivedRequest, type Receiver, startReceiver } from "#tools/kit/receiver.ts";
import { sql } from "#tools/kit/sql.ts";
import { startApp } from "#tools/kit/start-app.ts";
import type { RunningServer } from "#tools/kit/start-server.ts";
import { TestWallet } from "#tools/kit/test-wallet.ts";
import { until } from "#tools/kit/waiting.ts";
import { type Customer, newCustomer, newDomainName } from "./customer.ts";
import { type NameServer, startNameServer } from "./name-server.ts";
import { createMigratedDatabase } from "./test-apps.ts";

/** An event as `GET /deliveries` lists it. */
export type ListedEvent = {
  id: string;
  session_id: string | null;
  url: string;
  status: string;
  next_attempt_at: string;
  attempts: { at: string; status: number | null; error: string | null; answer: string | null }[];
};

/** Gives each attempt of a test a separate receiver, to which no earlier attempt has sent anything. */
export const it = base.extend<{ receiver: Receiver; empty: TestDatabase }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads a fixture's needs from this pattern
  receiver: async ({}, use) => {
    const receiver = await startReceiver();
    await use(receiver);
    await receiver.close();
  },
  /** A database for a process of the test's own, which leaves its data there when it ends. */
  // biome-ignore lint/correctness/noEmptyPattern: as above
  empty: async ({}, use) => {
    const database = await createMigratedDatabase();
    await use(database);
    await database.close();
  },
});

/** Starts an `EventWorld` for the tests of one file, with these variables in addition to its own. */
export function startEventWorld(variables: Record<string, string> = {}): () => EventWorld {
  let world: EventWorld;
  beforeAll(async () => {
    world = await EventWorld.start(variables);
  }, 120_000);
  afterAll(() => world?.close());
  return () => world;
}

/** An application of the test file's own that sends events, and the name server that it asks. */
export class EventWorld {
  readonly dns: NameServer;
  readonly database: TestDatabase;
  readonly app: RunningServer;

  private constructor(dns: NameServer, database: TestDatabase, app: RunningServer) {
    this.dns = dns;
    this.database = database;
    this.app = app;
  }

  static async start(variables: Record<string, string> = {}): Promise<EventWorld> {
    const [dns, database] = await Promise.all([startNameServer(), createMigratedDatabase()]);
    return new EventWorld(dns, database, await startSender(dns, database, variables));
  }

  /** Another process, on the same database or another. */
  startApp(database = this.database, variables: Record<string, string> = {}): Promise<RunningServer> {
    return startSender(this.dns, database, variables);
  }

  /** Runs one statement on the application's database. */
  sql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return sql<Row>(this.database.url, text, values);
  }

  async close(): Promise<void> {
    await this.app.stop();
    await this.database.close();
    this.dns.close();
  }

  newCustomer(options: Parameters<typeof newCustomer>[2] = {}): Promise<Customer> {
    return newCustomer(this.app.url, this.database.url, options);
  }

  /** A customer with its own domain, which counts as verified, whose events go to `path` of a receiver. */
  async customerAt(
    receiver: { url: string },
    path: string,
    place: Pick<EventWorld, "app" | "database"> = this,
  ) {
    const caller = await newCustomer(place.app.url, place.database.url);
    const domain = newDomainName().replace(/example$/, "test");
    const webhookUrl = `${receiver.url}${path}`;
    const added = await caller.registerDomain(place.database.url, { domain, webhookUrl });
    return { caller, domain, domainId: added.id, secret: added.webhook_secret };
  }
}

function startSender(
  { address }: NameServer,
  { url }: TestDatabase,
  variables: Record<string, string>,
): Promise<RunningServer> {
  return startApp({
    DATABASE_URL: url,
    DNS_SERVERS: address,
    WEBHOOK_ALLOW_CIDRS: "127.0.0.1/32,::1/128",
    LOG_LEVEL: "warn",
    RATE_LIMIT_SCALE: "100",
    // No event may go through a proxy; nothing listens there.
    NODE_USE_ENV_PROXY: "1",
    HTTP_PROXY: "http://127.0.0.1:9",
    HTTPS_PROXY: "http://127.0.0.1:9",
    ...variables,
  });
}

/** A whole login of the hosted API; returns the session's id, the wallet's response, and the undo URL. */
export async function logIn(
  caller: Customer,
  domain: string,
  more: { mode?: string; webhook_url?: string } = {},
) {
  const session = await caller.createSession(domain, more);
  const sent = new TestWallet().response(session.challenge);
  const response = await fetch(`${caller.url}/webhook/sessions/${session.id}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(sent),
  });
  expect(response.status).toBe(200);
  const { undo } = z.object({ undo: z.url() }).parse(await response.json());
  return { id: session.id, sent, undo };
}

export async function deliveries(caller: Customer, query = ""): Promise<ListedEvent[]> {
  return (await (await caller.get(`/deliveries${query}`)).json()).deliveries;
}

/** Waits until `ready` is true of the newest event, and returns that event. */
export async function eventually(
  caller: Customer,
  ready: (event: ListedEvent) => boolean,
): Promise<ListedEvent> {
  let newest: ListedEvent | undefined;
  await until(async () => {
    [newest] = await deliveries(caller);
    return newest !== undefined && ready(newest);
  }, 25_000);
  if (!newest) throw new Error("there is no event");
  return newest;
}

/** Waits until so many of the caller's events are delivered. */
export const untilDelivered = (caller: Customer, count: number, timeoutMs: number) =>
  until(async () => (await deliveries(caller, "?status=delivered")).length === count, timeoutMs);

export const isSettled = ({ status }: ListedEvent) => status !== "pending";
export const hasAttempts = (count: number) => (event: ListedEvent) => event.attempts.length >= count;

/** Finds the secret that signed, with a check of Standard Webhooks that shares no code with the application. */
export function standardSigners({ headers, body }: ReceivedRequest, secrets: string[]): string[] {
  const content = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body.toString("utf8")}`;
  const given = (headers["webhook-signature"] ?? "").split(" ");
  return secrets.filter((secret) => {
    const key = Buffer.from(secret.replace("whsec_", ""), "base64");
    return given.includes(`v1,${createHmac("sha256", key).update(content).digest("base64")}`);
  });
}

export const svcSignature = ({ body }: ReceivedRequest, secret: string) =>
  createHmac("sha256", secret).update(body).digest("hex");
