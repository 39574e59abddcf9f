import { createHmac } from "node:crypto";
import { afterAll, it as base, beforeAll, describe, expect, onTestFinished } from "vitest";
import { type Integrator, newDomainName, newIntegrator } from "#e2e/support/integrator.ts";
import { type NameServer, startNameServer } from "#e2e/support/name-server.ts";
import { type Received, type Receiver, startReceiver } from "#e2e/support/receiver.ts";
import { sql } from "#e2e/support/sql.ts";
import { freePort, type RunningApp, startApp } from "#e2e/support/start-app.ts";
import { createTestDatabase, type TestDatabase } from "#e2e/support/test-database.ts";
import { TestWallet } from "#e2e/support/test-wallet.ts";

/** Outgoing events (specification 5 and 6, contract 5), to receivers that fail in every way. */

let dns: NameServer;
let database: TestDatabase;
let app: RunningApp;

/** Each try of a test has a receiver of its own, which an earlier try has sent nothing to. */
const it = base.extend<{ receiver: Receiver; empty: TestDatabase }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads a fixture's needs from this pattern
  receiver: async ({}, use) => {
    const receiver = await startReceiver();
    await use(receiver);
    await receiver.close();
  },
  /** A database of its own, for what a process that ends leaves there. */
  // biome-ignore lint/correctness/noEmptyPattern: as above
  empty: async ({}, use) => {
    const database = await createTestDatabase();
    await use(database);
    await database.close();
  },
});

const variables = ({ url }: TestDatabase) => ({
  DATABASE_URL: url,
  DNS_SERVERS: dns.address,
  WEBHOOK_ALLOW_CIDRS: "127.0.0.1/32",
  LOG_LEVEL: "warn",
  RATE_LIMIT_SCALE: "100",
  // No event may take a proxy; nothing listens there.
  NODE_USE_ENV_PROXY: "1",
  HTTP_PROXY: "http://127.0.0.1:9",
  HTTPS_PROXY: "http://127.0.0.1:9",
});

beforeAll(async () => {
  [dns, database] = await Promise.all([startNameServer(), createTestDatabase()]);
  app = await startApp(variables(database));
}, 120_000);
afterAll(async () => {
  await app.stop();
  await database.close();
  dns.close();
});

/** An integrator with a domain of its own whose events go to `path` of a receiver. */
async function integratorAt(receiver: { url: string }, path: string, place = { app, database }) {
  const caller = await newIntegrator(place.app.url, place.database.url);
  const domain = newDomainName("test");
  const response = await caller.post("/domains", { domain, webhook_url: `${receiver.url}${path}` });
  expect(response.status).toBe(201);
  const { id: domainId, webhook_secret: secret } = await response.json();
  return { caller, domain, domainId, secret };
}

