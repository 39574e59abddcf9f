import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatDelegation } from "@svc/wallet/delegation-file";
import { afterAll, beforeAll, beforeEach, expect, type TestContext, test } from "vitest";
import { createSelfSignedCertificate } from "#e2e/support/certificate.ts";
import { type Customer, newCustomer } from "#e2e/support/customer.ts";
import { createOwnSenderVariables, setNameAnswer, startOwnApp } from "#e2e/support/test-apps.ts";
import { sql } from "#tools/kit/sql.ts";

const ADDRESS = "127.0.0.79";
const API = "api.svc.example";
const SITES = ["one.example.com", "two.example.com", "three.example.com", "four.example.com"];

/** Keyed by site. Sites without a file return 404. */
const published = new Map<string, string>();
const requests: string[] = [];
let listening = true;
const folder = mkdtempSync(join(tmpdir(), "svc-login-delegation-"));
const certificate = createSelfSignedCertificate(SITES);
writeFileSync(join(folder, "ca.pem"), certificate.cert);
const server = createServer(certificate, ({ headers: { host = "" } }, response) => {
  requests.push(host);
  const file = published.get(host);
  const headers = { "Content-Type": "application/json", "Access-Control-Allow-Origin": "*" };
  response.writeHead(file === undefined ? 404 : 200, headers).end(file);
});
const app = startOwnApp({
  ...createOwnSenderVariables(),
  APP_URL: `https://${API}`,
  WEBHOOK_ALLOW_CIDRS: `${ADDRESS}/32`,
  NODE_EXTRA_CA_CERTS: join(folder, "ca.pem"),
});

beforeAll(async () => {
  await once(server.listen(443, ADDRESS), "listening").catch(() => {
    listening = false;
  });
  for (const site of SITES) await setNameAnswer(site, { A: [ADDRESS] });
  await setNameAnswer("inside.example.com", { A: ["10.1.2.3"] });
});
beforeEach(() => {
  published.clear();
  requests.length = 0;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

// Not every user is allowed to listen on port 443.
const needs443 = ({ skip }: TestContext) => skip(!listening, "this user may not listen on port 443");

const customer = (mode: "live" | "test" = "live") => newCustomer(app.url, app.databaseUrl, { mode });

async function register(caller: Customer, domain: string) {
  const response = await caller.post("/domains", { domain, webhook_url: "https://hooks.example.com/" });
  expect(response.status).toBe(201);
  return response.json();
}

const shownDelegation = async (caller: Customer, id: string) =>
  (await (await caller.get(`/domains/${id}`)).json()).delegation;

test("checks a domain's delegation file at each verification, even if the verification fails", async (context) => {
  needs443(context);
  const [domain = ""] = SITES;
  const caller = await customer();
  const { id, verification_token } = await register(caller, domain);
  expect(await shownDelegation(caller, id)).toEqual({ status: "unchecked", checked_at: null, reason: null });

  published.set(domain, formatDelegation(domain, [API]));
  expect((await caller.post(`/domains/${id}/verify`)).status).toBe(422);
  const checked_at = expect.stringMatching(/Z$/);
  expect(await shownDelegation(caller, id)).toEqual({ status: "ok", checked_at, reason: null });

  await setNameAnswer(domain, { A: [ADDRESS], TXT: [verification_token] });
  published.set(domain, formatDelegation("another.example.com", [API]));
  expect((await caller.post(`/domains/${id}/verify`)).status).toBe(200);
  const other = `its "domain" is not ${domain}`;
  expect(await shownDelegation(caller, id)).toMatchObject({ status: "invalid", reason: other });

  published.delete(domain);
  expect((await caller.post(`/domains/${id}/verify`)).status).toBe(200);
  const none = "the answer has status 404 instead of 200";
  expect(await shownDelegation(caller, id)).toMatchObject({ status: "missing", reason: none });
});

test("reports the same error for a domain with a private IP address as for one that does not resolve", async () => {
  for (const [caller, status] of [
    [await customer("live"), "missing"],
    [await customer("test"), "unchecked"],
  ] as const) {
    for (const domain of ["inside.example.com", "nowhere.example.com"]) {
      const { id } = await register(caller, domain);
      await caller.post(`/domains/${id}/verify`);
      expect(await shownDelegation(caller, id)).toMatchObject({
        status,
        reason: "the host has no public address",
      });
    }
  }
});

async function checkDelegations(): Promise<void> {
  await sql(app.databaseUrl, "SELECT graphile_worker.add_job('check_delegations')");
  const findJobs = "SELECT 1 FROM graphile_worker.jobs WHERE task_identifier = 'check_delegations'";
  await expect.poll(() => sql(app.databaseUrl, findJobs), { timeout: 60_000 }).toEqual([]);
}

test("checks a domain's delegation file daily once the domain is verified", async (context) => {
  needs443(context);
  const caller = await customer();
  const ids = await Promise.all(
    SITES.slice(1).map(async (domain) => {
      published.set(domain, formatDelegation(domain, [API]));
      return (await register(caller, domain)).id;
    }),
  );
  const [old, recent, unproved] = ids;
  const age = (id: string, hours: number, verified: boolean) =>
    sql(
      app.databaseUrl,
      `UPDATE domain SET delegation_checked_at = now() - make_interval(hours => $2),
         verified_at = CASE WHEN $3 THEN now() END WHERE id = $1`,
      [id, hours, verified],
    );
  await age(old, 25, true);
  await age(recent, 23, true);
  await age(unproved, 25, false);
  await checkDelegations();
  expect(requests).toEqual([SITES[1]]);
  const states = await Promise.all(ids.map(async (id) => (await shownDelegation(caller, id)).status));
  expect(states).toEqual(["ok", "unchecked", "unchecked"]);
});

test("checks one tenant's domain without waiting for another tenant's 120 domains", async () => {
  const [many, one] = await Promise.all([customer(), customer()]);
  const insert = (tenantId: string, count: number, ago: string) =>
    sql(
      app.databaseUrl,
      `INSERT INTO domain (id, owner_id, mode, domain, webhook_url, verification_token, verified_at, secret, created_at,
         delegation_checked_at)
       SELECT 'dom_' || gen_random_uuid(), $1, 'live', $2 || '-' || n || '.example.com', 'https://a.example.com/',
         'svc-verify=' || n, now(), '', now(), now() - $4::interval FROM generate_series(1, $3) AS n`,
      [tenantId, `d${randomUUID()}`, count, ago],
    );
  await insert(many.tenantId, 120, "9 days");
  await insert(one.tenantId, 1, "2 days");
  await checkDelegations();
  const stale = await sql(
    app.databaseUrl,
    "SELECT 1 FROM domain WHERE owner_id = $1 AND delegation_checked_at < now() - interval '1 day'",
    [one.tenantId],
  );
  expect(stale).toEqual([]);
});
