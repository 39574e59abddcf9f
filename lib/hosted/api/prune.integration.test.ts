import { expect, test } from "vitest";
import { newCustomer } from "#e2e/support/customer.ts";
import { databaseUrl, prune, query, url } from "#e2e/support/test-apps.ts";
import { Client } from "#scripts/kit/client.ts";
import { ageLogin } from "#scripts/kit/sql.ts";
import { TestWallet } from "#scripts/kit/test-wallet.ts";

test("what has ended is removed, and nothing before its end", async () => {
  const customer = await newCustomer(url, databaseUrl);
  const domain = await customer.registerDomain(databaseUrl);
  const create = () => customer.createSession(domain.domain);
  const authenticated = async () => {
    const session = await create();
    await new Client(url).post(
      `/webhook/sessions/${session.id}`,
      new TestWallet().response(session.challenge),
    );
    return session;
  };
  const pendingOld = await create();
  const pendingYoung = await create();
  const authenticatedOld = await authenticated();
  const authenticatedYoung = await authenticated();
  const day = 24 * 3600;
  await ageLogin(databaseUrl, pendingOld.id, day + 60);
  await ageLogin(databaseUrl, pendingYoung.id, day - 60);
  await ageLogin(databaseUrl, authenticatedOld.id, day + 60);
  // Asked for a day and a minute ago, authenticated a minute later.
  await ageLogin(databaseUrl, authenticatedYoung.id, day - 30);
  await query(
    "UPDATE login_session SET challenged_at = challenged_at - interval '60 seconds' WHERE sid = $1",
    [authenticatedYoung.id],
  );

  await customer.post("/sessions", { domain: domain.domain }, { "Idempotency-Key": "old" });
  await customer.post("/sessions", { domain: domain.domain }, { "Idempotency-Key": "young" });
  await query(
    "UPDATE idempotent_answer SET created_at = now() - interval '25 hours' WHERE owner_id = $1 AND key = 'old'",
    [customer.tenantId],
  );

  const age = "UPDATE webhook_event SET created_at = now() - interval '31 days', status = $2 WHERE sid = $1";
  await query(age, [authenticatedOld.id, "delivered"]);
  await query(age, [authenticatedYoung.id, "pending"]);

  await customer.post(`/domains/${domain.id}/rotate-secret`);
  await query("UPDATE domain SET previous_secret_until = now() - interval '1 second' WHERE id = $1", [
    domain.id,
  ]);

  await prune();

  const sessions = await query<{ sid: string }>(
    "SELECT sid FROM hosted_session JOIN login_session USING (sid) WHERE sid = ANY($1)",
    [[pendingOld, pendingYoung, authenticatedOld, authenticatedYoung].map(({ id }) => id)],
  );
  expect(sessions.map(({ sid }) => sid).toSorted()).toEqual(
    [pendingYoung.id, authenticatedYoung.id].toSorted(),
  );
  expect((await customer.get(`/sessions/${authenticatedYoung.id}`)).status).toBe(200);
  const keys = await query("SELECT key FROM idempotent_answer WHERE owner_id = $1", [customer.tenantId]);
  expect(keys).toEqual([{ key: "young" }]);
  const events = "SELECT 1 FROM webhook_event WHERE sid = $1";
  expect(await query(events, [authenticatedOld.id])).toHaveLength(0);
  expect(await query(events, [authenticatedYoung.id])).toHaveLength(1);
  const rotated = "SELECT previous_secret FROM domain WHERE id = $1";
  expect(await query(rotated, [domain.id])).toEqual([{ previous_secret: null }]);
});
