import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newCustomer } from "#e2e/support/customer.ts";
import type { ListedEvent } from "#e2e/support/event-world.ts";
import { databaseUrl, query, url } from "#e2e/support/test-apps.ts";
import { anyCharacter } from "#tools/kit/any-character.ts";
import { OPERATIONS } from "../contract/operations.ts";

describe("every documented operation", () => {
  test("returns a documented response for any body", async () => {
    const body = fc.oneof(
      fc.json({ maxDepth: 4 }),
      fc.string({ unit: anyCharacter, maxLength: 200 }),
      fc
        .record(
          {
            domain: fc.anything({ maxDepth: 1 }),
            mode: fc.constantFrom("login", "__proto__", 1, null),
            webhook_url: fc.oneof(fc.webUrl(), fc.string({ unit: anyCharacter })),
            metadata: fc.object({ maxDepth: 2 }),
            public_key: fc.oneof(fc.string({ unit: anyCharacter }), fc.stringMatching(/^04[0-9a-f]{128}$/)),
            signature: fc.oneof(fc.string({ unit: anyCharacter }), fc.stringMatching(/^30[0-9a-f]{0,140}$/)),
            message: fc.string({ unit: anyCharacter }),
          },
          { requiredKeys: [] },
        )
        .map((value) => JSON.stringify(value) ?? "null"),
    );
    for (const { method, path } of OPERATIONS) {
      if (method === "GET" || method === "DELETE") continue;
      const customer = await newCustomer(url, databaseUrl);
      await fc.assert(
        fc.asyncProperty(body, async (text) => {
          const response = await customer.call(method, path.replace(":id", "unknown"), text, {
            "Content-Type": "application/json",
          });
          expect(response.status).toBeLessThan(500);
        }),
        { numRuns: 20 },
      );
    }
  });

  test("returns a documented response for any identifier", async () => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter, minLength: 1, maxLength: 60 }),
      fc.constantFrom("' OR 1=1 --", "%00", "__proto__", "a/b", "..", "\u{10ffff}", "x".repeat(3_000)),
    );
    const customer = await newCustomer(url, databaseUrl);
    await fc.assert(
      fc.asyncProperty(text, async (id) => {
        fc.pre(id.isWellFormed());
        for (const path of [`/sessions/${encodeURIComponent(id)}`, `/domains/${encodeURIComponent(id)}`]) {
          const { status } = await customer.get(path);
          expect([400, 404], path).toContain(status);
        }
      }),
      { numRuns: 30 },
    );
  });
});

test("lists only a delivery's own attempts", async () => {
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
  const writer = (async () => {
    while (reading) for (const change of [deliver, requeue]) await query(change, [id]);
  })();
  const seenIds = new Set<string>();
  try {
    for (let read = 0; read < 100; read++) {
      const { deliveries }: { deliveries: ListedEvent[] } = await (await caller.get("/deliveries")).json();
      for (const { status, attempts } of deliveries) seenIds.add(`${status}, attempts: ${attempts.length}`);
    }
  } finally {
    reading = false;
    await writer;
  }
  expect([...seenIds].toSorted()).toEqual(["delivered, attempts: 1", "pending, attempts: 0"]);
});

test("lists each delivery once and the newest first, even if several have the same timestamp", async () => {
  const caller = await newCustomer(url, databaseUrl);
  const domain = await caller.registerDomain(databaseUrl);
  const ids = Array.from({ length: 5 }, (_, place) => `evt_${4 - place}-${randomUUID()}`);
  // The second and third items have the same time, and so do the fourth and fifth.
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