/** A whole login of the hosted API; returns the session's id and what the wallet sent. */
async function logIn(caller: Integrator, domain: string, more: { mode?: string; webhook_url?: string } = {}) {
  const session = await caller.createSession(domain, more);
  const sent = new TestWallet().delivery(session.challenge);
  const response = await fetch(`${caller.url}/webhook/sessions/${session.id}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(sent),
  });
  expect(response.status).toBe(200);
  return { id: session.id, sent };
}

async function deliveries(caller: Integrator, query = "") {
  return (await (await caller.get(`/deliveries${query}`)).json()).deliveries;
}

/** Waits until `ready` says so; `expect.poll` cannot be used in tests that run side by side. */
async function until(ready: () => Promise<boolean>, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await ready())) {
    if (Date.now() > deadline) throw new Error(`not within ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The newest event once `ready` holds for it. */
async function eventually(caller: Integrator, ready: (event: Record<string, unknown>) => boolean) {
  await until(async () => ready((await deliveries(caller))[0]), 25_000);
  return (await deliveries(caller))[0];
}

/** Waits until so many of the caller's events are delivered. */
const untilDelivered = (caller: Integrator, count: number, timeoutMs: number) =>
  until(async () => (await deliveries(caller, "?status=delivered")).length === count, timeoutMs);

const isSettled = ({ status }: Record<string, unknown>) => status !== "pending";
const hasAttempts = (count: number) => (event: Record<string, unknown>) =>
  Array.isArray(event.attempts) && event.attempts.length >= count;

/** An independent check of the Standard Webhooks signatures: which of the secrets signed. */
function standardSigners({ headers, body }: Received, secrets: string[]): string[] {
  const content = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body.toString("utf8")}`;
  const given = (headers["webhook-signature"] ?? "").split(" ");
  return secrets.filter((secret) => {
    const key = Buffer.from(secret.replace("whsec_", ""), "base64");
    return given.includes(`v1,${createHmac("sha256", key).update(content).digest("base64")}`);
  });
}

const svcSignature = ({ body }: Received, secret: string) =>
  createHmac("sha256", secret).update(body).digest("hex");

describe.concurrent("an event", () => {
  it.for(["login", "register"])(
    "tells of a %s, in the specification's envelope, signed both ways",
    async (mode, { receiver }) => {
      const { caller, domain, secret, domainId } = await integratorAt(receiver, `/good-${mode}`);
      const { id, sent } = await logIn(caller, domain, { mode });
      const request = await receiver.nth(`/good-${mode}`, 1);
      expect(request).toMatchObject({ method: "POST" });
      expect(request.headers).toMatchObject({
        "content-type": "application/json",
        "webhook-id": expect.stringMatching(/^msg_/),
      });
      expect(JSON.parse(request.body.toString("utf8"))).toEqual({
        event: mode,
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        session_id: id,
        data: {
          public_key: sent.public_key,
          signature: sent.signature,
          challenge: sent.challenge,
          signed_at: sent.timestamp,
          device_info: sent.device_info,
        },
      });
      expect(request.headers["x-svc-signature"]).toBe(svcSignature(request, secret));
      expect(standardSigners(request, [secret])).toEqual([secret]);
      expect(Math.abs(Number(request.headers["webhook-timestamp"]) - Date.now() / 1000)).toBeLessThan(5);
      expect(await eventually(caller, isSettled)).toEqual({
        id: request.headers["webhook-id"],
        domain_id: domainId,
        session_id: id,
        event: mode,
        url: `${receiver.url}/good-${mode}`,
        status: "delivered",
        created_at: expect.any(String),
        delivered_at: expect.any(String),
        next_attempt_at: null,
        attempts: [
          { at: expect.any(String), status: 204, error: null, latency_ms: expect.any(Number), answer: "" },
        ],
      });
      expect(receiver.received.filter(({ path }) => path === `/good-${mode}`)).toHaveLength(1);
    },
  );

  it("comes again after a failure: the same id and bytes, a timestamp of its own, each try on record", async ({
    receiver,
  }) => {
    const { caller, domain, secret } = await integratorAt(receiver, "/flaky");
    let asked = 0;
    receiver.on("/flaky", (response) =>
      response.writeHead(asked++ === 0 ? 500 : 200).end(`answer ${asked}\0`),
    );
    await logIn(caller, domain);
    const [first, second] = [await receiver.nth("/flaky", 1), await receiver.nth("/flaky", 2)];
    expect(second.body.equals(first.body)).toBe(true);
    expect(second.headers["webhook-id"]).toBe(first.headers["webhook-id"]);
    expect(Number(second.headers["webhook-timestamp"])).toBeGreaterThan(
      Number(first.headers["webhook-timestamp"]),
    );
    expect(standardSigners(second, [secret])).toEqual([secret]);
    expect(second.at - first.at).toBeGreaterThanOrEqual(5_000);
    expect(second.at - first.at).toBeLessThan(15_000);
    const { status, attempts } = await eventually(caller, isSettled);
    expect(status).toBe("delivered");
    expect(attempts).toMatchObject([
      { status: 200, answer: "answer 2\ufffd" },
      { status: 500, answer: "answer 1\ufffd" },
    ]);
  });

  it.for<[string, () => string]>([
    ["seconds", () => "9"],
    ["a date", () => new Date(Date.now() + 10_000).toUTCString()],
  ])("comes again no sooner than Retry-After says, in %s", async ([kind, retryAfter], { receiver }) => {
    const path = `/later-${kind.replace(" ", "-")}`;
    const { caller, domain } = await integratorAt(receiver, path);
    let asked = 0;
    receiver.on(path, (response) => {
      if (asked++ > 0) response.writeHead(204).end();
      else response.writeHead(503, { "Retry-After": retryAfter() }).end();
    });
    await logIn(caller, domain);
    const [first, second] = [await receiver.nth(path, 1), await receiver.nth(path, 2)];
    expect(second.at - first.at).toBeGreaterThanOrEqual(8_900);
    expect(second.at - first.at).toBeLessThan(20_000);
  });

  it("is done with any 2xx, however much the receiver says", async ({ receiver }) => {
    for (const status of [200, 201, 202, 204, 299]) {
      const path = `/ok-${status}`;
      const { caller, domain } = await integratorAt(receiver, path);
      receiver.on(path, (response) =>
        response.writeHead(status).end(status === 204 ? "" : "x".repeat(100_000)),
      );
      await logIn(caller, domain);
      const event = await eventually(caller, isSettled);
      expect(event).toMatchObject({ status: "delivered", attempts: [{ status }] });
      expect(event.attempts[0].answer.length).toBeLessThanOrEqual(2048);
    }
  });

  it.for([301, 302, 307, 308, 400, 401, 404, 409, 429, 500, 503])(
    "is not done with a %i, and no redirect is followed",
    async (status, { receiver }) => {
      const path = `/not-${status}`;
      const { caller, domain } = await integratorAt(receiver, path);
      receiver.on(path, (response) =>
        response.writeHead(status, { Location: `${receiver.url}/redirected` }).end("no"),
      );
      await logIn(caller, domain);
      const event = await eventually(caller, hasAttempts(1));
      expect(event).toMatchObject({
        status: "pending",
        attempts: [{ status, answer: "no" }],
        delivered_at: null,
      });
      const wait = Date.parse(event.next_attempt_at) - Date.parse(event.attempts[0].at);
      expect(wait).toBeGreaterThanOrEqual(5_000);
      expect(wait).toBeLessThan(10_000);
      expect(receiver.received.filter(({ path: asked }) => asked === "/redirected")).toEqual([]);
    },
  );

  it("disables an endpoint that answers 410, until its URL is set again", async ({ receiver }) => {
    const { caller, domain, domainId } = await integratorAt(receiver, "/gone");
    receiver.on("/gone", (response) => response.writeHead(410).end());
    await logIn(caller, domain);
    const event = await eventually(caller, isSettled);
    expect(event).toMatchObject({ status: "failed", next_attempt_at: null, attempts: [{ status: 410 }] });
    expect(await (await caller.get(`/domains/${domainId}`)).json()).toMatchObject({
      disabled_at: expect.any(String),
    });

    await logIn(caller, domain);
    expect(await eventually(caller, isSettled)).toMatchObject({
      status: "failed",
      attempts: [{ status: null, error: expect.stringContaining("410") }],
    });
    expect((await caller.post(`/deliveries/${event.id}/resend`)).status).toBe(400);
    expect((await caller.post(`/domains/${domainId}/test-event`)).status).toBe(400);
    expect(receiver.received.filter(({ path }) => path === "/gone")).toHaveLength(1);

    await caller.call("PATCH", `/domains/${domainId}`, { webhook_url: `${receiver.url}/moved` });
    expect((await caller.post(`/deliveries/${event.id}/resend`)).status).toBe(202);
    const moved = await receiver.nth("/moved", 1);
    expect(moved.headers["webhook-id"]).toBe(event.id);
  });

  it("goes to the new URL when it is changed while the event is pending", async ({ receiver }) => {
    const { caller, domain, domainId } = await integratorAt(receiver, "/before");
    receiver.on("/before", (response) => response.writeHead(500).end());
    await logIn(caller, domain);
    await eventually(caller, hasAttempts(1));
    await caller.call("PATCH", `/domains/${domainId}`, { webhook_url: `${receiver.url}/after` });
    await receiver.nth("/after", 1);
    expect(await eventually(caller, isSettled)).toMatchObject({
      status: "delivered",
      url: `${receiver.url}/after`,
    });
  });

  it("is not held up by another's receiver that hangs, trickles or never ends", async ({ receiver }) => {
    const hung = await integratorAt(receiver, "/hang");
    let [waiting, most] = [0, 0];
    receiver.on("/hang", (response) => {
      most = Math.max(most, ++waiting);
      response.on("close", () => waiting--);
    });
    receiver.on("/trickle", (response) => {
      response.writeHead(500);
      const timer = setInterval(() => response.write("."), 200);
      response.on("close", () => clearInterval(timer));
    });
    const trickling = await integratorAt(receiver, "/trickle");
    for (let n = 0; n < 20; n++) {
      await logIn(hung.caller, hung.domain);
      await logIn(trickling.caller, trickling.domain);
    }
    const well = await integratorAt(receiver, "/well");
    const started = Date.now();
    await logIn(well.caller, well.domain);
    const request = await receiver.nth("/well", 1, 10_000);
    expect(request.at - started).toBeLessThan(5_000);
    // No more than a few at a time wait for one domain.
    expect(most).toBe(5);
    const [attempt] = (await eventually(trickling.caller, ({ id }) => id !== undefined)).attempts;
    expect(attempt === undefined || attempt.status === 500).toBe(true);
    await until(async () => {
      const events: { attempts: { error: string | null }[] }[] = await deliveries(hung.caller, "?limit=100");
      return events.some(({ attempts }) => attempts.some(({ error }) => error === "no answer within 15 s"));
    }, 30_000);
  });

  it("is signed with both secrets for a day after a rotation, and then with the new one alone", async ({
    receiver,
  }) => {
    const { caller, domain, domainId, secret: old } = await integratorAt(receiver, "/rotated");
    const { webhook_secret: current } = await (
      await caller.post(`/domains/${domainId}/rotate-secret`)
    ).json();
    await logIn(caller, domain);
    const during = await receiver.nth("/rotated", 1);
    expect(standardSigners(during, [current, old])).toEqual([current, old]);
    expect(during.headers["x-svc-signature"]).toBe(svcSignature(during, current));
    await sql(
      database.url,
      "UPDATE domain SET previous_secret_until = now() - interval '1 second' WHERE id = $1",
      [domainId],
    );
    await logIn(caller, domain);
    const after = await receiver.nth("/rotated", 2);
    expect(standardSigners(after, [current, old])).toEqual([current]);
  });

  it("goes in plain http to no name that has no address, to a domain nor to a session", async () => {
    const caller = await newIntegrator(app.url, database.url);
    const name = newDomainName("test");
    const plain = { domain: name, webhook_url: `http://${name}/events` };
    const https = { domain: name, webhook_url: `https://${name}/events` };
    expect((await caller.post("/domains", plain)).status).toBe(400);
    expect((await caller.post("/domains", https)).status).toBe(201);
    expect((await caller.post("/sessions", plain)).status).toBe(400);
    expect((await caller.post("/sessions", https)).status).toBe(201);
  });

  it("goes nowhere when its name leads to a private address by then", async ({ receiver }) => {
    const name = "rebound.example.com";
    dns.names.set(name, { A: ["127.0.0.1"] });
    const { caller, domain } = await integratorAt({ url: `http://${name}:${receiver.port}` }, "/rebound");
    dns.names.set(name, { A: ["127.0.0.3"] });
    await logIn(caller, domain);
    expect(await eventually(caller, hasAttempts(1))).toMatchObject({
      status: "pending",
      attempts: [{ status: null, error: "127.0.0.3 is not a public address", answer: null }],
    });
    dns.names.set(name, { A: ["127.0.0.1"] });
    await receiver.nth("/rebound", 1);
  });

  it("goes to the session's own URL when it named one", async ({ receiver }) => {
    const name = newDomainName("test");
    dns.names.set(name, { A: ["127.0.0.1"] });
    const caller = await newIntegrator(app.url, database.url);
    await caller.post("/domains", { domain: name, webhook_url: `${receiver.url}/domains-own` });
    await logIn(caller, name, { webhook_url: `http://${name}:${receiver.port}/sessions-own` });
    const request = await receiver.nth("/sessions-own", 1);
    expect(request.headers.host).toBe(`${name}:${receiver.port}`);
    await caller.post(`/deliveries/${request.headers["webhook-id"]}/resend`);
    await receiver.nth("/sessions-own", 2);
  });

  it("fails alone when the session's own URL is gone: the domain's goes on", async ({ receiver }) => {
    const name = newDomainName("test");
    dns.names.set(name, { A: ["127.0.0.1"] });
    const caller = await newIntegrator(app.url, database.url);
    const webhook_url = `${receiver.url}/still-there`;
    const { id: domainId } = await (await caller.post("/domains", { domain: name, webhook_url })).json();
    receiver.on("/session-gone", (response) => response.writeHead(410).end());
    await logIn(caller, name, { webhook_url: `http://${name}:${receiver.port}/session-gone` });
    expect(await eventually(caller, isSettled)).toMatchObject({
      status: "failed",
      attempts: [{ status: 410 }],
    });
    expect(await (await caller.get(`/domains/${domainId}`)).json()).toMatchObject({ disabled_at: null });
    await logIn(caller, name);
    await receiver.nth("/still-there", 1);
  });

  it("is never sent unsigned: a secret that cannot be opened is told, and a rotation mends it", async ({
    receiver,
  }) => {
    const { caller, domain, domainId } = await integratorAt(receiver, "/sealed");
    await sql(database.url, "UPDATE domain SET secret = '\\x01' WHERE id = $1", [domainId]);
    await logIn(caller, domain);
    expect(await eventually(caller, hasAttempts(1))).toMatchObject({
      status: "pending",
      attempts: [{ status: null, error: expect.stringContaining("Rotate it") }],
    });
    const { webhook_secret } = await (await caller.post(`/domains/${domainId}/rotate-secret`)).json();
    const request = await receiver.nth("/sealed", 1);
    expect(standardSigners(request, [webhook_secret])).toEqual([webhook_secret]);
    expect(request.headers["webhook-signature"]?.split(" ")).toHaveLength(1);
  });

  it("of the kind test is sent on request, and its sample verifies", async ({ receiver }) => {
    const { caller, domain, domainId, secret } = await integratorAt(receiver, "/test-event");
    const response = await caller.post(`/domains/${domainId}/test-event`);
    expect(response.status).toBe(202);
    expect(await response.json()).toMatchObject({
      event: "test",
      session_id: null,
      status: "pending",
      attempts: [],
    });
    const request = await receiver.nth("/test-event", 1);
    expect(request.headers["x-svc-signature"]).toBe(svcSignature(request, secret));
    const { event, session_id, data } = JSON.parse(request.body.toString("utf8"));
    expect({ event, session_id }).toEqual({ event: "test", session_id: "test" });
    expect(data.challenge).toContain(`svc:login:${domain}:`);
    const { public_key, signature, challenge: message } = data;
    const verified = await caller.post("/verify", { public_key, signature, message });
    expect(await verified.json()).toMatchObject({ valid: true });
  });

  it("can be sent again: the same id and bytes, from the start of its schedule", async ({ receiver }) => {
    const { caller, domain } = await integratorAt(receiver, "/again");
    await logIn(caller, domain);
    const first = await receiver.nth("/again", 1);
    const event = await eventually(caller, isSettled);
    const response = await caller.post(`/deliveries/${event.id}/resend`);
    expect(response.status).toBe(202);
    expect(await response.json()).toMatchObject({ id: event.id, status: "pending" });
    const second = await receiver.nth("/again", 2);
    expect(second.body.equals(first.body)).toBe(true);
    expect(second.headers["webhook-id"]).toBe(first.headers["webhook-id"]);
    expect(await eventually(caller, isSettled)).toMatchObject({ status: "delivered", attempts: [{}, {}] });
  });

  it("is given up after about three days of trying", async ({ receiver }) => {
    const { caller, domain } = await integratorAt(receiver, "/never");
    receiver.on("/never", (response) => response.writeHead(500).end());
    await logIn(caller, domain);
    const { id } = await eventually(caller, hasAttempts(1));
    await sql(database.url, "UPDATE webhook_event SET tries = 11, next_attempt_at = now() WHERE id = $1", [
      id,
    ]);
    const late = await eventually(caller, hasAttempts(2));
    expect(late.status).toBe("pending");
    expect(Date.parse(late.next_attempt_at) - Date.now()).toBeGreaterThan(23 * 3_600_000);
    await sql(database.url, "UPDATE webhook_event SET next_attempt_at = now() WHERE id = $1", [id]);
    expect(await eventually(caller, isSettled)).toMatchObject({ status: "failed", next_attempt_at: null });
  });

  it("is sent at once when its receiver is back, unless it had asked for time", async ({ receiver }) => {
    const path = "/back";
    const { caller, domain } = await integratorAt(receiver, path);
    const refuse = (status: number) => receiver.on(path, (response) => response.writeHead(status).end());
    const failed = async (status: number) => {
      refuse(status);
      const { id } = await logIn(caller, domain);
      await until(async () => {
        const event = (await deliveries(caller)).find(
          ({ session_id: sid }: { session_id: string }) => sid === id,
        );
        return event?.attempts.length === 1;
      }, 10_000);
      return id;
    };
    const waiting = await failed(500);
    const asked = await failed(429);
    // As if both had failed for hours.
    await sql(
      database.url,
      "UPDATE webhook_event SET next_attempt_at = now() + interval '1 hour' WHERE sid = ANY($1)",
      [[waiting, asked]],
    );
    const last = await failed(500);
    receiver.on(path, (response) => response.writeHead(204).end());
    await untilDelivered(caller, 2, 25_000);
    const delivered = await deliveries(caller, "?status=delivered");
    expect(delivered.map(({ session_id: sid }: { session_id: string }) => sid)).toEqual([last, waiting]);
    expect(await deliveries(caller, "?status=pending")).toMatchObject([{ session_id: asked }]);
  });

  it("is gone with its domain, pending or under way", async ({ receiver }) => {
    const { caller, domain, domainId } = await integratorAt(receiver, "/deleted");
    let answer = () => {};
    receiver.on("/deleted", (response) => {
      answer = () => response.writeHead(500).end();
    });
    await logIn(caller, domain);
    await receiver.nth("/deleted", 1);
    expect((await caller.call("DELETE", `/domains/${domainId}`)).status).toBe(204);
    answer();
    // By the time another's that fails later comes again, this one would have come again too.
    const other = await integratorAt(receiver, "/other");
    receiver.on("/other", (response) => response.writeHead(500).end());
    await logIn(other.caller, other.domain);
    await receiver.nth("/other", 2);
    expect(receiver.received.filter(({ path }) => path === "/deleted")).toHaveLength(1);
    expect(await deliveries(caller)).toEqual([]);
    expect(app.output()).not.toContain("deliveries are held up");
  });
});

