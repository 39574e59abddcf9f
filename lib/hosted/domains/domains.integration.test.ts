import { randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Customer } from "#e2e/support/customer.ts";
import { startEventWorld } from "#e2e/support/event-world.ts";
import type { NameAnswer } from "#e2e/support/name-server.ts";
import { sql } from "#scripts/kit/sql.ts";

/**
 * Domains of the hosted API (docs/protocol.md#54-domains) with a name server of the tests' own, beside what the
 * conformance kit asks (section 5.4).
 */

/** Allowed, and nobody listens there. */
const ADDRESS = "127.0.0.79";

const world = startEventWorld({ WEBHOOK_ALLOW_CIDRS: `${ADDRESS}/32` });

const customer = (mode: "live" | "test" = "live") => world().newCustomer({ mode });
const answersOf = (name: string, answers: NameAnswer) => world().dns.names.set(name, answers);

let count = 0;
const newDomain = () => `shop-${++count}.example.com`;

async function register(caller: Customer, domain = newDomain(), webhook_url = `https://${domain}/events`) {
  const response = await caller.post("/domains", { domain, webhook_url });
  expect(response.status).toBe(201);
  return response.json();
}

async function errorOf(response: Response) {
  const { error } = await response.json();
  return { status: response.status, code: error.code, details: error.details, message: error.message };
}

describe("POST /domains", () => {
  it("409 for all but one of the same registration at once", async () => {
    const caller = await customer();
    const body = { domain: newDomain(), webhook_url: "https://a.example.com/" };
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async () => (await caller.post("/domains", body)).status),
    );
    expect(statuses.sort()).toEqual([201, ...Array(7).fill(409)]);
  });
});

describe("the service's own host name", () => {
  it("is registered by the operator alone, in either mode; localhost is nobody's own", async () => {
    const own = await world().startApp(undefined, {
      APP_URL: "https://login.service.example",
      WEBHOOK_ALLOW_CIDRS: "",
    });
    onTestFinished(() => own.stop());
    const body = { domain: "Login.Service.Example.", webhook_url: "https://hooks.example.com/" };
    const operator = await operatorId();
    for (const mode of ["live", "test"] as const) {
      const stranger = (await customer(mode)).at(own.url);
      const refused = await errorOf(await stranger.post("/domains", body));
      expect(refused).toMatchObject({ status: 400, code: "invalid_request" });
      expect(refused.details.fields).toHaveProperty("domain");
      expect((await (await stranger.get("/domains")).json()).domains).toEqual([]);
      await register(stranger, "sub.login.service.example");
      const theirs = (await world().newCustomer({ mode, tenantId: operator })).at(own.url);
      const { id } = await register(theirs, body.domain, body.webhook_url);
      expect(await (await theirs.get(`/domains/${id}`)).json()).toMatchObject({
        delegation: { status: "ok", reason: null },
      });
    }
    await register(await customer("test"), "localhost", body.webhook_url);
  });

  /** The tenant that the operator's command line makes keys for. */
  async function operatorId(): Promise<string> {
    const rows = await world().sql<{
      id: string;
    }>(`INSERT INTO owner (id, name, created_at) VALUES (gen_random_uuid(), 'operator', now())
       ON CONFLICT (name) DO UPDATE SET name = EXCLUDED.name RETURNING id::text`);
    return rows[0]?.id ?? "";
  }
});

