import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { expectApiError } from "#e2e/support/api-error.ts";
import { type Created, type Customer, newCustomer } from "#e2e/support/customer.ts";
import { databaseUrl, otherUrl, query, url } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import { backdateLogin } from "#tools/kit/sql.ts";
import { TestWallet } from "#tools/kit/test-wallet.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const CLIENT = { user_agent: FIREFOX, address: "203.0.113.7" };
const JSON_ONLY = { headers: { Accept: "application/json" } };

let customer: Customer;
let domain: string;
let domainId: string;

beforeAll(async () => {
  customer = await newCustomer(url, databaseUrl);
  ({ domain, id: domainId } = await customer.registerDomain(databaseUrl));
});

const Answered = z.strictObject({
  status: z.literal("authenticated"),
  browser: z.strictObject({ name: z.string() }),
  new_browser: z.boolean(),
  undo: z.url(),
});

const addressOf = ({ id, challenge }: { id: string; challenge: string }, s = id) =>
  `/webhook/sessions/${id}?${new URLSearchParams({ s, c: challenge })}`;

const ask = (session: Created, wallet = new Client(url)) => wallet.fetch(addressOf(session), JSON_ONLY);

const deliver = ({ id, challenge }: Created, wallet = new TestWallet()) =>
  new Client(url).post(`/webhook/sessions/${id}`, wallet.response(challenge));

async function answer(session: Created, wallet = new TestWallet()) {
  const response = await deliver(session, wallet);
  expect(response.status).toBe(200);
  return Answered.parse(await response.json());
}

const undo = (address: string) => new Client(url).fetch(address, { method: "POST" });

const eventsOf = async (sid: string) => {
  const rows = await query<{ kind: string; url: string; body: string }>(
    "SELECT kind, url, body FROM webhook_event WHERE sid = $1 ORDER BY kind",
    [sid],
  );
  return rows.map(({ body, ...row }) => ({ ...row, envelope: JSON.parse(body) }));
};

describe("the field `client` in POST /sessions", () => {
  test("is shown to wallets without the user's identity or IP address", async () => {
    const session = await customer.createSession(domain, { mode: "register", client: CLIENT });
    const response = await ask(session);
    expect(response.status).toBe(200);
    expect(response.headers.get("set-cookie")).toBeNull();
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("ratelimit-limit")).toBe("120");
    expect(await response.json()).toEqual({
      ...{ domain, action: "register", intent: null },
      asked_at: session.created_at,
      expires_at: session.expires_at,
      browser: { name: "Firefox on Linux" },
      network: "other",
    });
    expect((await deliver(session)).status).toBe(200);
  });

  test("can be omitted, as a whole or in part", async () => {
    for (const client of [undefined, {}]) {
      const answer = await (await ask(await customer.createSession(domain, { client }))).json();
      expect(answer).toMatchObject({ browser: { name: "Unknown browser" }, network: "unknown" });
    }
    const { address } = CLIENT;
    const session = await customer.createSession(domain, { client: { address } });
    const answer = await (await ask(session, new Client(url, address))).json();
    expect(answer).toMatchObject({ browser: { name: "Unknown browser" }, network: "same" });
  });

  test("is reported as on the wallet's network if it has the same IPv4 address or /64", async () => {
    const at = (address: string) => customer.createSession(domain, { client: { address } });
    const network = async (session: Created, wallet: Client) =>
      (await (await ask(session, wallet)).json()).network;
    const v6 = await at("2001:db8:1:2::7");
    expect(await network(v6, new Client(otherUrl, "2001:db8:1:2:ffff::1"))).toBe("same");
    expect(await network(v6, new Client(url, "2001:db8:1:3::7"))).toBe("other");
    const mappedSession = await at("::ffff:203.0.113.8");
    expect(await network(mappedSession, new Client(url, "203.0.113.8"))).toBe("same");
  });

  test("is replaced by a refresh, except for the parts that the refresh omits", async () => {
    const session = await customer.createSession(domain, { client: CLIENT });
    const refresh = async (body?: unknown) => {
      const response = await customer.post(`/sessions/${session.id}/refresh`, body);
      expect(response.status).toBe(200);
      return { ...session, ...(await response.json()) };
    };
    const wallet = new Client(url, CLIENT.address);
    const same = { browser: { name: "Firefox on Linux" }, network: "same" };
    for (const body of [undefined, {}, { client: {} }]) {
      expect(await (await ask(await refresh(body), wallet)).json()).toMatchObject(same);
    }
    const refreshed = await refresh({ client: { address: "203.0.113.9" } });
    expect(await (await ask(refreshed, wallet)).json()).toMatchObject({ ...same, network: "other" });
  });

  test.each([
    ["client", "Firefox"],
    ["client.user_agent", { user_agent: 1 }],
    ["client.address", { address: "example.com" }],
    ["client.address", { address: "203.0.113.7/32" }],
    ["client.address", { address: "203.0.113.256" }],
    ["client.address", { address: "" }],
  ])("is rejected with 400 if a part is malformed: %s", async (field, client) => {
    const response = await customer.post("/sessions", { domain, client });
    await expectApiError(response, 400, "invalid_request");
    const { id } = await customer.createSession(domain);
    const refreshed = await customer.post(`/sessions/${id}/refresh`, { client });
    const { error } = await refreshed.clone().json();
    expect(error.details.fields).toHaveProperty([field]);
    await expectApiError(refreshed, 400, "invalid_request");
  });

  test("has its browser name truncated to 200 bytes before it is stored", async () => {
    const { id } = await customer.createSession(domain, {
      client: { user_agent: `${"x".repeat(199)}😀`, address: CLIENT.address },
    });
    const [row] = await query<{ user_agent: string; network: Buffer }>(
      "SELECT user_agent, network FROM login_session WHERE sid = $1",
      [id],
    );
    expect(row?.user_agent).toBe("x".repeat(199));
    expect(row?.network).toHaveLength(16);
  });
});

