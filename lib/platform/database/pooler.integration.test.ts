import { expect, onTestFinished, test } from "vitest";
import { newCustomer } from "#e2e/support/customer.ts";
import { EventStream } from "#e2e/support/event-stream.ts";
import { startTcpProxy } from "#e2e/support/tcp-proxy.ts";
import { createMigratedDatabase } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import { execute } from "#tools/kit/database.ts";
import { readUserId, requestQr, signInBrowser } from "#tools/kit/login.ts";
import { startReceiver } from "#tools/kit/receiver.ts";
import { sql } from "#tools/kit/sql.ts";
import { startApp } from "#tools/kit/start-app.ts";
import { TestWallet } from "#tools/kit/test-wallet.ts";

test("uses DATABASE_DIRECT_URL for everything that needs its own database session", async () => {
  const database = await createMigratedDatabase();
  onTestFinished(() => database.close());
  const { hostname, port } = new URL(database.url);
  const pooler = await startTcpProxy({ host: hostname, port: Number(port) });
  onTestFinished(() => pooler.close());
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const pooled = new URL(database.url);
  pooled.port = String(pooler.port);
  const app = await startApp({
    DATABASE_URL: pooled.href,
    DATABASE_DIRECT_URL: database.url,
    TRUSTED_PROXIES: "1",
    WEBHOOK_ALLOW_CIDRS: "127.0.0.1/32",
    LOG_LEVEL: "warn",
  });
  onTestFinished(() => app.stop());

  const browser = new Client(app.url);
  const { sid, challenge } = await requestQr(browser, "register");
  const stream = new EventStream(await browser.fetch(`/api/svc/events?sid=${sid}`));
  expect(await stream.next()).toMatchObject({ data: { status: "pending" } });
  const wallet = new TestWallet();
  await new Client(app.url).post("/webhook/register", wallet.response(challenge));
  expect(await stream.next()).toMatchObject({ data: { status: "authenticated" } });
  await browser.signIn("svc", sid);
  expect(await readUserId(browser)).not.toBeNull();
  const customer = await newCustomer(app.url, database.url);
  const { domain } = await customer.registerDomain(database.url, { webhookUrl: `${receiver.url}/events` });
  const session = await customer.createSession(domain);
  await new Client(app.url).post(`/webhook/sessions/${session.id}`, wallet.response(session.challenge));
  await receiver.nth("/events", 1);

  const statements = pooler.sent();
  expect(statements).toContain("login_2.redeem(");
  for (const text of ["LISTEN", "advisory_lock", "CREATE TABLE", "get_job"]) {
    expect(statements.toUpperCase()).not.toContain(text.toUpperCase());
  }
});

test("confirms a wallet's answer and a sign-in only after their commit is on disk", async () => {
  const database = await createMigratedDatabase();
  onTestFinished(() => database.close());
  await execute(
    database.url,
    `ALTER DATABASE ${database.name} RESET synchronous_commit`,
    "CREATE TABLE commits (kind TEXT, waits TEXT)",
    `CREATE FUNCTION note_commit() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       INSERT INTO commits VALUES (NEW.kind, current_setting('synchronous_commit'));
       RETURN NULL;
     END $$`,
    `CREATE CONSTRAINT TRIGGER note_commit AFTER INSERT ON login_event DEFERRABLE INITIALLY DEFERRED
     FOR EACH ROW EXECUTE FUNCTION note_commit()`,
  );
  const app = await startApp({ DATABASE_URL: database.url, TRUSTED_PROXIES: "1", LOG_LEVEL: "warn" });
  onTestFinished(() => app.stop());
  await signInBrowser(app.url);
  expect(await sql(database.url, "SELECT kind, waits FROM commits ORDER BY kind")).toEqual([
    { kind: "delivered", waits: "on" },
    { kind: "issued", waits: "off" },
    { kind: "session_created", waits: "on" },
  ]);
});

test("signs in and serves codes while only the direct connection hangs", async () => {
  const database = await createMigratedDatabase();
  onTestFinished(() => database.close());
  const direct = new URL(database.url);
  const proxy = await startTcpProxy({ host: direct.hostname, port: Number(direct.port) });
  direct.port = String(proxy.port);
  const app = await startApp({
    DATABASE_URL: database.url,
    DATABASE_DIRECT_URL: direct.href,
    TRUSTED_PROXIES: "1",
    LOG_LEVEL: "warn",
  });
  onTestFinished(async () => {
    await proxy.heal();
    await app.stop();
    await proxy.close();
  });
  const browser = new Client(app.url);
  const { sid, challenge } = await requestQr(browser, "register");
  proxy.swallow();
  const [code, ready, answer] = await Promise.all([
    new Client(app.url).fetch("/api/svc/qr"),
    new Client(app.url).fetch("/readyz"),
    new Client(app.url).post("/webhook/register", new TestWallet().response(challenge)),
  ]);
  expect([code.status, ready.status, answer.status]).toEqual([200, 200, 200]);
  await browser.signIn("svc", sid);
  expect(await readUserId(browser)).not.toBeNull();
});
