import { createHmac } from "node:crypto";
import type pg from "pg";
import { test as base, expect } from "vitest";
import { z } from "zod";
import type { TestDatabase } from "#tools/kit/database.ts";
import { type ReceivedRequest, type Receiver, startReceiver } from "#tools/kit/receiver.ts";
import { sql } from "#tools/kit/sql.ts";
import { startApp } from "#tools/kit/start-app.ts";
import type { RunningServer } from "#tools/kit/start-server.ts";
import { TestWallet } from "#tools/kit/test-wallet.ts";
import { waitUntil } from "#tools/kit/waiting.ts";
import { type Customer, newCustomer, newDomainName } from "./customer.ts";
import type { AppLocation } from "./shared-apps.ts";
import { createMigratedDatabase, createOwnSenderVariables } from "./test-apps.ts";

export type ListedEvent = {
  id: string;
  session_id: string | null;
  url: string;
  status: string;
  next_attempt_at: string;
  attempts: { at: string; status: number | null; error: string | null; answer: string | null }[];
};

/** A test's second attempt gets no requests from the first one. */
export const it = base.extend<{ receiver: Receiver; empty: TestDatabase }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads a fixture's needs from this pattern
  receiver: async ({}, use) => {
    const receiver = await startReceiver();
    await use(receiver);
    await receiver.close();
  },
  /** Migrated, without rows, for the test's own process. */
  // biome-ignore lint/correctness/noEmptyPattern: as above
  empty: async ({}, use) => {
    const database = await createMigratedDatabase();
    await use(database);
    await database.close();
  },
});

export const startSender = (databaseUrl: string): Promise<RunningServer> =>
  startApp({ ...createOwnSenderVariables(), DATABASE_URL: databaseUrl });

export class EventWorld {
  readonly url: string;
  readonly databaseUrl: string;

  constructor({ url, databaseUrl }: AppLocation) {
    this.url = url;
    this.databaseUrl = databaseUrl;
  }

  sql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return sql<Row>(this.databaseUrl, text, values);
  }

  newCustomer(options: Parameters<typeof newCustomer>[2] = {}): Promise<Customer> {
    return newCustomer(this.url, this.databaseUrl, options);
  }

  /** Returns a customer with a verified domain whose events are sent to `path` on a receiver. */
  async customerAt(receiver: { url: string }, path: string) {
    const caller = await this.newCustomer();
    const domain = newDomainName().replace(/example$/, "test");
    const webhookUrl = `${receiver.url}${path}`;
    const newDomain = await caller.registerDomain(this.databaseUrl, { domain, webhookUrl });
    return { caller, domain, domainId: newDomain.id, secret: newDomain.webhook_secret };
  }
}

/** Performs a complete login with the hosted API. Returns the session's id, the wallet's response, and the undo URL. */
export async function logIn(
  caller: Customer,
  domain: string,
  more: { mode?: string; webhook_url?: string } = {},
) {
  const session = await caller.createSession(domain, more);
  const walletResponse = new TestWallet().response(session.challenge);
  const response = await fetch(`${caller.url}/webhook/sessions/${session.id}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(walletResponse),
  });
  expect(response.status).toBe(200);
  const { undo } = z.object({ undo: z.url() }).parse(await response.json());
  return { id: session.id, sent: walletResponse, undo };
}

export async function listDeliveries(caller: Customer, query = ""): Promise<ListedEvent[]> {
  return (await (await caller.get(`/deliveries${query}`)).json()).deliveries;
}

export async function waitForNewestEvent(
  caller: Customer,
  ready: (event: ListedEvent) => boolean,
): Promise<ListedEvent> {
  let newest: ListedEvent | undefined;
  await waitUntil(async () => {
    [newest] = await listDeliveries(caller);
    return newest !== undefined && ready(newest);
  }, 25_000);
  if (!newest) throw new Error("there is no event");
  return newest;
}

export const waitUntilDelivered = (caller: Customer, count: number, timeoutMs: number) =>
  waitUntil(async () => (await listDeliveries(caller, "?status=delivered")).length === count, timeoutMs);

export const isSettled = ({ status }: ListedEvent) => status !== "pending";
export const hasAttempts = (count: number) => (event: ListedEvent) => event.attempts.length >= count;

/**
 * Returns those secrets with which a request was signed. The function uses an implementation of Standard Webhooks that
 * shares no code with the application.
 */
export function findStandardSigners({ headers, body }: ReceivedRequest, secrets: string[]): string[] {
  const content = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body.toString("utf8")}`;
  const signatures = (headers["webhook-signature"] ?? "").split(" ");
  return secrets.filter((secret) => {
    const key = Buffer.from(secret.replace("whsec_", ""), "base64");
    return signatures.includes(`v1,${createHmac("sha256", key).update(content).digest("base64")}`);
  });
}

export const svcSignature = ({ body }: ReceivedRequest, secret: string) =>
  createHmac("sha256", secret).update(body).digest("hex");
