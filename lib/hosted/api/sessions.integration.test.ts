import { beforeAll, describe, expect, inject, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { type Customer, newCustomer } from "#e2e/support/customer.ts";
import { Client } from "#scripts/kit/client.ts";
import { ageLogin, sql } from "#scripts/kit/sql.ts";
import { TestWallet } from "#scripts/kit/test-wallet.ts";
import { BASE_PATHS } from "../contract/tenant.ts";

const [url] = inject("appUrls");
const databaseUrl = inject("databaseUrl");

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

let customer: Customer;
let domain: string;

beforeAll(async () => {
  customer = await newCustomer(url, databaseUrl);
  ({ domain } = await customer.registerDomain(databaseUrl));
});

const deliver = (id: string, body: unknown) => new Client(url).post(`/webhook/sessions/${id}`, body);

async function authenticated(wallet = new TestWallet()) {
  const session = await customer.createSession(domain);
  expect((await deliver(session.id, wallet.response(session.challenge))).status).toBe(200);
  return session;
}

describe("POST /sessions", () => {
  test("201: a pending session, its challenge for the domain, its code for our webhook, 30 seconds to live", async () => {
    const before = Date.now();
    const session = await customer.createSession(domain);
    expect(session.id).toMatch(/^[A-Za-z0-9_-]{22,}$/);
    expect(session.status).toBe("pending");
    expect(session.challenge).toMatch(new RegExp(`^svc:login:${domain}:\\d+:[A-Za-z0-9]{32}$`));
    expect(session.created_at).toMatch(ISO);
    expect(session.expires_at).toMatch(ISO);
    expect(Date.parse(session.expires_at) - Date.parse(session.created_at)).toBe(30_000);
    expect(Math.abs(Date.parse(session.created_at) - before)).toBeLessThan(5_000);
    const qr = new URL(session.qr_data);
    expect(session.qr_data).toMatch(/^svc:\/\/auth\?/);
    expect(Object.fromEntries(qr.searchParams)).toEqual({
      webhook: `${url}/webhook/sessions/${session.id}`,
      session: session.id,
      challenge: session.challenge,
      ts: session.challenge.split(":")[3],
    });
  });

  test("201: the mode is the challenge's action", async () => {
    const session = await customer.createSession(domain, { mode: "register" });
    expect(session.challenge).toMatch(/^svc:register:/);
  });

  test("201: the domain is found in whatever spelling names it", async () => {
    const session = await customer.createSession(`${domain.toUpperCase()}.`);
    expect(session.challenge).toContain(`:${domain}:`);
  });

  test("201: everything that may be said of a session; unknown fields are ignored", async () => {
    await customer.createSession(domain, {
      mode: "login",
      webhook_url: `https://${domain}/other-events`,
      metadata: { return_url: `https://${domain}/welcome?x=1`, custom_data: "x".repeat(4096), more: 1 },
      more: { __proto__: 1 },
    });
  });

  test("201: the registered webhook URL, wherever it is", async () => {
    const webhookUrl = "https://hooks.example/x";
    const elsewhere = await customer.registerDomain(databaseUrl, { webhookUrl });
    await customer.createSession(elsewhere.domain, { webhook_url: webhookUrl });
  });

  test("201: return_url may be http on localhost, in test mode", async () => {
    // Of a tenant of its own, who has not registered that name at an earlier try.
    const caller = await newCustomer(customer.url, databaseUrl);
    await caller.registerDomain(databaseUrl, { domain: "localhost", webhookUrl: "https://hooks.example/" });
    await caller.createSession("localhost", { metadata: { return_url: "http://localhost:3000/in" } });
  });

  describe("400", () => {
    test.each<[string, (domain: string) => unknown]>([
      ["no object", () => []],
      ["null", () => null],
      ["without a domain", () => ({})],
      ["with a number as domain", () => ({ domain: 1 })],
      ["with an empty domain", () => ({ domain: "" })],
      ["with a URL as domain", (name) => ({ domain: `https://${name}` })],
      ["with a port in the domain", (name) => ({ domain: `${name}:443` })],
      ["with another mode", (name) => ({ domain: name, mode: "admin" })],
      ["with null as mode", (name) => ({ domain: name, mode: null })],
      ["with a webhook_url that is none", (name) => ({ domain: name, webhook_url: "events" })],
      [
        "with a webhook_url of another host",
        (name) => ({ domain: name, webhook_url: "https://evil.example/" }),
      ],
      [
        "with a webhook_url on a host that ends alike",
        (name) => ({ domain: name, webhook_url: `https://x${name}/events` }),
      ],
      [
        "with a webhook_url that only looks like the domain's",
        (name) => ({ domain: name, webhook_url: `https://${name}@evil.example/` }),
      ],
      ["with an http webhook_url", (name) => ({ domain: name, webhook_url: `http://${name}/events` })],
      [
        "with a javascript return_url",
        (name) => ({ domain: name, metadata: { return_url: "javascript:1" } }),
      ],
      ...[
        (name: string) => `https://${name}\\@evil.example/`,
        (name: string) => `https:///${name}/`,
        (name: string) => `https://${name.replace(".", "%2e")}/`,
        (name: string) => `https://${name}/\u0001`,
        (name: string) => `https://somebody@${name}/`,
      ].map((url): [string, (name: string) => object] => [
        `with a return_url that parsers read differently: ${JSON.stringify(url("shop.example"))}`,
        (name) => ({ domain: name, metadata: { return_url: url(name) } }),
      ]),
      ["with an http return_url", (name) => ({ domain: name, metadata: { return_url: `http://${name}/` } })],
      [
        "with a return_url of another host",
        (name) => ({ domain: name, metadata: { return_url: "https://evil.example/" } }),
      ],
      [
        "with a return_url on a subdomain",
        (name) => ({ domain: name, metadata: { return_url: `https://sub.${name}/` } }),
      ],
      [
        "with a return_url on a host that ends alike",
        (name) => ({ domain: name, metadata: { return_url: `https://evil${name}/` } }),
      ],
      [
        "with credentials in the return_url",
        (name) => ({ domain: name, metadata: { return_url: `https://u:p@${name}/` } }),
      ],
      [
        "with custom_data above 4 KB, counted in bytes",
        (name) => ({ domain: name, metadata: { custom_data: "é".repeat(2049) } }),
      ],
      ["with an object as custom_data", (name) => ({ domain: name, metadata: { custom_data: {} } })],
      ["with a text as metadata", (name) => ({ domain: name, metadata: "x" })],
    ])("a body %s", async (_name, make) => {
      await expectApiError(await customer.post("/sessions", make(domain)), 400, "invalid_request");
    });

    test("no JSON", async () => {
      await expectApiError(await customer.post("/sessions", "{"), 400, "invalid_request");
    });

    test("names the field that is wrong", async () => {
      const response = await customer.post("/sessions", { domain, webhook_url: "https://evil.example/" });
      const { error } = await response.json();
      expect(Object.keys(error.details.fields)).toEqual(["webhook_url"]);
    });
  });

  test("413: a body above 64 KB", async () => {
    const response = await customer.post("/sessions", { domain, more: "x".repeat(70_000) });
    await expectApiError(response, 413, "payload_too_large");
  });

  test("415: a body that is not JSON", async () => {
    const response = await customer.post("/sessions", "domain=x", { "Content-Type": "text/plain" });
    await expectApiError(response, 415, "unsupported_media_type");
  });

  describe("422", () => {
    test.each(["nobody.test", "nobody.example", "com", "127.0.0.1"])(
      "%s, which the owner has not registered",
      async (name) => {
        const response = await customer.post("/sessions", { domain: name });
        await expectApiError(response, 422, "domain_not_registered");
      },
    );

    test("a subdomain of a registered one", async () => {
      const response = await customer.post("/sessions", { domain: `www.${domain}` });
      await expectApiError(response, 422, "domain_not_registered");
    });

    test("live: not verified", async () => {
      const live = await newCustomer(url, databaseUrl, { mode: "live" });
      const unproved = await live.registerDomain(databaseUrl, { verified: false });
      const response = await live.post("/sessions", { domain: unproved.domain });
      await expectApiError(response, 422, "domain_not_verified");
      const proved = await live.registerDomain(databaseUrl);
      await live.createSession(proved.domain);
    });

    test("test: not verified, but for names that nobody could prove", async () => {
      const owner = await newCustomer(url, databaseUrl);
      const webhookUrl = "https://hooks.example.com/";
      const sessionFor = async (domain: string) => {
        await owner.registerDomain(databaseUrl, { domain, webhookUrl, verified: false });
        return owner.post("/sessions", { domain });
      };
      for (const name of ["localhost", "shop.test", "shop.localhost", "shop.example", "a.b.example"]) {
        expect((await sessionFor(name)).status).toBe(201);
      }
      for (const name of ["shop.example.com", "example.org", "test.example.net", "notlocalhost.com"]) {
        await expectApiError(await sessionFor(name), 422, "domain_not_verified");
      }
      await sql(databaseUrl, "UPDATE domain SET verified_at = now() WHERE owner_id = $1", [owner.tenantId]);
      await owner.createSession("example.org");
    });
  });
});

describe("GET /sessions/{id}", () => {
  test("200 while pending: id, status, expires_at and nothing else", async () => {
    const { id, expires_at } = await customer.createSession(domain);
    const response = await customer.get(`/sessions/${id}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ id, status: "pending", expires_at });
  });

  test("200 when authenticated: id, status, authenticated_at, user and nothing else", async () => {
    const wallet = new TestWallet();
    const { id } = await authenticated(wallet);
    expect(await (await customer.get(`/sessions/${id}`)).json()).toEqual({
      id,
      status: "authenticated",
      authenticated_at: expect.stringMatching(ISO),
      user: { public_key: wallet.publicKey, device_info: { platform: "ios", version: "1.2.3" } },
    });
  });

  test("404: unknown", async () => {
    for (const id of ["unknown", "..%2Fx", "%20", "a".repeat(2000)]) {
      await expectApiError(await customer.get(`/sessions/${id}`), 404, "session_not_found");
    }
  });

  test("404: a session of the site login", async () => {
    const { sid } = await (await new Client(url).fetch("/api/svc/qr")).json();
    await expectApiError(await customer.get(`/sessions/${sid}`), 404, "session_not_found");
  });

  test("410 from the moment a pending session's challenge has expired", async () => {
    const { id } = await customer.createSession(domain);
    await ageLogin(databaseUrl, id, 25);
    expect((await customer.get(`/sessions/${id}`)).status).toBe(200);
    await ageLogin(databaseUrl, id, 5);
    await expectApiError(await customer.get(`/sessions/${id}`), 410, "session_expired");
  });

  test("200 for 24 hours once authenticated, then 410", async () => {
    const { id } = await authenticated();
    await ageLogin(databaseUrl, id, 24 * 3600 - 60);
    expect((await customer.get(`/sessions/${id}`)).status).toBe(200);
    await ageLogin(databaseUrl, id, 60);
    await expectApiError(await customer.get(`/sessions/${id}`), 410, "session_expired");
  });
});

describe("POST /sessions/{id}/refresh", () => {
  const refresh = (id: string) => customer.post(`/sessions/${id}/refresh`);

  test("200: a new challenge of the same action and domain; the one before lives to its own end", async () => {
    const first = await customer.createSession(domain, { mode: "register" });
    await ageLogin(databaseUrl, first.id, 20);
    const response = await refresh(first.id);
    expect(response.status).toBe(200);
    const second = await response.json();
    expect(Object.keys(second).toSorted()).toEqual(["challenge", "expires_at", "id", "qr_data"]);
    expect(second.id).toBe(first.id);
    expect(second.challenge).toMatch(new RegExp(`^svc:register:${domain}:`));
    expect(second.challenge).not.toBe(first.challenge);
    expect(second.qr_data).toContain(encodeURIComponent(second.challenge));
    expect((await deliver(first.id, new TestWallet().response(first.challenge))).status).toBe(200);
  });

  test("200: revives an expired session for ten minutes after its last challenge, then 410", async () => {
    const { id } = await customer.createSession(domain);
    await ageLogin(databaseUrl, id, 590);
    expect((await refresh(id)).status).toBe(200);
    expect((await customer.get(`/sessions/${id}`)).status).toBe(200);
    await ageLogin(databaseUrl, id, 600);
    await expectApiError(await refresh(id), 410, "session_expired");
    await expectApiError(await customer.get(`/sessions/${id}`), 410, "session_expired");
  });

  test("413: a body above 64 KB, though it takes none; and nothing was done", async () => {
    const { id, challenge } = await customer.createSession(domain);
    // Without a Content-Length, which the gate would refuse by itself.
    const response = await new Client(url).fetch(`${BASE_PATHS[customer.mode]}/sessions/${id}/refresh`, {
      method: "POST",
      headers: { Authorization: `Bearer ${customer.key}` },
      body: new Blob(["x".repeat(64 * 1024 + 1)]).stream(),
      ...{ duplex: "half" },
    });
    await expectApiError(response, 413, "payload_too_large");
    expect(await (await customer.get(`/sessions/${id}`)).json()).toMatchObject({ status: "pending" });
    expect((await deliver(id, new TestWallet().response(challenge))).status).toBe(200);
  });

  test("404: unknown", async () => {
    await expectApiError(await refresh("unknown"), 404, "session_not_found");
  });

  test("409: authenticated, also when its last challenge is more than ten minutes old", async () => {
    const { id } = await authenticated();
    await ageLogin(databaseUrl, id, 601);
    await expectApiError(await refresh(id), 409, "session_already_authenticated");
    await ageLogin(databaseUrl, id, 3600);
    await expectApiError(await refresh(id), 409, "session_already_authenticated");
  });

  test("409: authenticated, and it stays so", async () => {
    const { id } = await authenticated();
    await expectApiError(await refresh(id), 409, "session_already_authenticated");
    expect(await (await customer.get(`/sessions/${id}`)).json()).toMatchObject({ status: "authenticated" });
  });
});

describe("GET /sessions", () => {
  test("200: newest first, a page at a time, each session once", async () => {
    const other = await newCustomer(url, databaseUrl);
    const name = (await other.registerDomain(databaseUrl)).domain;
    const created = await Promise.all(Array.from({ length: 7 }, () => other.createSession(name)));
    const listed: { id: string; created_at: string }[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page: { sessions: typeof listed; next_cursor: string | null } = await (
        await other.get(`/sessions?limit=3${cursor && `&cursor=${cursor}`}`)
      ).json();
      expect(page.sessions.length).toBeLessThanOrEqual(3);
      listed.push(...page.sessions);
      cursor = page.next_cursor;
    }
    expect(listed.map(({ id }) => id).toSorted()).toEqual(created.map(({ id }) => id).toSorted());
    const times = listed.map(({ created_at }) => created_at);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  test.each([
    "limit=0",
    "limit=101",
    "limit=x",
    "limit=1.5",
    "limit=",
    "cursor=x",
    "cursor=",
    "limit=1&limit=2",
  ])("400: ?%s", async (query) => {
    await expectApiError(await customer.get(`/sessions?${query}`), 400, "invalid_request");
  });
});