describe("a wallet's question about the requesting browser", () => {
  test.each<[string, (session: Created) => Promise<unknown>]>([
    ["was answered", (session) => deliver(session)],
    ["is thirty seconds old", ({ id }) => backdateLogin(databaseUrl, id, 30)],
    ["belongs to a deleted domain", () => customer.call("DELETE", `/domains/${domainId}`)],
  ])("gets 408 for a code that %s", async (_what, end) => {
    ({ domain, id: domainId } = await customer.registerDomain(databaseUrl));
    const session = await customer.createSession(domain);
    await end(session);
    await expectApiError(await ask(session), 408, "challenge_expired");
    ({ domain, id: domainId } = await customer.registerDomain(databaseUrl));
  });

  test("gets 408 at another session's URL, with another sid, or without one", async () => {
    const [one, two] = [await customer.createSession(domain), await customer.createSession(domain)];
    for (const path of [
      addressOf({ id: one.id, challenge: two.challenge }),
      addressOf(one, two.id),
      `/webhook/sessions/${one.id}?c=${encodeURIComponent(one.challenge)}`,
      `/webhook/sessions/${one.id}`,
      "/webhook/sessions/unknown?s=unknown",
    ]) {
      await expectApiError(await new Client(url).fetch(path, JSON_ONLY), 408, "challenge_expired");
    }
  });

  test("gets 405 unless it accepts JSON", async () => {
    const session = await customer.createSession(domain);
    for (const Accept of ["text/html", "*/*"]) {
      const response = await new Client(url).fetch(addressOf(session), { headers: { Accept } });
      await expectApiError(response, 405, "method_not_allowed");
      expect(response.headers.get("allow")).toBe("GET, HEAD, POST");
    }
    for (const [Accept, status] of [
      ["APPLICATION/JSON", 200],
      ["application/json;q=0", 405],
    ] as const) {
      const response = await new Client(url).fetch(addressOf(session), { headers: { Accept } });
      expect([Accept, response.status]).toEqual([Accept, status]);
    }
  });
});

