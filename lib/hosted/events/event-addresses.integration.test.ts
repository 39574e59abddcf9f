import { describe, expect } from "vitest";
import { newDomainName } from "#e2e/support/customer.ts";
import { eventually, hasAttempts, isSettled, it, logIn, startEventWorld } from "#e2e/support/event-world.ts";

/** Where outgoing events go (docs/protocol.md#56-events), and what is said of where they do not. */

const world = startEventWorld();

const dnsAnswers = (name: string, addresses: string[]) =>
  world().dns.names.set(name, {
    A: addresses.filter((address) => !address.includes(":")),
    AAAA: addresses.filter((address) => address.includes(":")),
  });

describe.concurrent("an event", () => {
  it("goes to the new URL when it is changed while the event is pending", async ({ receiver }) => {
    const { caller, domain, domainId } = await world().customerAt(receiver, "/before");
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

  it("goes in plain http to no name that has no address, to a domain nor to a session", async () => {
    const caller = await world().newCustomer();
    const name = newDomainName();
    const plain = { domain: name, webhook_url: `http://${name}/events` };
    const https = { domain: name, webhook_url: `https://${name}/events` };
    expect((await caller.post("/domains", plain)).status).toBe(400);
    expect((await caller.post("/domains", https)).status).toBe(201);
    expect((await caller.post("/sessions", plain)).status).toBe(400);
    expect((await caller.post("/sessions", https)).status).toBe(201);
  });

  it("goes nowhere when its name leads to a private address by then", async ({ receiver }) => {
    const name = "rebound.example.com";
    world().dns.names.set(name, { A: ["127.0.0.1"] });
    const { caller, domain } = await world().customerAt(
      { url: `http://${name}:${receiver.port}` },
      "/rebound",
    );
    world().dns.names.set(name, { A: ["127.0.0.3"] });
    await logIn(caller, domain);
    expect(await eventually(caller, hasAttempts(1))).toMatchObject({
      status: "pending",
      attempts: [{ status: null, error: "the host has no public address", answer: null }],
    });
    world().dns.names.set(name, { A: ["127.0.0.1"] });
    await receiver.nth("/rebound", 1);
  });

  it("is judged anew at every try: it goes nowhere when its name turns private after the first", async ({
    receiver,
  }) => {
    const name = "turning.example.com";
    dnsAnswers(name, ["127.0.0.1"]);
    const { caller, domain } = await world().customerAt(
      { url: `http://${name}:${receiver.port}` },
      "/turning",
    );
    receiver.on("/turning", (response) => response.writeHead(500).end());
    await logIn(caller, domain);
    await receiver.nth("/turning", 1);
    dnsAnswers(name, ["127.0.0.3"]);
    const { attempts } = await eventually(caller, hasAttempts(2));
    expect(attempts).toMatchObject([
      { status: null, error: "the host has no public address" },
      { status: 500 },
    ]);
    expect(receiver.received.filter(({ path }) => path === "/turning")).toHaveLength(1);
  });

  it("tells its owner of no address that a name leads to, nor whether it leads to any", async () => {
    const told = new Set<string>();
    const inner = ["10.3.4.5", "169.254.169.254", "fd00::1234", "::ffff:10.9.8.7"];
    for (const [n, address] of [...inner, null].entries()) {
      const name = `inner-${n}.example.com`;
      const { caller, domainId } = await world().customerAt({ url: `https://${name}` }, "/events");
      if (address) dnsAnswers(name, [address]);
      await caller.post(`/domains/${domainId}/test-event`);
      const event = await eventually(caller, hasAttempts(1));
      told.add(String(event.attempts[0]?.error));
      const changed = await caller.call("PATCH", `/domains/${domainId}`, {
        webhook_url: `https://${name}/new`,
      });
      const proof = await caller.post(`/domains/${domainId}/verify`);
      const answers = [await changed.text(), await proof.text(), JSON.stringify(event)];
      for (const shown of inner) expect(answers.join("\n")).not.toContain(shown);
    }
    expect([...told]).toEqual(["the host has no public address"]);
  });

  it("goes to the session's own URL when it named one", async ({ receiver }) => {
    const name = newDomainName();
    world().dns.names.set(name, { A: ["127.0.0.1"] });
    const caller = await world().newCustomer();
    await caller.post("/domains", { domain: name, webhook_url: `${receiver.url}/domains-own` });
    await logIn(caller, name, { webhook_url: `http://${name}:${receiver.port}/sessions-own` });
    const request = await receiver.nth("/sessions-own", 1);
    expect(request.headers.host).toBe(`${name}:${receiver.port}`);
    await caller.post(`/deliveries/${request.headers["webhook-id"]}/resend`);
    await receiver.nth("/sessions-own", 2);
  });

  it("fails alone when the session's own URL is gone: the domain's goes on", async ({ receiver }) => {
    const name = newDomainName();
    world().dns.names.set(name, { A: ["127.0.0.1"] });
    const caller = await world().newCustomer();
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
});
