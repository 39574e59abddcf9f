import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMigratedDatabase } from "#e2e/support/test-apps.ts";
import { database, db, runChangeWithoutSession } from "#lib/platform/database/db.ts";
import { env, parseEnv, setEnv } from "#lib/platform/env.ts";
import { shutDown } from "#packages/login/process/state.ts";
import { WalletResponse } from "#packages/login/protocol/messages.ts";
import type { LoginCore } from "#packages/login/server/core.ts";
import { hashSecret } from "#packages/login/server/random.ts";
import type { TestDatabase } from "#tools/kit/database.ts";
import { NEXTAUTH_SECRET } from "#tools/kit/start-app.ts";
import { TestWallet } from "#tools/kit/test-wallet.ts";
import type { Tenant } from "./contract/tenant.ts";
import { insertDomain } from "./domains/register-domain.ts";
import { replaceWebhookSecret } from "./domains/webhook-secret.ts";
import {
  claimNextEvent,
  findTenantsWithDueEvents,
  generateEventId,
  recordDeliveryAttempt,
} from "./events/event-queue.ts";
import { resendDelivery } from "./events/manage-deliveries.ts";
import { acceptHostedResponse } from "./sessions/accept-hosted-response.ts";
import { createSession } from "./sessions/create-session.ts";
import { readSession, refreshSession } from "./sessions/manage-sessions.ts";
import { undoSession } from "./sessions/undo-session.ts";
import { ensureTenant } from "./tenants/find-tenant.ts";

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createMigratedDatabase();
  const parsedEnv = parseEnv({ DATABASE_URL: testDatabase.url, NEXTAUTH_SECRET });
  setEnv({
    ...parsedEnv,
    DATABASE_URL: testDatabase.url,
    DATABASE_DIRECT_URL: testDatabase.url,
    NEXTAUTH_SECRET,
  });
});
afterAll(async () => {
  await shutDown(async () => {});
  await testDatabase.close();
});

const SECONDS = 1000;
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * SECONDS);
/** An attempt and a claim belong together if they have the same lease. */
const LEASE_END = inSeconds(600);
const REQUEST = { requestId: "request" };
const core = () =>
  ({
    origin: env().APP_URL,
    database: database(),
    now: () => new Date(),
    offersUndo: () => true,
    onStep: () => {},
  }) as unknown as LoginCore;

/** The domain is in test mode and needs no proof. */
async function newTenant() {
  const { id } = await ensureTenant(randomUUID());
  const tenant: Tenant = { tenantId: id, mode: "test" };
  const domain = `${randomUUID()}.example`;
  const webhookUrl = `https://${domain}/events`;
  const { id: domainId } = await insertDomain(tenant, domain, webhookUrl);
  return { tenant, domain, domainId, webhookUrl };
}

const create = ({ tenant, domain }: Awaited<ReturnType<typeof newTenant>>, idempotencyKey?: string) =>
  createSession(tenant, { domain, mode: "login" }, { ...REQUEST, idempotencyKey });

const accept = (id: string, challenge: string, wallet = new TestWallet()) =>
  acceptHostedResponse(core(), id, WalletResponse.parse(wallet.response(challenge)), REQUEST);

const eventsOf = (sid: string) =>
  db().webhookEvent.findMany({ where: { sid }, orderBy: { createdAt: "asc" } });

async function dueEvent() {
  const tenant = await newTenant();
  const { id, challenge } = await create(tenant);
  await accept(id, challenge);
  const [event] = await eventsOf(id);
  return { ...tenant, sid: id, eventId: event?.id ?? "" };
}

const claim = ({ tenantId }: Tenant, exceptDomains: string[] = []) =>
  claimNextEvent({ tenantId, exceptDomains, now: new Date(), leaseUntil: LEASE_END });

async function attempt(
  { tenant, eventId, webhookUrl }: Awaited<ReturnType<typeof dueEvent>>,
  outcome: Partial<Parameters<typeof recordDeliveryAttempt>[0]>,
  status = 200,
) {
  const attempt = { status, error: null, latencyMs: 1, answer: null, headers: null };
  await recordDeliveryAttempt({
    ...{ eventId, url: webhookUrl, leaseUntil: LEASE_END, attempt: { at: new Date(), ...attempt } },
    ...{ outcome: "delivered", nextAttemptAt: null, disable: false, gone: false, recovered: null },
    ...outcome,
  });
  return db().webhookEvent.findFirstOrThrow({ where: { id: eventId, domain: { ownerId: tenant.tenantId } } });
}