describe.concurrent("GET /deliveries", () => {
  it("lists newest first, page by page, by domain, session and status, and only the owner's", async ({
    receiver,
  }) => {
    const { caller, domain, domainId } = await integratorAt(receiver, "/listed");
    const sessions: string[] = [];
    for (let n = 0; n < 3; n++) sessions.unshift((await logIn(caller, domain)).id);
    await untilDelivered(caller, 3, 10_000);
    const seen: string[] = [];
    for (let query = "?limit=2"; query; ) {
      const page = await (await caller.get(`/deliveries${query}`)).json();
      seen.push(...page.deliveries.map((event: { session_id: string }) => event.session_id));
      query = page.next_cursor ? `?limit=2&cursor=${page.next_cursor}` : "";
    }
    expect(seen).toEqual(sessions);
    expect(await deliveries(caller, `?session_id=${sessions[1]}`)).toHaveLength(1);
    expect(await deliveries(caller, `?domain_id=${domainId}`)).toHaveLength(3);
    expect(await deliveries(caller, "?domain_id=dom_other")).toEqual([]);
    expect(await deliveries(caller, "?status=failed")).toEqual([]);
    expect((await caller.get("/deliveries?status=lost")).status).toBe(400);

    const stranger = await newIntegrator(app.url, database.url);
    const otherMode = await newIntegrator(app.url, database.url, { mode: "live", ownerId: caller.ownerId });
    const [event] = await deliveries(caller);
    for (const other of [stranger, otherMode]) {
      expect(await deliveries(other)).toEqual([]);
      expect((await other.post(`/deliveries/${event.id}/resend`)).status).toBe(404);
    }
    expect((await caller.post("/deliveries/msg_unknown/resend")).status).toBe(404);
  });
});

