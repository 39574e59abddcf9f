import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatDelegation } from "@svc/wallet/delegation-file";
import { afterAll, beforeAll, beforeEach, expect, type TestContext, test } from "vitest";
import { selfSignedCertificate } from "#e2e/support/certificate.ts";
import { type Customer, newCustomer } from "#e2e/support/customer.ts";
import { createMigratedDatabase } from "#e2e/support/migrated-database.ts";
import { type NameServer, startNameServer } from "#e2e/support/name-server.ts";
import type { TestDatabase } from "#scripts/kit/database.ts";
import { sql } from "#scripts/kit/sql.ts";
import { startApp } from "#scripts/kit/start-app.ts";
import type { RunningServer } from "#scripts/kit/start-server.ts";

/** What the API sees and shows of delegations (docs/protocol.md#9-delegation): sites of the tests' own, on https. */

const ADDRESS = "127.0.0.79";
const API = "api.svc.example";
const SITES = ["one.example.com", "two.example.com", "three.example.com", "four.example.com"];

let folder: string;
let dns: NameServer;
let database: TestDatabase;
let app: RunningServer;
let server: Server;
let listening = true;
/** What each site publishes; 404 for those that publish nothing. */
const published = new Map<string, string>();
const asked: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "svc-login-delegation-"));
  const certificate = selfSignedCertificate(SITES);
  writeFileSync(join(folder, "ca.pem"), certificate.cert);
  server = createServer(certificate, ({ headers: { host = "" } }, response) => {
    asked.push(host);
    const file = published.get(host);
    const headers = { "Content-Type": "application/json", "Access-Control-Allow-Origin": "*" };
    response.writeHead(file === undefined ? 404 : 200, headers).end(file);
  });
  await once(server.listen(443, ADDRESS), "listening").catch(() => {
    listening = false;
  });
  [dns, database] = await Promise.all([startNameServer(), createMigratedDatabase()]);
  for (const site of SITES) dns.names.set(site, { A: [ADDRESS] });
  dns.names.set("inside.example.com", { A: ["10.1.2.3"] });
  app = await startApp({
    DATABASE_URL: database.url,
    DNS_SERVERS: dns.address,
    APP_URL: `https://${API}`,
    WEBHOOK_ALLOW_CIDRS: `${ADDRESS}/32`,
    NODE_EXTRA_CA_CERTS: join(folder, "ca.pem"),
    LOG_LEVEL: "warn",
    TRUSTED_PROXIES: "1",
  });
}, 120_000);
beforeEach(() => {
  published.clear();
  asked.length = 0;
});
afterAll(async () => {
  await app.stop();
  server.closeAllConnections();
  server.close();
  await database.close();
  dns.close();
  rmSync(folder, { recursive: true });
});

// https on 443 needs a right that not every user has.
const needs443 = ({ skip }: TestContext) => skip(!listening, "this user may not listen on port 443");

async function register(caller: Customer, domain: string) {
  const response = await caller.post("/domains", { domain, webhook_url: "https://hooks.example.com/" });
  expect(response.status).toBe(201);
  return response.json();
}

const shown = async (caller: Customer, id: string) =>
  (await (await caller.get(`/domains/${id}`)).json()).delegation;

test("is unchecked at first; each verification looks, whether it proves the domain or not", async (context) => {
  needs443(context);
  const [domain = ""] = SITES;
  const caller = await newCustomer(app.url, database.url, { mode: "live" });
  const { id, verification_token } = await register(caller, domain);
  expect(await shown(caller, id)).toEqual({ status: "unchecked", checked_at: null, reason: null });

  published.set(domain, formatDelegation(domain, [API]));
  expect((await caller.post(`/domains/${id}/verify`)).status).toBe(422);
  expect(await shown(caller, id)).toEqual({
    status: "ok",
    checked_at: expect.stringMatching(/Z$/),
    reason: null,
  });

  dns.names.set(domain, { A: [ADDRESS], TXT: [verification_token] });
  published.set(domain, formatDelegation("another.example.com", [API]));
  expect((await caller.post(`/domains/${id}/verify`)).status).toBe(200);
  const invalid = await shown(caller, id);
  expect(invalid).toMatchObject({ status: "invalid", reason: `its "domain" is not ${domain}` });

  published.delete(domain);
  expect((await caller.post(`/domains/${id}/verify`)).status).toBe(200);
  expect(await shown(caller, id)).toMatchObject({
    status: "missing",
    reason: "the answer has status 404 instead of 200",
  });
  expect(
    await (await caller.call("PATCH", `/domains/${id}`, { webhook_url: "https://a.example.com/" })).json(),
  ).toMatchObject({ delegation: { status: "missing" } });
});

