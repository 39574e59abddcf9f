import { randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Customer, newCustomer, newDomainName } from "#e2e/support/customer.ts";
import {
  databaseUrl,
  listDnsQueries,
  query,
  requestSharedApp,
  setNameAnswer,
  url,
} from "#e2e/support/test-apps.ts";

/** Covers cases that the conformance kit does not check (section 5.4). */

const customer = (mode: "live" | "test" = "live") => newCustomer(url, databaseUrl, { mode });

async function register(
  caller: Customer,
  domain = newDomainName(),
  webhook_url = `https://${domain}/events`,
) {
  const response = await caller.post("/domains", { domain, webhook_url });
  expect(response.status).toBe(201);
  return response.json();
}

async function errorOf(response: Response) {
  const { error } = await response.json();
  return { status: response.status, code: error.code, details: error.details, message: error.message };
}

describe("POST /domains", () => {
  it("returns 409 for all but one of several simultaneous registrations", async () => {
    const caller = await customer();
    const body = { domain: newDomainName(), webhook_url: "https://a.example.com/" };
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async () => (await caller.post("/domains", body)).status),
    );
    expect(statuses.sort()).toEqual([201, ...Array(7).fill(409)]);
  });

  it("explains in the 409 how to change a domain that is already registered", async () => {
    const caller = await customer("test");
    const { id, domain } = await register(caller, "localhost", "https://hooks.example.com/");
    const secondResponse = await caller.post("/domains", {
      domain,
      webhook_url: "https://other.example.com/",
    });
    const { code, message, details } = await errorOf(secondResponse);
    expect({ code, details }).toEqual({ code: "domain_already_registered", details: { domain, id } });
    const steps = [...message.matchAll(/(PATCH|POST) (\/\S+?)[,.]/g)].map(([, method = "", path = ""]) => ({
      method,
      path,
    }));
    expect(steps).toEqual([
      { method: "PATCH", path: `/domains/${id}` },
      { method: "POST", path: `/domains/${id}/rotate-secret` },
    ]);
    for (const { method, path } of steps) {
      const body = method === "PATCH" ? { webhook_url: "https://other.example.com/" } : undefined;
      expect((await caller.call(method, path, body)).status).toBe(200);
    }
  });

  // Other notations of webhook URLs are tested by the conformance kit (section 5.5) and webhook-url.test.ts.
  it.each(["http://a.example.com/", "https://inside.example.com/", "https://mixed.example.com/"])(
    "returns 400 for a webhook URL without https or without a public host: %j",
    async (webhook_url) => {
      await setNameAnswer("inside.example.com", { A: ["10.1.2.3"] });
      await setNameAnswer("mixed.example.com", { A: ["93.184.216.34", "192.168.0.1"] });
      const caller = await customer();
      const { id, domain } = await register(caller);
      await query("UPDATE domain SET verified_at = now() WHERE id = $1", [id]);
      // Sends the URL to every endpoint that accepts one.
      const answers = [
        await caller.post("/domains", { domain: newDomainName(), webhook_url }),
        await caller.call("PATCH", `/domains/${id}`, { webhook_url }),
        await caller.post("/sessions", { domain, webhook_url }),
      ];
      for (const answer of answers) {
        const { status, code, message, details } = await errorOf(answer);
        expect({ status, code }).toEqual({ status: 400, code: "invalid_request" });
        expect(details.fields).toHaveProperty("webhook_url");
        expect(message + JSON.stringify(details)).not.toMatch(/10\.1\.2\.3|192\.168\.0\.1/);
      }
    },
  );
});

describe("the service's own host name", () => {
  it("can be registered only by the operator", async () => {
    const { url: httpsUrl } = await requestSharedApp("https");
    const body = { domain: "Login.Example.Com.", webhook_url: "https://hooks.example.com/" };
    const operator = await operatorId();
    for (const mode of ["live", "test"] as const) {
      const stranger = (await customer(mode)).at(httpsUrl);
      const refusal = await errorOf(await stranger.post("/domains", body));
      expect(refusal).toMatchObject({ status: 400, code: "invalid_request" });
      expect(refusal.details.fields).toHaveProperty("domain");
      expect((await (await stranger.get("/domains")).json()).domains).toEqual([]);
      await register(stranger, `${randomUUID()}.login.example.com`);
      const otherCustomer = (await newCustomer(url, databaseUrl, { mode, tenantId: operator })).at(httpsUrl);
      const { id } = await register(otherCustomer, body.domain, body.webhook_url);
      onTestFinished(async () => void (await otherCustomer.call("DELETE", `/domains/${id}`)));
      expect(await (await otherCustomer.get(`/domains/${id}`)).json()).toMatchObject({
        delegation: { status: "ok", reason: null },
      });
    }
    await register(await customer("test"), "localhost", body.webhook_url);
  });

  /** The administration command creates keys for this tenant. */
  async function operatorId(): Promise<string> {
    const rows = await query<{
      id: string;
    }>(`INSERT INTO owner (id, name, created_at) VALUES (gen_random_uuid(), 'operator', now())
       ON CONFLICT (name) DO UPDATE SET name = EXCLUDED.name RETURNING id::text`);
    return rows[0]?.id ?? "";
  }
});

