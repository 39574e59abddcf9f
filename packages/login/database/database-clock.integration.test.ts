import { expect, onTestFinished, test } from "vitest";
import { databaseUrl, query, url } from "../../../e2e/support/test-apps.ts";
import { Client } from "../../../tools/kit/client.ts";
import { requestQr } from "../../../tools/kit/login.ts";
import { backdateLogin } from "../../../tools/kit/sql.ts";
import { startApp } from "../../../tools/kit/start-app.ts";
import { TestWallet } from "../../../tools/kit/test-wallet.ts";

const HOUR_MS = 60 * 60 * 1000;

/** The clock is wrong from the process's first instruction. */
async function startWithClock(offsetMs: number) {
  const wrong = `const now = Date.now; Date.now = () => now() + ${offsetMs};`;
  const app = await startApp({
    APP_URL: url,
    DATABASE_URL: databaseUrl,
    TRUSTED_PROXIES: "1",
    LOG_LEVEL: "warn",
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(wrong)}`,
  });
  onTestFinished(() => app.stop());
  return app.url;
}

async function databaseSeconds(): Promise<number> {
  const [clock] = await query<{ now: Date }>("SELECT now()");
  return Math.floor(Number(clock?.now) / 1000);
}

test.each([
  ["an hour ahead", HOUR_MS],
  ["an hour behind", -HOUR_MS],
])(
  "uses the database's clock for challenges even if the process's clock is wrong: %s",
  async (_name, offset) => {
    const wrongApp = await startWithClock(offset);
    const wallet = new TestWallet();
    const before = await databaseSeconds();
    const code = await requestQr(new Client(wrongApp), "register");
    expect(code.expiresAt - 30).toBeGreaterThanOrEqual(before - 1);
    expect(code.expiresAt - 30).toBeLessThanOrEqual((await databaseSeconds()) + 1);
    // Each process accepts the other's codes while they are valid.
    expect((await new Client(url).post("/webhook/register", wallet.response(code.challenge))).status).toBe(
      200,
    );
    const other = await requestQr(new Client(url));
    expect((await new Client(wrongApp).post("/webhook/login", wallet.response(other.challenge))).status).toBe(
      200,
    );
    // Neither process accepts the other's codes after they have expired.
    for (const [issuer, verifier] of [
      [url, wrongApp],
      [wrongApp, url],
    ] as const) {
      const oldCode = await requestQr(new Client(issuer));
      await backdateLogin(databaseUrl, oldCode.sid, 31);
      expect(
        (await new Client(verifier).post("/webhook/login", wallet.response(oldCode.challenge))).status,
      ).toBe(408);
    }
  },
);
