import { describe, expect } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { newDomainName } from "#e2e/support/customer.ts";
import {
  EventWorld,
  findStandardSigners,
  hasAttempts,
  isSettled,
  it,
  logIn,
  svcSignature,
  waitForNewestEvent,
  waitUntilDelivered,
} from "#e2e/support/event-world.ts";
import { holdLock } from "#e2e/support/held-lock.ts";
import { requestSharedApp, setNameAnswer } from "#e2e/support/test-apps.ts";
import { HOSTED_CHECKS, runHosted } from "#packages/conformance/hosted/checks.ts";
import { Client } from "#tools/kit/client.ts";
import { TestWallet } from "#tools/kit/test-wallet.ts";

const world = new EventWorld(await requestSharedApp("sender"));

const dnsAnswers = (name: string, addresses: string[]) =>
  setNameAnswer(name, {
    A: addresses.filter((address) => !address.includes(":")),
    AAAA: addresses.filter((address) => address.includes(":")),
  });

it("sends events that pass every rule of the conformance kit", async () => {
  const { key } = await world.newCustomer();
  const target = { origin: new URL(world.url), base: "/sandbox/v1", key, otherKey: null };
  const checks = HOSTED_CHECKS.filter(({ id }) => /^5\.6-(sent|resent|listed)/.test(id));
  const { results } = await runHosted({ target, checks, timeoutSeconds: 30 });
  const summaries = results.map(({ check, outcome, message }) => `${check.id} ${outcome}${message ?? ""}`);
  expect(summaries).toEqual(checks.map(({ id }) => `${id} passed`));
});

