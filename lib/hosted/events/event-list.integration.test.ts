import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { newCustomer } from "#e2e/support/customer.ts";
import type { ListedEvent } from "#e2e/support/event-world.ts";
import { databaseUrl, query, url } from "#e2e/support/test-apps.ts";

test("a reader never sees an event's status with the attempts of another", async () => {
  const caller = await newCustomer(url, databaseUrl);
  const domain = await caller.registerDomain(databaseUrl);
  const id = `evt_${randomUUID()}`;
  await query(
    `INSERT INTO webhook_event (id, domain_id, kind, url, body, created_at, next_attempt_at)
     VALUES ($1, $2, 'test', 'https://a.example', '{}', now(), now() + interval '1 day')`,
    [id, domain.id],
  );
  const deliver = `WITH event AS (
      UPDATE webhook_event SET status = 'delivered', delivered_at = now() WHERE id = $1 RETURNING id
    )
    INSERT INTO webhook_attempt (event_id, at, status, latency_ms) SELECT id, now(), 204, 1 FROM event`;
  const requeue = `WITH event AS (
      UPDATE webhook_event SET status = 'pending', delivered_at = NULL WHERE id = $1 RETURNING id
    )
    DELETE FROM webhook_attempt USING event WHERE event_id = event.id`;

  let reading = true;
  const writing = (async () => {
    while (reading) for (const change of [deliver, requeue]) await query(change, [id]);
  })();
  const seen = new Set<string>();
  try {
    for (let read = 0; read < 200; read++) {
      const { deliveries }: { deliveries: ListedEvent[] } = await (await caller.get("/deliveries")).json();
      for (const { status, attempts } of deliveries) seen.add(`${status}, attempts: ${attempts.length}`);
    }
  } finally {
    reading = false;
    await writing;
  }
  expect([...seen].toSorted()).toEqual(["delivered, attempts: 1", "pending, attempts: 0"]);
});

test("pages hold every event once, newest first, though some are of one moment", async () => {
  const caller = await newCustomer(url, databaseUrl);
  const domain = await caller.registerDomain(databaseUrl);
  const ids = Array.from({ length: 5 }, (_, place) => `evt_${4 - place}-${randomUUID()}`);
  // Of one moment each: the first, the next two, the last two.
  await query(
    `INSERT INTO webhook_event (id, domain_id, kind, url, body, created_at, next_attempt_at)
     SELECT id, $2, 'test', 'https://a.example', '{}', now() - (place / 2) * interval '1 s', now() + interval '1 day'
     FROM unnest($1::text[]) WITH ORDINALITY AS event (id, place)`,
    [ids, domain.id],
  );
  const pages: string[][] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page = await caller.get(`/deliveries?limit=2${cursor && `&cursor=${cursor}`}`);
    const { deliveries, next_cursor }: { deliveries: ListedEvent[]; next_cursor: string | null } =
      await page.json();
    pages.push(deliveries.map(({ id }) => id));
    cursor = next_cursor;
  }
  expect(pages).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
});