describe("an event that was acknowledged to a wallet", () => {
  it("arrives once its receiver is there at all", async () => {
    const port = await freePort();
    const { caller, domain } = await integratorAt({ url: `http://127.0.0.1:${port}` }, "/late");
    const { id } = await logIn(caller, domain);
    await eventually(caller, hasAttempts(1));
    const late = await startReceiver("127.0.0.1", port);
    try {
      const request = await late.nth("/late", 1);
      expect(JSON.parse(request.body.toString("utf8")).session_id).toBe(id);
    } finally {
      await late.close();
    }
  });

  it("survives kill -9 in the middle of its delivery", { timeout: 240_000 }, async ({ receiver, empty }) => {
    const doomed = await startApp(variables(empty));
    onTestFinished(() => doomed.stop());
    receiver.on("/killed", () => {});
    const place = { app: doomed, database: empty };
    const { caller, domain } = await integratorAt(receiver, "/killed", place);
    const { id } = await logIn(caller, domain);
    const first = await receiver.nth("/killed", 1);
    await doomed.stop("SIGKILL");
    receiver.on("/killed", (response) => response.writeHead(204).end());
    const next = await startApp(variables(empty));
    onTestFinished(() => next.stop());
    const second = await receiver.nth("/killed", 2, 120_000);
    expect(second.headers["webhook-id"]).toBe(first.headers["webhook-id"]);
    expect(JSON.parse(second.body.toString("utf8")).session_id).toBe(id);
    expect(await eventually(caller.at(next.url), isSettled)).toMatchObject({ status: "delivered" });
  });

  it("is handed over at once when the process is stopped in the middle of its delivery", {
    timeout: 240_000,
  }, async ({ receiver, empty }) => {
    const stopped = await startApp(variables(empty));
    onTestFinished(() => stopped.stop());
    receiver.on("/stopped", () => {});
    const place = { app: stopped, database: empty };
    const { caller, domain } = await integratorAt(receiver, "/stopped", place);
    const { id } = await logIn(caller, domain);
    await receiver.nth("/stopped", 1);
    await stopped.stop();
    // Not when the lease that a crash would have left has run out.
    const due =
      "SELECT next_attempt_at <= now() AS due, status::text, tries FROM webhook_event WHERE sid = $1";
    expect(await sql(empty.url, due, [id])).toEqual([{ due: true, status: "pending", tries: 0 }]);
    receiver.on("/stopped", (response) => response.writeHead(204).end());
    const next = await startApp(variables(empty));
    onTestFinished(() => next.stop());
    await receiver.nth("/stopped", 2, 60_000);
  });

  it("survives that the database ends every connection", async ({ receiver }) => {
    const { caller, domain } = await integratorAt(receiver, "/database");
    let answer = () => {};
    receiver.on("/database", (response) => {
      answer = () => response.writeHead(204).end();
    });
    await logIn(caller, domain);
    await receiver.nth("/database", 1);
    receiver.on("/database", (response) => response.writeHead(204).end());
    await sql(
      database.url,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
    answer();
    // What found its connection dead was answered with a 503, as it should be.
    await until(
      () =>
        logIn(caller, domain).then(
          () => true,
          () => false,
        ),
      10_000,
    );
    await untilDelivered(caller, 2, 45_000);
  });
});