describe.concurrent("an event", () => {
  it("describes a login in the protocol's envelope", async ({ receiver }) => {
    const { caller, domain, domainId } = await world.customerAt(receiver, "/good");
    const { id, sent } = await logIn(caller, domain);
    const request = await receiver.nth("/good", 1);
    const eventId = String(request.headers["webhook-id"]);
    expect(eventId).toMatch(/^msg_/);
    expect(JSON.parse(request.body.toString("utf8"))).toEqual({
      event: "login",
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
    expect(await waitForNewestEvent(caller, isSettled)).toEqual({
      id: eventId,
      domain_id: domainId,
      session_id: id,
      event: "login",
      url: `${receiver.url}/good`,
      status: "delivered",
      created_at: expect.any(String),
      delivered_at: expect.any(String),
      next_attempt_at: null,
      attempts: [
        { at: expect.any(String), status: 204, error: null, latency_ms: expect.any(Number), answer: "" },
      ],
    });
    const { body, attempts } = await (await caller.get(`/deliveries/${eventId}`)).json();
    expect(body).toBe(request.body.toString("utf8"));
    for (const [name, value] of Object.entries<string>(attempts[0].headers)) {
      expect(request.headers[name.toLowerCase()]).toBe(value);
    }
  });

  it("reports an undone login, signed and retried like any other event", async ({ receiver }) => {
    const { caller, domain, secret } = await world.customerAt(receiver, "/undone");
    const { id, undo } = await logIn(caller, domain);
    const login = await receiver.nth("/undone", 1);
    receiver.on("/undone", (response) => response.writeHead(500).end());
    expect((await fetch(undo, { method: "POST" })).status).toBe(200);
    const request = await receiver.nth("/undone", 2);
    receiver.on("/undone", (response) => response.writeHead(204).end());
    const again = await receiver.nth("/undone", 3, 20_000);
    expect([...again.body]).toEqual([...request.body]);
    expect(again.headers["webhook-id"]).toBe(request.headers["webhook-id"]);
    expect(request.headers["webhook-id"]).not.toBe(login.headers["webhook-id"]);
    expect(JSON.parse(request.body.toString("utf8"))).toEqual({
      ...JSON.parse(login.body.toString("utf8")),
      event: "undone",
      timestamp: expect.stringMatching(/Z$/),
      session_id: id,
    });
    expect(request.headers["x-svc-signature"]).toBe(svcSignature(request, secret));
    expect(findStandardSigners(request, [secret])).toEqual([secret]);
    await waitUntilDelivered(caller, 2, 10_000);
  });

  it("is also signed with up to four previous secrets, each until it expires", async ({ receiver }) => {
    const { caller, domain, domainId, secret } = await world.customerAt(receiver, "/rotated");
    const rotate = () => caller.post(`/domains/${domainId}/rotate-secret`);
    const secrets = [secret];
    for (let n = 0; n < 4; n++) secrets.unshift((await (await rotate()).json()).webhook_secret);
    await expectApiError(await rotate(), 422, "quota_exceeded");
    await logIn(caller, domain);
    const request = await receiver.nth("/rotated", 1);
    expect(findStandardSigners(request, secrets)).toEqual(secrets);
    expect(request.headers["webhook-signature"]?.split(" ")).toHaveLength(5);
    expect(request.headers["x-svc-signature"]).toBe(svcSignature(request, secrets[0] ?? ""));

    const expired = "now() - interval '1 second'";
    await world.sql(`UPDATE domain SET earlier_secrets_until[3] = ${expired} WHERE id = $1`, [domainId]);
    await logIn(caller, domain);
    const second = await receiver.nth("/rotated", 2);
    expect(findStandardSigners(second, secrets)).toEqual(secrets.slice(0, 4));
    secrets.unshift((await (await rotate()).json()).webhook_secret);
    await logIn(caller, domain);
    expect(findStandardSigners(await receiver.nth("/rotated", 3), secrets)).toEqual(secrets.slice(0, 5));

    const all = `previous_secret_until = ${expired}, earlier_secrets_until = array_fill(${expired}, '{3}')`;
    await world.sql(`UPDATE domain SET ${all} WHERE id = $1`, [domainId]);
    await logIn(caller, domain);
    expect(findStandardSigners(await receiver.nth("/rotated", 4), secrets)).toEqual(secrets.slice(0, 1));
    // Simulates a double click.
    const both = await Promise.all([rotate(), rotate()]);
    for (const answer of both) secrets.unshift((await answer.json()).webhook_secret);
    await logIn(caller, domain);
    expect(findStandardSigners(await receiver.nth("/rotated", 5), secrets)).toEqual(secrets.slice(0, 3));
  });

  it("is not sent unsigned if its secret cannot be read", async ({ receiver }) => {
    const { caller, domain, domainId } = await world.customerAt(receiver, "/sealed");
    await world.sql("UPDATE domain SET secret = '\\x01' WHERE id = $1", [domainId]);
    await logIn(caller, domain);
    expect(await waitForNewestEvent(caller, hasAttempts(1))).toMatchObject({
      status: "pending",
      attempts: [{ status: null, error: expect.stringContaining("Rotate it") }],
    });
    const { webhook_secret } = await (await caller.post(`/domains/${domainId}/rotate-secret`)).json();
    const request = await receiver.nth("/sealed", 1);
    expect(findStandardSigners(request, [webhook_secret])).toEqual([webhook_secret]);
    expect(request.headers["webhook-signature"]?.split(" ")).toHaveLength(1);
  });

  it("can be a test event, which contains a sample login with a valid signature", async ({ receiver }) => {
    const { caller, domain, domainId } = await world.customerAt(receiver, "/test-event");
    const response = await caller.post(`/domains/${domainId}/test-event`);
    expect(await response.json()).toMatchObject({ event: "test", session_id: null });
    const { data } = JSON.parse((await receiver.nth("/test-event", 1)).body.toString("utf8"));
    expect(data.challenge).toContain(`svc:login:${domain}:`);
    const { public_key, signature, challenge: message } = data;
    const result = await caller.post("/verify", { public_key, signature, message });
    expect(await result.json()).toMatchObject({ valid: true });
  });

  it("takes its status from the latest resend, not from an attempt that began earlier", async ({
    receiver,
  }) => {
    const { caller, domainId } = await world.customerAt(receiver, "/overlap");
    const answers: ((status: number) => void)[] = [];
    receiver.on("/overlap", (response) => void answers.push((status) => response.writeHead(status).end()));
    const { id } = await (await caller.post(`/domains/${domainId}/test-event`)).json();
    await receiver.nth("/overlap", 1);
    await caller.post(`/deliveries/${id}/resend`);
    await receiver.nth("/overlap", 2);
    answers[0]?.(500);
    await waitForNewestEvent(caller, hasAttempts(1));
    answers[1]?.(204);
    expect(await waitForNewestEvent(caller, isSettled)).toMatchObject({
      status: "delivered",
      attempts: [{ status: 204 }, { status: 500 }],
    });
  });

  it("is sent to the new URL if the URL changes while the wallet is answering", async ({ receiver }) => {
    const { caller, domain, domainId } = await world.customerAt(receiver, "/was");
    const { id, challenge } = await caller.createSession(domain);
    const change = await holdLock(
      world.databaseUrl,
      `WITH before AS (SELECT id FROM domain WHERE id = $1 FOR UPDATE)
       UPDATE domain SET webhook_url = $2 FROM before WHERE domain.id = before.id`,
      [domainId, `${receiver.url}/is`],
    );
    const answer = new Client(world.url).post(
      `/webhook/sessions/${id}`,
      new TestWallet().response(challenge),
    );
    await change.waiting(1);
    await change.release();
    expect((await answer).status).toBe(200);
    expect(await waitForNewestEvent(caller, isSettled)).toMatchObject({ url: `${receiver.url}/is` });
  });

  it("is not sent over plain HTTP to a name without an IP address", async () => {
    const caller = await world.newCustomer();
    const name = newDomainName();
    const plain = { domain: name, webhook_url: `http://${name}/events` };
    const https = { domain: name, webhook_url: `https://${name}/events` };
    expect((await caller.post("/domains", plain)).status).toBe(400);
    expect((await caller.post("/domains", https)).status).toBe(201);
    expect((await caller.post("/sessions", plain)).status).toBe(400);
    expect((await caller.post("/sessions", https)).status).toBe(201);
  });

  it("is not sent while its host resolves to a private IP address", async ({ receiver }) => {
    const name = newDomainName();
    const url = `http://${name}:${receiver.port}`;
    await dnsAnswers(name, ["127.0.0.1"]);
    const { caller, domain } = await world.customerAt({ url }, "/turning");
    receiver.on("/turning", (response) => response.writeHead(500).end());
    await logIn(caller, domain);
    await receiver.nth("/turning", 1);
    await dnsAnswers(name, ["127.0.0.3"]);
    const { attempts } = await waitForNewestEvent(caller, hasAttempts(2));
    const noPublicAddress = { status: null, error: "the host has no public address", answer: null };
    expect(attempts).toMatchObject([noPublicAddress, { status: 500 }]);
    expect(receiver.received.filter(({ path }) => path === "/turning")).toHaveLength(1);
  });

  it("does not reveal whether a name resolves, or to which IP address", async () => {
    const seenTexts = new Set<string>();
    const inner = ["10.3.4.5", "169.254.169.254", "fd00::1234", "::ffff:10.9.8.7"];
    for (const address of [...inner, null]) {
      const name = newDomainName();
      const { caller, domainId } = await world.customerAt({ url: `https://${name}` }, "/events");
      if (address) await dnsAnswers(name, [address]);
      await caller.post(`/domains/${domainId}/test-event`);
      const event = await waitForNewestEvent(caller, hasAttempts(1));
      seenTexts.add(String(event.attempts[0]?.error));
      const response = await caller.call("PATCH", `/domains/${domainId}`, {
        webhook_url: `https://${name}/new`,
      });
      // A URL can be set before it is reachable.
      expect(response.status).toBe(address ? 400 : 200);
      const proof = await caller.post(`/domains/${domainId}/verify`);
      const answers = [await response.text(), await proof.text(), JSON.stringify(event)];
      for (const shown of inner) expect(answers.join("\n")).not.toContain(shown);
    }
    expect([...seenTexts]).toEqual(["the host has no public address"]);
  });

  it("fails, without disabling the domain's URL, if the session's own URL returns 410", async ({
    receiver,
  }) => {
    const name = newDomainName();
    await setNameAnswer(name, { A: ["127.0.0.1"] });
    const caller = await world.newCustomer();
    const webhook_url = `${receiver.url}/still-there`;
    const { id: domainId } = await (await caller.post("/domains", { domain: name, webhook_url })).json();
    receiver.on("/session-gone", (response) => response.writeHead(410).end());
    await logIn(caller, name, { webhook_url: `http://${name}:${receiver.port}/session-gone` });
    expect(await waitForNewestEvent(caller, isSettled)).toMatchObject({
      status: "failed",
      attempts: [{ status: 410 }],
    });
    expect(await (await caller.get(`/domains/${domainId}`)).json()).toMatchObject({ disabled_at: null });
    await logIn(caller, name);
    await receiver.nth("/still-there", 1);
  });

  it("is sent to the session's own URL even if the domain's URL is disabled", async ({ receiver }) => {
    const name = newDomainName();
    await setNameAnswer(name, { A: ["127.0.0.1"] });
    const caller = await world.newCustomer();
    receiver.on("/domains-gone", (response) => response.writeHead(410).end());
    await caller.post("/domains", { domain: name, webhook_url: `${receiver.url}/domains-gone` });
    await logIn(caller, name);
    expect(await waitForNewestEvent(caller, isSettled)).toMatchObject({ status: "failed" });

    const { id } = await logIn(caller, name, { webhook_url: `http://${name}:${receiver.port}/own` });
    const { "webhook-id": event } = (await receiver.nth("/own", 1)).headers;
    expect((await caller.post(`/deliveries/${event}/resend`)).status).toBe(202);
    await receiver.nth("/own", 2);
    // Sessions are deleted after a day, events after 30 days.
    await world.sql("DELETE FROM login_session WHERE sid = $1", [id]);
    expect((await caller.post(`/deliveries/${event}/resend`)).status).toBe(202);
    await receiver.nth("/own", 3);
  });
});
