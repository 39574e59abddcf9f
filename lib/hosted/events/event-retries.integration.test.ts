import { describe, expect, onTestFinished } from "vitest";
import {
  EventWorld,
  hasAttempts,
  isSettled,
  it,
  listDeliveries,
  logIn,
  startSender,
  waitForNewestEvent,
  waitUntilDelivered,
} from "#e2e/support/event-world.ts";
import { requestOutput, requestSharedApp } from "#e2e/support/test-apps.ts";
import { sql } from "#tools/kit/sql.ts";
import { waitUntil } from "#tools/kit/waiting.ts";

const world = new EventWorld(await requestSharedApp("sender"));

describe.concurrent("an event", () => {
  it("counts as delivered after any 2xx response, regardless of the body", async ({ receiver }) => {
    const { caller, domain } = await world.customerAt(receiver, "/ok");
    receiver.on("/ok", (response) => response.writeHead(299).end(`\0${"x".repeat(100_000)}`));
    await logIn(caller, domain);
    const answer = `\ufffd${"x".repeat(2047)}`;
    expect(await waitForNewestEvent(caller, isSettled)).toMatchObject({
      ...{ status: "delivered", attempts: [{ status: 299, answer }] },
    });
  });

  it("disables its endpoint after a 410 until the URL is set again", async ({ receiver }) => {
    const { caller, domain, domainId } = await world.customerAt(receiver, "/gone");
    receiver.on("/gone", (response) => response.writeHead(410).end());
    await logIn(caller, domain);
    const event = await waitForNewestEvent(caller, isSettled);
    expect(event).toMatchObject({ status: "failed", next_attempt_at: null, attempts: [{ status: 410 }] });
    expect(await (await caller.get(`/domains/${domainId}`)).json()).toMatchObject({
      disabled_at: expect.any(String),
    });

    await logIn(caller, domain);
    expect(await waitForNewestEvent(caller, isSettled)).toMatchObject({
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

  it("is abandoned after about three days of attempts", async ({ receiver }) => {
    const { caller, domain } = await world.customerAt(receiver, "/never");
    receiver.on("/never", (response) => response.writeHead(500).end());
    await logIn(caller, domain);
    const { id } = await waitForNewestEvent(caller, hasAttempts(1));
    await world.sql("UPDATE webhook_event SET tries = 11, next_attempt_at = now() WHERE id = $1", [id]);
    const late = await waitForNewestEvent(caller, hasAttempts(2));
    expect(late.status).toBe("pending");
    expect(Date.parse(late.next_attempt_at) - Date.now()).toBeGreaterThan(23 * 3_600_000);
    await world.sql("UPDATE webhook_event SET next_attempt_at = now() WHERE id = $1", [id]);
    expect(await waitForNewestEvent(caller, isSettled)).toMatchObject({
      status: "failed",
      next_attempt_at: null,
    });
  });

  it("is retried immediately once its receiver has accepted a different event", async ({ receiver }) => {
    const path = "/back";
    const { caller, domain } = await world.customerAt(receiver, path);
    const refuse = (status: number) => receiver.on(path, (response) => response.writeHead(status).end());
    const eventOf = async (id: string) =>
      (await listDeliveries(caller)).find(({ session_id: sid }) => sid === id);
    const failed = async (status: number) => {
      refuse(status);
      const { id } = await logIn(caller, domain);
      await waitUntil(async () => (await eventOf(id))?.attempts.length === 1, 10_000);
      return id;
    };
    const waiting = await failed(500);
    const failedEvent = await failed(429);
    const last = await failed(500);
    // Makes the events look as if they had been failing for hours.
    const inAnHour =
      "UPDATE webhook_event SET next_attempt_at = now() + interval '1 hour' WHERE sid = ANY($1)";
    await world.sql(inAnHour, [[waiting, failedEvent, last]]);
    receiver.on(path, (response) => response.writeHead(204).end());
    await caller.post(`/deliveries/${(await eventOf(last))?.id}/resend`);
    await waitUntilDelivered(caller, 2, 25_000);
    const deliveredEvents = await listDeliveries(caller, "?status=delivered");
    expect(deliveredEvents.map(({ session_id: sid }) => sid)).toEqual([last, waiting]);
    expect(await listDeliveries(caller, "?status=pending")).toMatchObject([{ session_id: failedEvent }]);
  });

  it("is deleted together with its domain, even during an attempt", async ({ receiver }) => {
    const { caller, domain, domainId } = await world.customerAt(receiver, "/deleted");
    let answer = () => {};
    receiver.on("/deleted", (response) => {
      answer = () => response.writeHead(500).end();
    });
    await logIn(caller, domain);
    await receiver.nth("/deleted", 1);
    expect((await caller.call("DELETE", `/domains/${domainId}`)).status).toBe(204);
    answer();
    // If the event were retried, that would happen before this later event is retried.
    const other = await world.customerAt(receiver, "/other");
    receiver.on("/other", (response) => response.writeHead(500).end());
    await logIn(other.caller, other.domain);
    await receiver.nth("/other", 2, 60_000);
    expect(receiver.received.filter(({ path }) => path === "/deleted")).toHaveLength(1);
    expect(await listDeliveries(caller)).toEqual([]);
    expect(await requestOutput("sender")).not.toContain("violates foreign key");
  });
});

describe("an event for a wallet response that was confirmed", () => {
  it("survives kill -9 during an attempt, a shutdown, and the loss of all database connections", {
    timeout: 240_000,
  }, async ({ receiver, empty }) => {
    const start = async () => {
      const app = await startSender(empty.url);
      onTestFinished(() => app.stop());
      return app;
    };
    const killed = await start();
    receiver.on("/events", () => {});
    const { caller, domain } = await new EventWorld({ url: killed.url, databaseUrl: empty.url }).customerAt(
      receiver,
      "/events",
    );
    const { id } = await logIn(caller, domain);
    const first = await receiver.nth("/events", 1);
    await killed.stop("SIGKILL");
    receiver.on("/events", (response) => response.writeHead(204).end());
    const stopped = await start();
    const second = await receiver.nth("/events", 2, 120_000);
    expect(second.headers["webhook-id"]).toBe(first.headers["webhook-id"]);
    expect(JSON.parse(second.body.toString("utf8")).session_id).toBe(id);
    expect(await waitForNewestEvent(caller.at(stopped.url), isSettled)).toMatchObject({
      status: "delivered",
    });

    receiver.on("/events", () => {});
    const handedOver = await logIn(caller.at(stopped.url), domain);
    await receiver.nth("/events", 3);
    await stopped.stop();
    // Must succeed before the crashed process's lease would have expired.
    const due =
      "SELECT next_attempt_at <= now() AS due, status::text, tries FROM webhook_event WHERE sid = $1";
    expect(await sql(empty.url, due, [handedOver.id])).toEqual([{ due: true, status: "pending", tries: 0 }]);
    receiver.on("/events", (response) => response.writeHead(204).end());
    const last = await start();
    const fourth = await receiver.nth("/events", 4, 60_000);
    expect(JSON.parse(fourth.body.toString("utf8")).session_id).toBe(handedOver.id);

    const customer = caller.at(last.url);
    let answer = () => {};
    receiver.on("/events", (response) => {
      answer = () => response.writeHead(204).end();
    });
    await logIn(customer, domain);
    await receiver.nth("/events", 5);
    receiver.on("/events", (response) => response.writeHead(204).end());
    await sql(
      empty.url,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
    answer();
    // A request whose database connection was lost gets a 503.
    await waitUntil(
      () =>
        logIn(customer, domain).then(
          () => true,
          () => false,
        ),
      30_000,
    );
    await waitUntilDelivered(customer, 4, 60_000);
  });
});