test("tells the same of a name that leads inside as of one that does not exist, and no address", async () => {
  const caller = await newCustomer(app.url, database.url, { mode: "live" });
  const sandboxed = await newCustomer(app.url, database.url, { mode: "test" });
  for (const domain of ["inside.example.com", "nowhere.example.com"]) {
    for (const [customer, status] of [
      [caller, "missing"],
      [sandboxed, "unchecked"],
    ] as const) {
      const { id } = await register(customer, domain);
      await customer.post(`/domains/${id}/verify`);
      expect(await shown(customer, id)).toMatchObject({ status, reason: "the host has no public address" });
    }
  }
});

/** Has the application's own worker look, now. */
async function checkDelegations(): Promise<void> {
  await sql(database.url, "SELECT graphile_worker.add_job('check_delegations')");
  const waiting = "SELECT 1 FROM graphile_worker.jobs WHERE task_identifier = 'check_delegations'";
  while ((await sql(database.url, waiting)).length > 0)
    await new Promise((resolve) => setTimeout(resolve, 50));
}

test("is looked at daily once a domain is verified, and not sooner", async (context) => {
  needs443(context);
  const caller = await newCustomer(app.url, database.url, { mode: "live" });
  const ids = await Promise.all(
    SITES.slice(1).map(async (domain) => {
      const { id } = await register(caller, domain);
      published.set(domain, formatDelegation(domain, [API]));
      return id;
    }),
  );
  const [old, recent, unproved] = ids;
  const age = (id: string, hours: number, verified: boolean) =>
    sql(
      database.url,
      `UPDATE domain SET delegation_checked_at = now() - make_interval(hours => $2),
         verified_at = CASE WHEN $3 THEN now() END WHERE id = $1`,
      [id, hours, verified],
    );
  await age(old, 25, true);
  await age(recent, 23, true);
  await age(unproved, 25, false);
  await checkDelegations();
  expect(asked).toEqual([SITES[1]]);
  const states = await Promise.all(ids.map(async (id) => (await shown(caller, id)).status));
  expect(states).toEqual(["ok", "unchecked", "unchecked"]);
});

test("of a tenant's one domain is not kept waiting by another's hundred and twenty", async () => {
  const [many, one] = await Promise.all([
    newCustomer(app.url, database.url, { mode: "live" }),
    newCustomer(app.url, database.url, { mode: "live" }),
  ]);
  const insert = (tenantId: string, count: number, ago: string) =>
    sql(
      database.url,
      `INSERT INTO domain (id, owner_id, mode, domain, webhook_url, verification_token, verified_at, secret, created_at,
         delegation_checked_at)
       SELECT 'dom_' || gen_random_uuid(), $1, 'live', $2 || '-' || n || '.example.com', 'https://a.example.com/',
         'svc-verify=' || n, now(), '', now(), now() - $4::interval FROM generate_series(1, $3) AS n`,
      [tenantId, `d${randomUUID()}`, count, ago],
    );
  await insert(many.tenantId, 120, "9 days");
  await insert(one.tenantId, 1, "2 days");
  await checkDelegations();
  const stale = await sql<{ owner_id: string }>(
    database.url,
    "SELECT owner_id FROM domain WHERE owner_id = ANY($1::uuid[]) AND delegation_checked_at < now() - interval '1 day'",
    [[many.tenantId, one.tenantId]],
  );
  expect(stale.map(({ owner_id }) => owner_id)).not.toContain(one.tenantId);
});
