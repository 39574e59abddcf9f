import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { newCustomer } from "#e2e/support/customer.ts";
import { EventStream } from "#e2e/support/event-stream.ts";
import { startTcpProxy, type TcpProxy } from "#e2e/support/tcp-proxy.ts";
import { createMigratedDatabase } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import { execute, type TestDatabase } from "#tools/kit/database.ts";
import { readUserId, requestQr, signInBrowser } from "#tools/kit/login.ts";
import { startReceiver } from "#tools/kit/receiver.ts";
import { sql } from "#tools/kit/sql.ts";
import { startApp } from "#tools/kit/start-app.ts";
import type { RunningServer } from "#tools/kit/start-server.ts";
import { TestWallet } from "#tools/kit/test-wallet.ts";

let pooler: TcpProxy;
let direct: TcpProxy;
let database: TestDatabase;
let app: RunningServer;

beforeAll(async () => {
  database = await createMigratedDatabase();
  await execute(
    database.url,
    `ALTER DATABASE ${database.name} RESET synchronous_commit`,
    "CREATE TABLE commits (kind TEXT, waits TEXT)",
    `CREATE FUNCTION note_commit() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       INSERT INTO public.commits VALUES (NEW.kind, current_setting('synchronous_commit'));
       RETURN NULL;
     END $$`,
    `CREATE CONSTRAINT TRIGGER note_commit AFTER INSERT ON login_event DEFERRABLE INITIALLY DEFERRED
     FOR EACH ROW EXECUTE FUNCTION note_commit()`,
  );
  const { hostname: host, port } = new URL(database.url);
  pooler = await startTcpProxy({ host, port: Number(port) });
  direct = await startTcpProxy({ host, port: Number(port) });
  const through = (proxy: TcpProxy) => {
    const url = new URL(database.url);
    url.port = String(proxy.port);
    return url.href;
  };
  app = await startApp({
    DATABASE_URL: through(pooler),
    DATABASE_DIRECT_URL: through(direct),
    TRUSTED_PROXIES: "1",
    WEBHOOK_ALLOW_CIDRS: "127.0.0.1/32",
    LOG_LEVEL: "warn",
  });
});

afterAll(async () => {
  await direct?.heal();
  await app?.stop();
  await pooler?.close();
  await direct?.close();
  await database?.close();
});

test("confirms a wallet's answer or a sign-in only after its commit is on disk", async () => {
  await signInBrowser(app.url);
  expect(await sql(database.url, "SELECT kind, waits FROM commits ORDER BY kind")).toEqual([
    { kind: "delivered", waits: "on" },
    { kind: "issued", waits: "off" },
    { kind: "session_created", waits: "on" },
  ]);
});

test("uses DATABASE_DIRECT_URL for everything that needs a dedicated database session", async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());

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

test("signs in and serves codes while only the direct connection hangs", async () => {
  const browser = new Client(app.url);
  const { sid, challenge } = await requestQr(browser, "register");
  direct.swallow();
  const [code, ready, answer] = await Promise.all([
    new Client(app.url).fetch("/api/svc/qr"),
    new Client(app.url).fetch("/readyz"),
    new Client(app.url).post("/webhook/register", new TestWallet().response(challenge)),
  ]);
  expect([code.status, ready.status, answer.status]).toEqual([200, 200, 200]);
  await browser.signIn("svc", sid);
  expect(await readUserId(browser)).not.toBeNull();
});
