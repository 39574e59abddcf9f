import { describe, expect } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { Customer, newDomainName } from "#e2e/support/customer.ts";
import {
  EventWorld,
  hasAttempts,
  isSettled,
  it,
  logIn,
  waitForNewestEvent,
} from "#e2e/support/event-world.ts";
import { requestSharedApp } from "#e2e/support/test-apps.ts";
import { signInBrowser } from "#tools/kit/login.ts";

const world = new EventWorld(await requestSharedApp("limitedSender"));

/** The domain is unverified. */
async function domainOf(caller: Customer, webhook_url: string, domain = newDomainName()) {
  const response = await caller.post("/domains", { domain, webhook_url });
  expect(response.status).toBe(201);
  const { id, verified }: { id: string; verified: boolean } = await response.json();
  return { id, domain, verified };
}

describe("a test event for an unverified domain", () => {
  it.for(["live", "test"] as const)(
    "is attempted once, and retried after the domain is verified: %s mode",
    async (mode, { receiver }) => {
      receiver.on("/failing", (response) => response.writeHead(503, { "Retry-After": "1" }).end());
      const caller = await world.newCustomer({ mode });
      const { id, verified } = await domainOf(caller, `${receiver.url}/failing`);
      expect(verified).toBe(false);
      expect((await caller.post(`/domains/${id}/test-event`)).status).toBe(202);
      const event = await waitForNewestEvent(caller, isSettled);
      expect(event).toMatchObject({ status: "failed", next_attempt_at: null, attempts: [{ status: 503 }] });
      // A resent test event is attempted only once more, and not 13 times.
      expect((await caller.post(`/deliveries/${event.id}/resend`)).status).toBe(202);
      expect(await waitForNewestEvent(caller, (one) => isSettled(one) && hasAttempts(2)(one))).toMatchObject({
        ...{ status: "failed", next_attempt_at: null },
      });

      await world.sql("UPDATE domain SET verified_at = now() WHERE id = $1", [id]);
      expect((await caller.post(`/deliveries/${event.id}/resend`)).status).toBe(202);
      expect(await waitForNewestEvent(caller, hasAttempts(3))).toMatchObject({
        ...{ status: "pending", next_attempt_at: expect.any(String) },
      });
    },
  );

  it("counts towards its tenant's limit of ten an hour", async ({ receiver }) => {
    const { browser } = await signInBrowser(world.url);
    const keyOf = async (mode: "live" | "test") => {
      const createdKey = await (await browser.post(`/api/console/${mode}/keys`, { name: "Mine" })).json();
      return new Customer(world.url, { mode, tenantId: "", apiKeyId: "", key: createdKey.key });
    };
    const [test, live] = [await keyOf("test"), await keyOf("live")];
    const first = await domainOf(test, `${receiver.url}/first`);
    const second = await domainOf(live, `${receiver.url}/second`);
    const sendBy = {
      api: () => test.post(`/domains/${first.id}/test-event`, undefined),
      live: () => live.post(`/domains/${second.id}/test-event`, undefined),
      console: () => browser.post(`/api/console/test/domains/${first.id}/test-event`, undefined),
    };
    const { id: event } = await (await sendBy.api()).json();
    const response = await test.call("PATCH", `/domains/${first.id}`, {
      webhook_url: `${receiver.url}/moved`,
    });
    expect(response.status).toBe(200);
    const resendBy = {
      api: () => test.post(`/deliveries/${event}/resend`),
      console: () => browser.post(`/api/console/test/deliveries/${event}/resend`, undefined),
    };
    const requests = [sendBy.live, sendBy.console, resendBy.api, resendBy.console, sendBy.api];
    for (const send of [...requests, ...requests].slice(0, 9)) expect((await send()).status).toBe(202);

    for (const send of requests) {
      const refusal = await send();
      expect(Number(refusal.headers.get("retry-after"))).toBeGreaterThan(3_000);
      expect(refusal.headers.get("ratelimit-limit")).toBe("10");
      await expectApiError(refusal, 429, "rate_limited");
    }
    await test.call("DELETE", `/domains/${second.id}`);
    await test.call("DELETE", `/domains/${first.id}`);
    const again = await domainOf(test, `${receiver.url}/again`, first.domain);
    expect((await test.post(`/domains/${again.id}/test-event`)).status).toBe(429);
    expect(receiver.received.length).toBeLessThanOrEqual(10);
  });

  it("does not count towards the limits for verified domains, login events or other tenants", async ({
    receiver,
  }) => {
    const caller = await world.newCustomer();
    const unverified = await domainOf(caller, `${receiver.url}/login`);
    for (let attempt = 0; attempt < 10; attempt++) await caller.post(`/domains/${unverified.id}/test-event`);
    expect((await caller.post(`/domains/${unverified.id}/test-event`)).status).toBe(429);
    await logIn(caller, unverified.domain);
    const { id } = await waitForNewestEvent(caller, ({ session_id }) => session_id !== null);
    expect((await caller.post(`/deliveries/${id}/resend`)).status).toBe(202);
    const verifiedDomain = await domainOf(
      caller,
      `${receiver.url}/own`,
      newDomainName().replace(/example$/, "test"),
    );
    expect((await caller.post(`/domains/${verifiedDomain.id}/test-event`)).status).toBe(202);
    const other = await world.newCustomer();
    const { id: others } = await domainOf(other, `${receiver.url}/other`);
    expect((await other.post(`/domains/${others}/test-event`)).status).toBe(202);
  });
});