describe("a session", () => {
  test("is created only once, no matter how many requests have the same idempotency key", async () => {
    for (let round = 0; round < 6; round += 1) {
      const tenant = await newTenant();
      const createdKeys = await Promise.all([1, 2, 3, 4].map(() => create(tenant, "key")));
      expect(new Set(createdKeys.map(({ id }) => id)).size).toBe(1);
      expect(await db().hostedSession.count({ where: { ownerId: tenant.tenant.tenantId } })).toBe(1);
    }
  });

  test("is created again if a request has no idempotency key or a different one", async () => {
    const tenant = await newTenant();
    const newSecrets = [
      await create(tenant),
      await create(tenant),
      await create(tenant, "a"),
      await create(tenant, "b"),
    ];
    expect(new Set(newSecrets.map(({ id }) => id)).size).toBe(4);
  });

  test("can get a new challenge, which a wallet can answer, until it is authenticated", async () => {
    const tenant = await newTenant();
    const { id, challenge } = await create(tenant);
    const refreshed = await refreshSession(tenant.tenant, id, {}, "request");
    expect(refreshed.challenge).not.toBe(challenge);
    await accept(id, refreshed.challenge);
    await expect(refreshSession(tenant.tenant, id, {}, "request")).rejects.toMatchObject({
      code: "session_already_authenticated",
    });
    const other = await newTenant();
    await expect(refreshSession(other.tenant, id, {}, "request")).rejects.toMatchObject({
      code: "session_not_found",
    });
  });

  test("is authenticated by only one of several concurrent responses, and causes only one event", async () => {
    for (let round = 0; round < 6; round += 1) {
      const tenant = await newTenant();
      const { id, challenge } = await create(tenant);
      const answers = await Promise.allSettled([1, 2, 3, 4].map(() => accept(id, challenge)));
      expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      expect(await readSession(tenant.tenant, id)).toMatchObject({ status: "authenticated" });
      expect(await eventsOf(id)).toMatchObject([
        {
          kind: "login",
          status: "pending",
          url: tenant.webhookUrl,
          ownUrl: false,
          domainId: tenant.domainId,
        },
      ]);
      const jobs = await db().$queryRaw<unknown[]>`
        SELECT 1 FROM graphile_worker.jobs WHERE key = ${`deliver_events:${tenant.tenant.tenantId}`}`;
      expect(jobs).toHaveLength(1);
    }
  });

  test("is authenticated even if it is refreshed at the same time", async () => {
    for (let round = 0; round < 6; round += 1) {
      const tenant = await newTenant();
      const { id, challenge } = await create(tenant);
      const [answered] = await Promise.allSettled([
        accept(id, challenge),
        refreshSession(tenant.tenant, id, {}, "request"),
      ]);
      expect(answered.status).toBe("fulfilled");
      expect(await readSession(tenant.tenant, id)).toMatchObject({ status: "authenticated" });
    }
  });

  test("causes only one event if two simultaneous requests undo it", async () => {
    const tenant = await newTenant();
    const { id, challenge } = await create(tenant);
    await accept(id, challenge);
    const { undoHash } = await db().loginSession.findFirstOrThrow({ where: { sid: id } });
    const parameters = { now: new Date(), sid: id, undoHash: undoHash ?? hashSecret("no word") };
    const undone = await Promise.all([undoSession(core(), parameters), undoSession(core(), parameters)]);
    expect(undone.map((outcome) => outcome?.isFirst).toSorted()).toEqual([false, true]);
    expect((await eventsOf(id)).map(({ kind }) => kind)).toEqual(["login", "undone"]);
    expect(await undoSession(core(), { ...parameters, undoHash: hashSecret("another word") })).toBeNull();
  });
});