describe("POST /domains/{id}/verify", () => {
  it("returns 200 for a TXT record that has several parts and is among other records", async () => {
    const caller = await customer();
    const { id, domain, verification_token: token } = await register(caller);
    await setNameAnswer(domain, { TXT: ["v=spf1 -all", [token.slice(0, 10), token.slice(10)]] });
    const response = await caller.post(`/domains/${id}/verify`);
    expect(response.status).toBe(200);
    const answer = await response.json();
    expect(answer).toEqual({ id, domain, verified: true, verified_at: expect.stringMatching(/Z$/) });

    await setNameAnswer(domain, "NXDOMAIN");
    const textQuestions = async () =>
      (await listDnsQueries(domain)).filter((question) => question.startsWith("TXT"));
    const before = await textQuestions();
    expect(await (await caller.post(`/domains/${id}/verify`)).json()).toEqual(answer);
    expect(await textQuestions()).toEqual(before);
    expect(await (await caller.get(`/domains/${id}`)).json()).toMatchObject({
      verified: true,
      verified_at: answer.verified_at,
    });
  });

  it("returns 200 for a TXT record at _svc-challenge even if the domain itself does not resolve", async () => {
    const caller = await customer();
    const { id, domain, verification_token: token } = await register(caller);
    await setNameAnswer(domain, "SERVFAIL");
    await setNameAnswer(`_svc-challenge.${domain}`, { TXT: [token] });
    expect((await caller.post(`/domains/${id}/verify`)).status).toBe(200);
  });

  it("returns 422 with each place that was checked and what was found there", async () => {
    const caller = await customer();
    const { id, domain, verification_token: token } = await register(caller);
    const other = await register(caller);
    await setNameAnswer(domain, { TXT: ["v=spf1 -all", `${token}x`, "new\nline"] });
    await setNameAnswer(`_svc-challenge.${domain}`, { TXT: [other.verification_token] });
    const { status, code, details } = await errorOf(await caller.post(`/domains/${id}/verify`));
    expect({ status, code }).toEqual({ status: 422, code: "domain_verification_failed" });
    expect(details).toEqual({
      domain,
      expected: token,
      checked: [
        { looked_at: `TXT ${domain}`, found: `"${token}x", 2 other records` },
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

  it("counts omitted tokens and other omitted records separately in a 422", async () => {
    const caller = await customer();
    const { id, domain } = await register(caller);
    await setNameAnswer(domain, {
      TXT: ["v=spf1 -all", ...[1, 2, 3, 4, 5, 6, 7].map((n) => `svc-verify=${n}`)],
    });
    const { details } = await errorOf(await caller.post(`/domains/${id}/verify`));
    const shownTokens = [1, 2, 3, 4, 5].map((n) => `"svc-verify=${n}"`).join(", ");
    expect(details.checked[0].found).toBe(
      `${shownTokens}, 2 more beginning with svc-verify=, 1 other record`,
    );
  });

  it("returns 422 with a finding, not an error, if the name servers fail or do not answer", async () => {
    const caller = await customer();
    const { id, domain } = await register(caller);
    await setNameAnswer(domain, "SERVFAIL");
    await setNameAnswer(`_svc-challenge.${domain}`, "silence");
    const { status, details } = await errorOf(await caller.post(`/domains/${id}/verify`));
    expect(status).toBe(422);
    const found = details.checked.map((finding: { found: string }) => finding.found);
    expect(found[0]).toContain("answered with a failure");
    expect(found[1]).toContain("did not answer in time");
    expect(found[2]).toContain("answered with a failure");
  });

  it("returns 422 without requesting the well-known file from a private IP address", async () => {
    const caller = await customer();
    const { id, domain } = await register(caller);
    await setNameAnswer(domain, { A: ["127.0.0.1"] });
    const { status, details } = await errorOf(await caller.post(`/domains/${id}/verify`));
    expect(status).toBe(422);
    expect(details.checked[2].found).toBe("the host has no public address");
  });

  it("returns 422 for a live domain to everyone except the owner who verified it first", async () => {
    const domain = newDomainName();
    const owners = await Promise.all(Array.from({ length: 4 }, () => customer()));
    const registered = await Promise.all(
      owners.map(async (owner) => ({ owner, ...(await register(owner, domain)) })),
    );
    await setNameAnswer(domain, { TXT: registered.map(({ verification_token }) => verification_token) });
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
    // In the sandbox, several tenants can register the same domain.
    const test = await customer("test");
    const sandboxed = await register(test, domain);
    await setNameAnswer(domain, {
      TXT: [sandboxed.verification_token, ...others.map((other) => other.verification_token)],
    });
    expect((await test.post(`/domains/${sandboxed.id}/verify`)).status).toBe(200);
    // Once the verified domain is deleted, another tenant can verify the name.
    expect((await holder?.owner.call("DELETE", `/domains/${holder.id}`))?.status).toBe(204);
    expect((await others[0]?.owner.post(`/domains/${others[0].id}/verify`))?.status).toBe(200);
  });
});