describe("POST /domains/{id}/verify", () => {
  it("200: by a TXT record of the domain, its parts joined, among others", async () => {
    const caller = await customer();
    const { id, domain, verification_token: token } = await register(caller);
    answersOf(domain, { TXT: ["v=spf1 -all", [token.slice(0, 10), token.slice(10)]] });
    const response = await caller.post(`/domains/${id}/verify`);
    expect(response.status).toBe(200);
    const answer = await response.json();
    expect(answer).toEqual({ id, domain, verified: true, verified_at: expect.stringMatching(/Z$/) });

    const { dns } = world();
    dns.names.delete(domain);
    dns.questions.length = 0;
    expect(await (await caller.post(`/domains/${id}/verify`)).json()).toEqual(answer);
    expect(dns.questions.filter((question) => question.startsWith("TXT"))).toEqual([]);
    expect(await (await caller.get(`/domains/${id}`)).json()).toMatchObject({
      verified: true,
      verified_at: answer.verified_at,
    });
  });

  it("200: by a TXT record of _svc-challenge, though the domain itself does not resolve", async () => {
    const caller = await customer();
    const { id, domain, verification_token: token } = await register(caller);
    answersOf(domain, "SERVFAIL");
    answersOf(`_svc-challenge.${domain}`, { TXT: [token] });
    expect((await caller.post(`/domains/${id}/verify`)).status).toBe(200);
  });

  it("422: says where it looked and what it found, and asks no private address", async () => {
    const caller = await customer();
    const { id, domain, verification_token: token } = await register(caller);
    const other = await register(caller);
    const tokens = [`${token}x`, ...[2, 3, 4, 5].map((n) => `svc-verify=${n}`)];
    const more = ["svc-verify=6", "svc-verify=7"];
    answersOf(domain, { A: ["127.0.0.1"], TXT: ["v=spf1 -all", ...tokens, ...more, "new\nline"] });
    answersOf(`_svc-challenge.${domain}`, { TXT: [other.verification_token] });
    const { status, code, details } = await errorOf(await caller.post(`/domains/${id}/verify`));
    expect({ status, code }).toEqual({ status: 422, code: "domain_verification_failed" });
    const shown = tokens.map((each) => `"${each}"`).join(", ");
    expect(details).toEqual({
      domain,
      expected: token,
      checked: [
        {
          looked_at: `TXT ${domain}`,
          found: `${shown}, 2 more beginning with svc-verify=, 2 other records`,
        },
        { looked_at: `TXT _svc-challenge.${domain}`, found: `"${other.verification_token}"` },
        {
          looked_at: `https://${domain}/.well-known/svc-challenge.txt`,
          found: "the host has no public address",
        },
      ],
    });
    expect(await (await caller.get(`/domains/${id}`)).json()).toMatchObject({
      verified: false,
      verified_at: null,
    });
  });

  it("422: with a finding, not a fault, when the name servers fail or are silent", async () => {
    const caller = await customer();
    const { id, domain } = await register(caller);
    answersOf(domain, "SERVFAIL");
    answersOf(`_svc-challenge.${domain}`, "silence");
    const { status, details } = await errorOf(await caller.post(`/domains/${id}/verify`));
    expect(status).toBe(422);
    const found = details.checked.map((finding: { found: string }) => finding.found);
    expect(found[0]).toContain("answered with a failure");
    expect(found[1]).toContain("did not answer in time");
    expect(found[2]).toContain("answered with a failure");
  });

  it("422: for everyone but the owner who proved a live domain first, and tells nothing of that one", async () => {
    const domain = newDomain();
    const owners = await Promise.all(Array.from({ length: 4 }, () => customer()));
    const registered = await Promise.all(
      owners.map(async (owner) => ({ owner, ...(await register(owner, domain)) })),
    );
    answersOf(domain, { TXT: registered.map(({ verification_token }) => verification_token) });
    const answers = await Promise.all(registered.map(({ owner, id }) => owner.post(`/domains/${id}/verify`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
    const holder = registered[answers.findIndex(({ status }) => status === 200)];
    const others = registered.filter(({ id }) => id !== holder?.id);
    for (const { owner, id } of others) {
      const { status, code, message, details } = await errorOf(await owner.post(`/domains/${id}/verify`));
      expect({ status, code }).toEqual({ status: 422, code: "domain_verification_failed" });
      expect(message).toContain("another account");
      expect(message + JSON.stringify(details)).not.toContain(holder?.id);
      expect(message + JSON.stringify(details)).not.toContain(holder?.owner.tenantId);
    }
    // In the sandbox everybody has a world of their own.
    const test = await customer("test");
    const sandboxed = await register(test, domain);
    answersOf(domain, {
      TXT: [sandboxed.verification_token, ...others.map((other) => other.verification_token)],
    });
    expect((await test.post(`/domains/${sandboxed.id}/verify`)).status).toBe(200);
    // Once the holder lets go of it, it is free.
    expect((await holder?.owner.call("DELETE", `/domains/${holder.id}`))?.status).toBe(204);
    expect((await others[0]?.owner.post(`/domains/${others[0].id}/verify`))?.status).toBe(200);
  });
});

/** When it is looked at, and how it is shown; what is found is well-known-files.test.ts's. */
describe("a domain's delegation (docs/protocol.md#9-delegation)", () => {
  const shown = async (caller: Customer, id: string) =>
    (await (await caller.get(`/domains/${id}`)).json()).delegation;

  /** Has the application's own worker look, now. */
  async function checkDelegations(): Promise<void> {
    const { url } = world().database;
    await sql(url, "SELECT graphile_worker.add_job('check_delegations')");
    const waiting = "SELECT 1 FROM graphile_worker.jobs WHERE task_identifier = 'check_delegations'";
    await expect.poll(() => sql(url, waiting), { timeout: 60_000 }).toEqual([]);
  }

  it("is unchecked at first; each verification looks, whether it proves the domain or not", async () => {
    const caller = await customer();
    const { id, domain, verification_token } = await register(caller);
    expect(await shown(caller, id)).toEqual({ status: "unchecked", checked_at: null, reason: null });
    const [nobody, inside] = ["the connection was refused", "the host has no public address"];
    for (const [address, TXT, status, reason] of [
      [ADDRESS, [], 422, nobody],
      ["10.1.2.3", [verification_token], 200, inside],
      [ADDRESS, [], 200, nobody],
    ] as const) {
      answersOf(domain, { A: [address], TXT: [...TXT] });
      expect((await caller.post(`/domains/${id}/verify`)).status).toBe(status);
      const checked_at = expect.stringMatching(/Z$/);
      expect(await shown(caller, id)).toEqual({ status: "missing", checked_at, reason });
    }
  });

  it("tells the same of a name that leads inside as of one that does not exist, and no address", async () => {
    for (const [mode, status] of [
      ["live", "missing"],
      ["test", "unchecked"],
    ] as const) {
      const caller = await customer(mode);
      for (const answers of [{ A: ["10.1.2.3"] }, "NXDOMAIN"] satisfies NameAnswer[]) {
        const { id, domain } = await register(caller);
        answersOf(domain, answers);
        await caller.post(`/domains/${id}/verify`);
        expect(await shown(caller, id)).toMatchObject({ status, reason: "the host has no public address" });
      }
    }
  });

  it("is looked at daily once a domain is verified, and not sooner", async () => {
    const caller = await customer();
    const ids: string[] = [];
    for (const [hours, verified] of [
      [25, true],
      [23, true],
      [25, false],
    ] as const) {
      const { id } = await register(caller);
      await world().sql(
        `UPDATE domain SET delegation_checked_at = now() - make_interval(hours => $2),
           verified_at = CASE WHEN $3 THEN now() END WHERE id = $1`,
        [id, hours, verified],
      );
      ids.push(id);
    }
    await checkDelegations();
    const states = await Promise.all(ids.map(async (id) => (await shown(caller, id)).status));
    expect(states).toEqual(["missing", "unchecked", "unchecked"]);
  });

  it("of a tenant's one domain is not kept waiting by another's hundred and twenty", async () => {
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
});
