import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#e2e/support/test-database.ts";
import { VirtualWallet } from "#lib/login/testing/virtual-wallet.ts";
import { shutDown } from "#lib/platform/shutdown.ts";
import { createLogin, type Login } from "./create-login.ts";

const ORIGIN = "https://shop.example";

let database: TestDatabase;
let login: Login;

beforeAll(async () => {
  database = await createTestDatabase();
  login = createLogin(async () => ({
    origin: new URL(ORIGIN),
    qrFormat: "svc",
    secrets: ["a secret of thirty-two characters"],
    trustedProxies: 0,
    databaseUrl: database.url,
  }));
  await login.start();
});
afterAll(async () => {
  await shutDown(async () => {});
  await database.close();
});

/** A registration that a wallet has answered, and the cookie of the browser that started it. */
async function answered(): Promise<{ sid: string; cookie: string }> {
  const code = await login.routes.GET(new Request(`${ORIGIN}/api/svc/qr?mode=register`));
  const { sid, challenge } = await code.json();
  const response = await login.routes.POST(
    new Request(`${ORIGIN}/webhook/register`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(new VirtualWallet().sign(challenge)),
    }),
  );
  expect(response.status).toBe(200);
  return { sid, cookie: (code.headers.get("set-cookie") ?? "").split(";")[0] ?? "" };
}

test("an answered login is redeemed once, by the browser that started it", async () => {
  const { sid, cookie } = await answered();
  const stranger = await answered();
  expect(await login.redeem(new Headers(), sid)).toBeNull();
  expect(await login.redeem(new Headers({ cookie: stranger.cookie }), sid)).toBeNull();
  const browser = new Headers({ cookie });
  const [first, second] = await Promise.all([login.redeem(browser, sid), login.redeem(browser, sid)]);
  expect([first, second].filter(Boolean)).toEqual([
    { userId: expect.any(Number), browserSessionId: expect.any(String) },
  ]);
  expect(await login.redeem(browser, sid)).toBeNull();
});

test.each(["", "\0", "a'b", "é", "a".repeat(15_000)])("%j names no login", async (sid) => {
  const { cookie } = await answered();
  expect(await login.redeem(new Headers({ cookie }), sid)).toBeNull();
});
