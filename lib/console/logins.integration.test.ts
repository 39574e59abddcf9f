import { expect, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { EventWorld } from "#e2e/support/event-world.ts";
import { requestSharedApp } from "#e2e/support/test-apps.ts";
import { Client, expectStatus } from "#tools/kit/client.ts";
import { signInBrowser } from "#tools/kit/login.ts";
import { TestWallet } from "#tools/kit/test-wallet.ts";

// A separate application, because the ones at `urls` have other origins and do not recognise this application's inbox.
const world = new EventWorld(await requestSharedApp("limitedSender"));
const { url } = world;

async function newUser() {
  const { browser } = await signInBrowser(url);
  const read = (path: string) => browser.fetch(`/api/console/test${path}`);
  const post = (path: string, body: unknown, mode = "test") =>
    browser.post(`/api/console/${mode}${path}`, body, { Origin: url });
  return {
    read,
    post,
    page: async (path: string) => (await browser.fetch(`/console/test${path}`)).text(),
    /** Answers with a new wallet. */
    async logIn() {
      const { id, qr_data } = await (await expectStatus(await post("/test-logins", {}), 201)).json();
      const challenge = new URL(qr_data).searchParams.get("challenge") ?? "";
      const wallet = new TestWallet();
      await expectStatus(await new Client(url).post(`/webhook/sessions/${id}`, wallet.response(challenge)));
      return { id: String(id), wallet };
    },
    /** Waits for the last attempt to send the event. */
    async eventOf(id: string) {
      const timeline = async () => (await read(`/sessions/${id}/timeline`)).json();
      await expect
        .poll(async () => (await timeline()).deliveries[0]?.status, { timeout: 15_000 })
        .toBe("delivered");
      return (await timeline()).deliveries[0];
    },
  };
}

test("shows a test login's event to a user without a key, a domain or a server", async () => {
  const user = await newUser();
  const { id, wallet } = await user.logIn();
  const event = await user.eventOf(id);
  expect(event).toMatchObject({
    session_id: id,
    event: "login",
    url: `${url}/webhook/test-inbox`,
    attempts: [{ status: 200, error: null, answer: "Kept in the test inbox." }],
  });
  const { body, attempts } = await (await user.read(`/deliveries/${event.id}`)).json();
  expect(JSON.parse(body)).toMatchObject({ session_id: id, data: { public_key: wallet.publicKey } });
  expect(attempts[0].headers).toMatchObject({
    "webhook-id": event.id,
    "webhook-signature": expect.stringMatching(/^v1,/),
    "x-svc-signature": expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  const { domains } = await (await user.read("/domains")).json();
  expect(domains).toMatchObject([{ domain: "localhost", verified: true }]);
  const { session, entries } = await (await user.read(`/sessions/${id}/timeline`)).json();
  expect(session).toMatchObject({ status: "authenticated", public_key: wallet.publicKey });
  expect(entries.map(({ kind }: { kind: string }) => kind)).toEqual(["issued", "delivered"]);
});

test("shows only the user's own events in the test inbox", async () => {
  const [one, other] = [await newUser(), await newUser()];
  const { id } = await one.logIn();
  const event = await one.eventOf(id);
  expect((await (await other.read("/deliveries")).json()).deliveries).toEqual([]);
  await expectApiError(await other.read(`/sessions/${id}/timeline`), 404, "session_not_found");
  await expectApiError(await other.read(`/deliveries/${event.id}`), 404, "not_found");
  await expectApiError(await other.post(`/sessions/${id}/refresh`, {}), 404, "session_not_found");
  await expectApiError(await new Client(url).fetch("/api/console/test/deliveries"), 401, "not_signed_in");
  expect(await one.page(`/events?id=${event.id}`)).toContain("login");
  expect(await other.page(`/events?id=${event.id}`)).toContain("No event has this id");
  expect(await other.page(`/sessions?id=${id}`)).toContain("/console/test/events?session_id=");
  expect(await one.page("")).toContain("1 login in the last 24 hours");
  expect(await other.page("")).not.toContain("in the last 24 hours");
});

test("returns 404 for requests to the test inbox's URL", async () => {
  for (const method of ["GET", "POST"]) {
    const response = await new Client(url).fetch("/webhook/test-inbox", { method });
    await expectApiError(response, 404, "not_found");
  }
});

test("refuses the test inbox and test logins in live mode", async () => {
  const live = await world.newCustomer({ mode: "live" });
  const refusal = await live.post("/domains", {
    domain: "shop.example",
    webhook_url: `${url}/webhook/test-inbox`,
  });
  const { error } = await refusal.json();
  expect(refusal.status).toBe(400);
  expect(error.details.fields.webhook_url).toContain("test mode");
  await expectApiError(await (await newUser()).post("/test-logins", {}, "live"), 404, "not_found");
});

test("registers the test domain only once if requests are simultaneous", async () => {
  const { post, read } = await newUser();
  const answers = await Promise.all([1, 2, 3].map(() => post("/test-logins", {})));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect((await (await read("/domains")).json()).domains).toHaveLength(1);
});

test("refuses a test login for another user's domain or from another site's page", async () => {
  const { browser } = await signInBrowser(url);
  const owner = await world.newCustomer();
  const { domain } = await owner.registerDomain(world.databaseUrl);
  const start = (origin: string) =>
    browser.post("/api/console/test/test-logins", { domain }, { Origin: origin });
  await expectApiError(await start(url), 422, "domain_not_registered");
  await expectApiError(await start("https://evil.example"), 403, "forbidden");
});

test("counts test logins towards the tenant's limit on sessions, separately from reads", async () => {
  const { post, read } = await newUser();
  const first = await post("/test-logins", {});
  expect(first.headers.get("ratelimit-limit")).toBe("100");
  const page = await read("/deliveries");
  expect(page.headers.get("ratelimit-limit")).toBe("300");
  expect(page.headers.get("ratelimit-remaining")).toBe("299");
});
