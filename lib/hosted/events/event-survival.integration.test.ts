import { describe, expect, onTestFinished } from "vitest";
import {
  eventually,
  hasAttempts,
  isSettled,
  it,
  logIn,
  startEventWorld,
  until,
  untilDelivered,
} from "#e2e/support/event-world.ts";
import { startReceiver } from "#e2e/support/receiver.ts";
import { sql } from "#e2e/support/sql.ts";
import { freePort } from "#e2e/support/start-app.ts";

/** Outgoing events (docs/protocol.md#56-events), when processes, receivers and connections die. */

const world = startEventWorld();

describe("an event that was acknowledged to a wallet", () => {
  it("arrives once its receiver is there at all", async () => {
    const port = await freePort();
    const { caller, domain } = await world().customerAt({ url: `http://127.0.0.1:${port}` }, "/late");
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
    const doomed = await world().startApp(empty);
    onTestFinished(() => doomed.stop());
    receiver.on("/killed", () => {});
    const place = { app: doomed, database: empty };
    const { caller, domain } = await world().customerAt(receiver, "/killed", place);
    const { id } = await logIn(caller, domain);
    const first = await receiver.nth("/killed", 1);
    await doomed.stop("SIGKILL");
    receiver.on("/killed", (response) => response.writeHead(204).end());
    const next = await world().startApp(empty);
    onTestFinished(() => next.stop());
    const second = await receiver.nth("/killed", 2, 120_000);
    expect(second.headers["webhook-id"]).toBe(first.headers["webhook-id"]);
    expect(JSON.parse(second.body.toString("utf8")).session_id).toBe(id);
    expect(await eventually(caller.at(next.url), isSettled)).toMatchObject({ status: "delivered" });
  });

  it("is handed over at once when the process is stopped in the middle of its delivery", {
    timeout: 240_000,
  }, async ({ receiver, empty }) => {
    const stopped = await world().startApp(empty);
    onTestFinished(() => stopped.stop());
    receiver.on("/stopped", () => {});
    const place = { app: stopped, database: empty };
    const { caller, domain } = await world().customerAt(receiver, "/stopped", place);
    const { id } = await logIn(caller, domain);
    await receiver.nth("/stopped", 1);
    await stopped.stop();
    // Not when the lease that a crash would have left has run out.
    const due =
      "SELECT next_attempt_at <= now() AS due, status::text, tries FROM webhook_event WHERE sid = $1";
    expect(await sql(empty.url, due, [id])).toEqual([{ due: true, status: "pending", tries: 0 }]);
    receiver.on("/stopped", (response) => response.writeHead(204).end());
    const next = await world().startApp(empty);
    onTestFinished(() => next.stop());
    await receiver.nth("/stopped", 2, 60_000);
  });

  it("survives that the database ends every connection", async ({ receiver }) => {
    const { caller, domain } = await world().customerAt(receiver, "/database");
    let answer = () => {};
    receiver.on("/database", (response) => {
      answer = () => response.writeHead(204).end();
    });
    await logIn(caller, domain);
    await receiver.nth("/database", 1);
    receiver.on("/database", (response) => response.writeHead(204).end());
    await sql(
      world().database.url,
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