describe("an event", () => {
  test("is claimed by only one process at a time, and by another once the lease has expired", async () => {
    const { tenant, eventId, domainId } = await dueEvent();
    expect(await findTenantsWithDueEvents(new Date())).toContain(tenant.tenantId);
    expect(await claim(tenant, [domainId])).toBe("none");
    const claims = await Promise.all([1, 2, 3, 4].map(() => claim(tenant)));
    const won = claims.filter((claim) => claim !== "none" && claim !== "taken");
    expect(won).toMatchObject([{ id: eventId, domainId, tries: 0, mode: "test", once: false }]);
    expect(await claim(tenant)).toBe("none");
    expect(await findTenantsWithDueEvents(new Date())).not.toContain(tenant.tenantId);
    await db().webhookEvent.update({ where: { id: eventId }, data: { nextAttemptAt: inSeconds(-1) } });
    expect(await claim(tenant)).toMatchObject({ id: eventId });
  });

  test("stays delivered even if a slower attempt later records a failure", async () => {
    const event = await dueEvent();
    await claim(event.tenant);
    expect(await attempt(event, {})).toMatchObject({ status: "delivered", tries: 1, nextAttemptAt: null });
    const retry = { outcome: "retry", nextAttemptAt: inSeconds(5) } as const;
    expect(await attempt(event, retry, 500)).toMatchObject({ status: "delivered", nextAttemptAt: null });
    expect(await db().webhookAttempt.count({ where: { eventId: event.eventId } })).toBe(2);
  });

  test("becomes due again after each failure except the last", async () => {
    const event = await dueEvent();
    await claim(event.tenant);
    const nextAttemptAt = inSeconds(5);
    const again = { status: "pending", tries: 1, nextAttemptAt };
    expect(await attempt(event, { outcome: "retry", nextAttemptAt }, 500)).toMatchObject(again);
    const last = { status: "failed", tries: 2, nextAttemptAt: null, deliveredAt: null };
    expect(await attempt(event, { outcome: "failed" }, 500)).toMatchObject(last);
  });

  test("stays due if it is resent manually during an attempt, even a successful one", async () => {
    for (const outcome of ["failed", "delivered"] as const) {
      const event = await dueEvent();
      await claim(event.tenant);
      await resendDelivery(event.tenant, event.eventId);
      const due = { status: "pending", tries: 0, nextAttemptAt: expect.any(Date) };
      expect(await attempt(event, { outcome })).toMatchObject(due);
    }
  });

  test("disables its endpoint after a 410, or becomes due at the new URL if the URL changed during the attempt", async () => {
    const [event, moved] = [await dueEvent(), await dueEvent()];
    const failure410 = { outcome: "failed", disable: true, gone: true } as const;
    await claim(event.tenant);
    expect(await attempt(event, failure410, 410)).toMatchObject({ status: "failed" });
    const disabledAt = async (id: string) =>
      (await db().domain.findFirstOrThrow({ where: { id } })).disabledAt;
    expect(await disabledAt(event.domainId)).not.toBeNull();

    const url = "https://elsewhere.example/events";
    await db().domain.update({ where: { id: moved.domainId }, data: { webhookUrl: url } });
    await db().webhookEvent.update({ where: { id: moved.eventId }, data: { url } });
    await claim(moved.tenant);
    expect(await attempt(moved, failure410, 410)).toMatchObject({
      status: "pending",
      nextAttemptAt: expect.any(Date),
    });
    expect(await disabledAt(moved.domainId)).toBeNull();
  });

  test("makes its endpoint's waiting events due when it is accepted after an earlier failure", async () => {
    const event = await dueEvent();
    await claim(event.tenant);
    await attempt(event, { outcome: "retry", nextAttemptAt: inSeconds(3600) }, 500);
    const waitingIds = [generateEventId(), generateEventId()];
    for (const [index, id] of waitingIds.entries()) {
      const { domainId, webhookUrl: url } = event;
      const data = { id, domainId, url, kind: "login", body: "{}", createdAt: new Date(), tries: 1 };
      await db().webhookEvent.create({ data: { ...data, nextAttemptAt: inSeconds(3600) } });
      const answer = { at: new Date(), status: index === 0 ? 500 : 429, latencyMs: 1 };
      await db().webhookAttempt.create({ data: { eventId: id, ...answer } });
    }
    const recovered = { at: new Date(), scheduledAfter: inSeconds(60) };
    await attempt(event, { recovered });
    const [forward, later] = await Promise.all(
      waitingIds.map((id) => db().webhookEvent.findFirstOrThrow({ where: { id } })),
    );
    expect(forward?.nextAttemptAt).toEqual(recovered.at);
    expect(later?.nextAttemptAt?.getTime()).toBeGreaterThan(recovered.scheduledAfter.getTime());
  });
});

test("rotates a domain's secret only while fewer than four previous secrets are valid", async () => {
  const { tenant, domain, domainId } = await newTenant();
  const rotate = (previousUntil: Date, rotatedAt = new Date()) =>
    runChangeWithoutSession(
      (queries) =>
        replaceWebhookSecret(queries, tenant, domainId, {
          webhookSecret: `whsec_${randomUUID()}`,
          rotatedAt,
          previousUntil,
        }),
      () => null,
    );
  for (let rotation = 0; rotation < 4; rotation += 1)
    expect(await rotate(inSeconds(60 + rotation))).toBe(domain);
  await expect(rotate(inSeconds(90))).rejects.toMatchObject({ code: "quota_exceeded" });
  await db().domain.update({
    where: { id: domainId },
    data: { earlierSecretsUntil: [inSeconds(62), inSeconds(61), inSeconds(-1)] },
  });
  expect(await rotate(inSeconds(90))).toBe(domain);
  expect(await rotate(inSeconds(90), inSeconds(-3600))).toBeNull();
});
