import { describe, expect, onTestFinished } from "vitest";
import {
  eventually,
  isSettled,
  it,
  logIn,
  startEventWorld,
  untilDelivered,
} from "#e2e/support/event-world.ts";
import { sql } from "#scripts/kit/sql.ts";
import { until } from "#scripts/kit/waiting.ts";

/** Outgoing events (docs/protocol.md#56-events), when processes, receivers and connections die. */

const world = startEventWorld();

describe("an event that was acknowledged to a wallet", () => {
  it("survives kill -9 in the middle of its delivery, and is handed over at once by a process that is stopped", {
    timeout: 240_000,
  }, async ({ receiver, empty }) => {
    const killed = await world().startApp(empty);
    onTestFinished(() => killed.stop());
    receiver.on("/events", () => {});
    const place = { app: killed, database: empty };
    const { caller, domain } = await world().customerAt(receiver, "/events", place);
    const { id } = await logIn(caller, domain);
    const first = await receiver.nth("/events", 1);
    await killed.stop("SIGKILL");
    receiver.on("/events", (response) => response.writeHead(204).end());
    const stopped = await world().startApp(empty);
    onTestFinished(() => stopped.stop());
    const second = await receiver.nth("/events", 2, 120_000);
    expect(second.headers["webhook-id"]).toBe(first.headers["webhook-id"]);
    expect(JSON.parse(second.body.toString("utf8")).session_id).toBe(id);
    expect(await eventually(caller.at(stopped.url), isSettled)).toMatchObject({ status: "delivered" });

    receiver.on("/events", () => {});
    const handedOver = await logIn(caller.at(stopped.url), domain);
    await receiver.nth("/events", 3);
    await stopped.stop();
    // Not when the lease that a crash would have left has run out.
    const due =
      "SELECT next_attempt_at <= now() AS due, status::text, tries FROM webhook_event WHERE sid = $1";
    expect(await sql(empty.url, due, [handedOver.id])).toEqual([{ due: true, status: "pending", tries: 0 }]);
    receiver.on("/events", (response) => response.writeHead(204).end());
    const next = await world().startApp(empty);
    onTestFinished(() => next.stop());
    const last = await receiver.nth("/events", 4, 60_000);
    expect(JSON.parse(last.body.toString("utf8")).session_id).toBe(handedOver.id);
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
    await world().sql(
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