describe("the response to a wallet's answer", () => {
  test("reports a browser as known after a login from the same IP address at the same domain", async () => {
    const wallet = new TestWallet();
    const login = async (client?: object, at = domain) =>
      answer(await customer.createSession(at, { client }), wallet);
    const first = await login(CLIENT);
    expect(first).toMatchObject({ browser: { name: "Firefox on Linux" }, new_browser: true });
    expect(new URL(first.undo).origin).toBe(url);
    expect((await login(CLIENT)).new_browser).toBe(false);
    expect((await login({ ...CLIENT, address: "203.0.113.8" })).new_browser).toBe(true);
    expect((await login({ user_agent: FIREFOX })).new_browser).toBe(true);
    expect((await login()).new_browser).toBe(true);
    const { domain: otherDomain } = await customer.registerDomain(databaseUrl);
    expect((await login(CLIENT, otherDomain)).new_browser).toBe(true);
    const stranger = await answer(await customer.createSession(domain, { client: CLIENT }));
    expect(stranger.new_browser).toBe(true);
  });

  test("reports a browser as new if its login was undone", async () => {
    const wallet = new TestWallet();
    const login = async () => answer(await customer.createSession(domain, { client: CLIENT }), wallet);
    await undo((await login()).undo);
    expect((await login()).new_browser).toBe(true);
  });
});

describe("undoing a hosted login", () => {
  test("notifies the customer with the data that was sent for the login", async () => {
    const session = await customer.createSession(domain, { mode: "register" });
    const { undo: address } = await answer(session);
    const response = await undo(address);
    expect([response.status, await response.json()]).toEqual([200, { status: "undone" }]);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    const [login, undone, ...more] = await eventsOf(session.id);
    expect(more).toEqual([]);
    expect(undone).toEqual({
      kind: "undone",
      url: login?.url,
      envelope: { ...login?.envelope, event: "undone", timestamp: expect.any(String) },
    });
    expect(login?.envelope.event).toBe("register");
    const entries = "SELECT 1 FROM login_event WHERE sid = $1 AND kind = 'undone'";
    expect(await query(entries, [session.id])).toHaveLength(1);
  });

  test("notifies the session's own webhook URL, if it has one", async () => {
    const webhook = `https://${domain}/special?x=1`;
    const session = await customer.createSession(domain, { webhook_url: webhook });
    await undo((await answer(session)).undo);
    expect((await eventsOf(session.id)).map((event) => event.url)).toEqual([webhook, webhook]);
  });

  test("is visible only to the login's own customer", async () => {
    const session = await customer.createSession(domain);
    const before = await answer(session);
    const read = async () => (await customer.get(`/sessions/${session.id}`)).json();
    expect(await read()).not.toHaveProperty("undone_at");
    await undo(before.undo);
    const state = await read();
    expect(state).toMatchObject({ status: "authenticated", undone_at: expect.any(String) });
    const { sessions } = await (await customer.get("/sessions?limit=1")).json();
    expect(sessions).toMatchObject([{ id: session.id, undone_at: state.undone_at }]);
    const stranger = await newCustomer(url, databaseUrl);
    await expectApiError(await stranger.get(`/sessions/${session.id}`), 404, "session_not_found");
    expect((await (await stranger.get("/deliveries")).json()).deliveries).toEqual([]);
    await expectApiError(
      await customer.post(`/sessions/${session.id}/refresh`),
      409,
      "session_already_authenticated",
    );
  });

  test("is possible for ten minutes, and only with its own URL", async () => {
    const session = await customer.createSession(domain);
    const { undo: address } = await answer(session);
    const { undo: another } = await answer(await customer.createSession(domain));
    const foreignUrl = new URL(address);
    foreignUrl.searchParams.set("t", new URL(another).searchParams.get("t") ?? "");
    await expectApiError(await undo(foreignUrl.href), 404, "session_not_found");
    await backdateLogin(databaseUrl, session.id, 601);
    await expectApiError(await undo(address), 404, "session_not_found");
    expect(await eventsOf(session.id)).toHaveLength(1);
  });

  test("is possible even after its domain has been deleted, but sends no notification", async () => {
    const deletedDomain = await customer.registerDomain(databaseUrl);
    const session = await customer.createSession(deletedDomain.domain);
    const { undo: address } = await answer(session);
    expect((await customer.call("DELETE", `/domains/${deletedDomain.id}`)).status).toBe(204);
    expect((await undo(address)).status).toBe(200);
    expect(await eventsOf(session.id)).toEqual([]);
  });
});
