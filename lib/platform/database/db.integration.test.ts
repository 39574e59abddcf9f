import { expect, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { startOwnApp } from "#e2e/support/test-apps.ts";
import { Client } from "#scripts/kit/client.ts";
import { requestQr, signedIn, userIdOf } from "#scripts/kit/login.ts";
import { sql } from "#scripts/kit/sql.ts";
import { TestWallet } from "#scripts/kit/test-wallet.ts";

/** An application of its own, whose database can be taken away. */
const app = startOwnApp({}, { empty: true });

async function allowConnections(allow: boolean): Promise<void> {
  const url = new URL(app.databaseUrl);
  const name = url.pathname.slice(1);
  url.pathname = "/postgres";
  await sql(url.href, `ALTER DATABASE ${name} ALLOW_CONNECTIONS ${allow}`);
  if (!allow) {
    await sql(url.href, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [name]);
  }
}

function moment(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 100));
}

/** Asks until the answer has this status; a pool notices a database's return at its next try. */
async function untilStatus(client: Client, path: string, status: number): Promise<Response> {
  for (;;) {
    const response = await client.fetch(path);
    if (response.status === status) return response;
    await response.body?.cancel();
    await moment();
  }
}

test("a database that goes away is a 503 while it is away, ends nobody's session, and is taken up again", async () => {
  const { browser, userId, wallet } = await signedIn(app.url);
  const { sid, challenge } = await requestQr(new Client(app.url));
  const waiting = new Client(app.url);
  const { sid: watched } = await requestQr(waiting);
  const stream = await waiting.fetch(`/api/svc/events?sid=${watched}`);

  await allowConnections(false);
  try {
    const client = new Client(app.url);
    for (const path of [
      "/api/svc/qr",
      `/api/svc/check?sid=${sid}`,
      `/api/svc/events?sid=${sid}`,
      "/readyz",
    ]) {
      const response = await client.fetch(path);
      const retryAfter = response.headers.get("retry-after");
      await expectApiError(response, 503, "service_unavailable");
      expect(retryAfter).toMatch(/^\d+$/);
    }
    const delivery = await client.post("/webhook/login", wallet.response(challenge));
    await expectApiError(delivery, 503, "service_unavailable");
    await expectApiError(await browser.signIn("svc", sid), 503, "service_unavailable");
    const revocation = await browser.delete("/api/account/sessions");
    await expectApiError(revocation, 503, "service_unavailable");
    // The process lives, and the browser keeps what it has.
    expect((await client.fetch("/healthz")).status).toBe(200);
    // But nobody is told that it is signed in while nobody can look (docs/protocol.md#25-when-the-database-is-away).
    const cookies = [...browser.cookies];
    await expectApiError(await browser.fetch("/api/auth/session"), 503, "service_unavailable");
    expect((await browser.fetch("/dashboard")).status).toBe(503);
    expect([...browser.cookies]).toEqual(cookies);
  } finally {
    await allowConnections(true);
  }

  await untilStatus(new Client(app.url), "/readyz", 200);
  expect(await userIdOf(browser)).toBe(userId);
  expect((await browser.fetch("/dashboard")).status).toBe(200);
  // The challenge of before is still good.
  expect((await new Client(app.url).post("/webhook/login", wallet.response(challenge))).status).toBe(200);
  expect((await new Client(app.url).fetch("/webhook/login", { method: "GET" })).status).toBe(200);
  // And notifications reach the streams again.
  const registering = new Client(app.url);
  const code = await requestQr(registering, "register");
  const events = await registering.fetch(`/api/svc/events?sid=${code.sid}`);
  const delivery = await new Client(app.url).post(
    "/webhook/register",
    new TestWallet().response(code.challenge),
  );
  expect(delivery.status).toBe(200);
  expect(await events.text()).toContain('"authenticated"');
  await stream.body?.cancel();
  // And jobs run again.
  await sql(app.databaseUrl, "SELECT graphile_worker.add_job('prune')");
  while (
    (await sql(app.databaseUrl, "SELECT 1 FROM graphile_worker.jobs WHERE task_identifier = 'prune'"))
      .length > 0
  )
    await moment();
  expect(app.process.exitCode).toBeNull();
  expect(app.output()).not.toMatch(/uncaught|unhandled/i);
});
