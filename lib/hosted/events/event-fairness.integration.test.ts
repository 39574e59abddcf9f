import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, onTestFinished } from "vitest";
import { EventWorld, it, startSender } from "#e2e/support/event-world.ts";
import { createOwnSenderVariables, startOwnApp } from "#e2e/support/test-apps.ts";
import type { Receiver } from "#tools/kit/receiver.ts";
import { NEXTAUTH_SECRET } from "#tools/kit/start-app.ts";
import type { RunningServer } from "#tools/kit/start-server.ts";
import { waitUntil } from "#tools/kit/waiting.ts";
import { sealSecret } from "../crypto/secret-box.ts";

/**
 * An event that waited for another tenant's receivers would be sent after 15 s at the earliest (decision 29). `SOON_MS`
 * is shorter, but allows for a busy machine.
 */

const SOON_MS = 10_000;

const app = startOwnApp(createOwnSenderVariables());
let world: EventWorld;
let second: RunningServer;

beforeAll(async () => {
  world = new EventWorld(app);
  second = await startSender(app.databaseUrl);
});
afterAll(() => second.stop());

/** No job wakes the queue, so the sweep must find the events. */
async function plantDueEvents(url: string, count: { owners: number; domains: number; events: number }) {
  const owners = Array.from({ length: count.owners }, () => randomUUID());
  const domains = owners.flatMap((owner) =>
    Array.from({ length: count.domains }, () => ({ owner, id: `dom_${randomUUID()}` })),
  );
  await world.sql(
    "INSERT INTO owner (id, name, created_at) SELECT id, id::text, now() FROM unnest($1::uuid[]) AS id",
    [owners],
  );
  onTestFinished(async () => {
    await world.sql("DELETE FROM owner WHERE id = ANY ($1::uuid[])", [owners]);
  });
  await world.sql(
    `INSERT INTO domain (id, owner_id, mode, domain, webhook_url, verification_token, secret, created_at)
     SELECT id, owner::uuid, 'test', id, $4, 'x', secret, now() FROM unnest($1::text[], $2::text[], $3::bytea[]) AS d (id, owner, secret)`,
    [
      domains.map(({ id }) => id),
      domains.map(({ owner }) => owner),
      domains.map(({ id }) => Buffer.from(sealSecret("whsec_AAAA", id, NEXTAUTH_SECRET))),
      url,
    ],
  );
  await world.sql(
    `INSERT INTO webhook_event (id, domain_id, kind, url, body, created_at, next_attempt_at)
     SELECT 'msg_' || gen_random_uuid(), id, 'test', $2, '{}', now() - interval '1 hour', now() - interval '1 hour'
     FROM unnest($1::text[]) AS id, generate_series(1, $3)`,
    [domains.map(({ id }) => id), url, count.events],
  );
}

/** The path never responds. Returns the current and maximum numbers of open requests. */
function tarpit(receiver: Receiver) {
  const load = { now: 0, most: 0 };
  receiver.on("/tarpit", (response) => {
    load.most = Math.max(load.most, ++load.now);
    response.on("close", () => load.now--);
  });
  return { url: `${receiver.url}/tarpit`, held: load };
}

async function expectSentSoon(receiver: Receiver): Promise<void> {
  const { caller, domainId } = await world.customerAt(receiver, "/well");
  for (let nth = 1; nth <= 3; nth++) {
    const startedAt = Date.now();
    expect((await caller.post(`/domains/${domainId}/test-event`)).status).toBe(202);
    const { at } = await receiver.nth("/well", nth);
    expect(at - startedAt).toBeLessThan(SOON_MS);
  }
}

it("sends at most five concurrent requests per process to an endpoint", async ({ receiver }) => {
  const { url, held } = tarpit(receiver);
  await plantDueEvents(url, { owners: 1, domains: 1, events: 40 });
  await waitUntil(async () => held.now >= 2 * 5, 20_000);
  await expectSentSoon(receiver);
  expect(held.most).toBe(2 * 5);
});

describe("another owner's event", () => {
  it("is sent immediately while the receivers of 250 owners do not respond", async ({ receiver }) => {
    const { url, held } = tarpit(receiver);
    await plantDueEvents(url, { owners: 250, domains: 2, events: 5 });
    // Waits until as many requests are open as one process has shared slots.
    await waitUntil(async () => held.now >= 200, 60_000);
    await expectSentSoon(receiver);
  });

  it("is sent immediately while one owner has 20,000 due events", async ({ receiver }) => {
    const { url } = tarpit(receiver);
    await plantDueEvents(url, { owners: 1, domains: 2, events: 10_000 });
    await plantDueEvents(`${receiver.url}/waiting`, { owners: 1, domains: 1, events: 1 });
    const planted = Date.now();
    const { at } = await receiver.nth("/waiting", 1);
    expect(at - planted).toBeLessThan(SOON_MS);
    await expectSentSoon(receiver);
  });
});
