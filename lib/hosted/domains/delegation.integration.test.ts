import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import type { Customer } from "#e2e/support/customer.ts";
import { startEventWorld } from "#e2e/support/event-world.ts";
import { sql } from "#scripts/kit/sql.ts";

/** When the API looks at delegations (docs/protocol.md#9-delegation); what it finds there is well-known-files.test.ts's. */

/** Allowed, and nobody listens there. */
const ADDRESS = "127.0.0.79";
const SITES = ["one.example.com", "two.example.com", "three.example.com", "four.example.com"];

const world = startEventWorld({
  APP_URL: "https://api.svc.example",
  WEBHOOK_ALLOW_CIDRS: `${ADDRESS}/32`,
});

beforeAll(() => {
  for (const site of SITES) world().dns.names.set(site, { A: [ADDRESS] });
  world().dns.names.set("inside.example.com", { A: ["10.1.2.3"] });
});

const customer = (mode: "live" | "test" = "live") => world().newCustomer({ mode });

async function register(caller: Customer, domain: string) {
  const response = await caller.post("/domains", { domain, webhook_url: "https://hooks.example.com/" });
  expect(response.status).toBe(201);
  return response.json();
}

const shown = async (caller: Customer, id: string) =>
  (await (await caller.get(`/domains/${id}`)).json()).delegation;

test("is unchecked at first; each verification looks, whether it proves the domain or not", async () => {
  const [domain = ""] = SITES;
  const caller = await customer();
  const { id, verification_token } = await register(caller, domain);
  expect(await shown(caller, id)).toEqual({ status: "unchecked", checked_at: null, reason: null });
  const [nobody, inside] = ["the connection was refused", "the host has no public address"];
  for (const [address, TXT, status, reason] of [
    [ADDRESS, [], 422, nobody],
    ["10.1.2.3", [verification_token], 200, inside],
    [ADDRESS, [], 200, nobody],
  ] as const) {
    world().dns.names.set(domain, { A: [address], TXT: [...TXT] });
    expect((await caller.post(`/domains/${id}/verify`)).status).toBe(status);
    const checked_at = expect.stringMatching(/Z$/);
    expect(await shown(caller, id)).toEqual({ status: "missing", checked_at, reason });
  }
});

test("tells the same of a name that leads inside as of one that does not exist, and no address", async () => {
  for (const [caller, status] of [
    [await customer("live"), "missing"],
    [await customer("test"), "unchecked"],
  ] as const) {
    for (const domain of ["inside.example.com", "nowhere.example.com"]) {
      const { id } = await register(caller, domain);
      await caller.post(`/domains/${id}/verify`);
      expect(await shown(caller, id)).toMatchObject({ status, reason: "the host has no public address" });
    }
  }
});

/** Has the application's own worker look, now. */
async function checkDelegations(): Promise<void> {
  const { url } = world().database;
  await sql(url, "SELECT graphile_worker.add_job('check_delegations')");
  const waiting = "SELECT 1 FROM graphile_worker.jobs WHERE task_identifier = 'check_delegations'";
  await expect.poll(() => sql(url, waiting), { timeout: 60_000 }).toEqual([]);
}

test("is looked at daily once a domain is verified, and not sooner", async () => {
  const caller = await customer();
  const ids = await Promise.all(SITES.slice(1).map(async (domain) => (await register(caller, domain)).id));
  const [old, recent, unproved] = ids;
  const age = (id: string, hours: number, verified: boolean) =>
    world().sql(
      `UPDATE domain SET delegation_checked_at = now() - make_interval(hours => $2),
         verified_at = CASE WHEN $3 THEN now() END WHERE id = $1`,
      [id, hours, verified],
    );
  await age(old, 25, true);
  await age(recent, 23, true);
  await age(unproved, 25, false);
  await checkDelegations();
  const states = await Promise.all(ids.map(async (id) => (await shown(caller, id)).status));
  expect(states).toEqual(["missing", "unchecked", "unchecked"]);
});

test("of a tenant's one domain is not kept waiting by another's hundred and twenty", async () => {
  const [many, one] = await Promise.all([customer(), customer()]);
  const insert = (tenantId: string, count: number, ago: string) =>
    world().sql(
      `INSERT INTO domain (id, owner_id, mode, domain, webhook_url, verification_token, verified_at, secret, created_at,
         delegation_checked_at)
       SELECT 'dom_' || gen_random_uuid(), $1, 'live', $2 || '-' || n || '.example.com', 'https://a.example.com/',
         'svc-verify=' || n, now(), '', now(), now() - $4::interval FROM generate_series(1, $3) AS n`,
      [tenantId, `d${randomUUID()}`, count, ago],
    );
  await insert(many.tenantId, 120, "9 days");
  await insert(one.tenantId, 1, "2 days");
  await checkDelegations();
  const stale = await world().sql(
    "SELECT 1 FROM domain WHERE owner_id = $1 AND delegation_checked_at < now() - interval '1 day'",
    [one.tenantId],
  );
  expect(stale).toEqual([]);
});
