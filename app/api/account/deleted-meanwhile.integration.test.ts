import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { holdLock } from "#e2e/support/held-lock.ts";
import { createUserWithCodes, openRecovery } from "#e2e/support/recovery.ts";
import { requestSharedApp } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import { requestCode, signInBrowser } from "#tools/kit/login.ts";
import { sql } from "#tools/kit/sql.ts";
import type { TestWallet } from "#tools/kit/test-wallet.ts";

const app = await requestSharedApp("lockedTables");

/** Waits halfway until the lock is released. */
async function startDeleting(browser: Client, { publicKey }: TestWallet) {
  await sql(
    app.databaseUrl,
    `INSERT INTO hosted_login (session_id, created_at, event_id, public_key, authenticated_at)
     VALUES ($1, now(), $1, $2, now())`,
    [randomUUID(), publicKey],
  );
  const row = "SELECT 1 FROM hosted_login WHERE public_key = $1 FOR UPDATE";
  const lock = await holdLock(app.databaseUrl, row, [publicKey]);
  const deletion = browser.delete("/api/account");
  await lock.waiting(1);
  return { lock, deletion };
}

test("rejects a recovery code that is entered while the account is being deleted", async () => {
  const { browser, wallet, codes } = await createUserWithCodes(app.url);
  const { lock, deletion } = await startDeleting(browser, wallet);
  const answer = openRecovery(new Client(app.url), codes[0]);
  await lock.waiting(2);
  await lock.release();
  await expectApiError(await answer, 401, "invalid_recovery_code");
  expect((await deletion).status).toBe(204);
});

test("does not sign the user in if a login is redeemed while the account is being deleted", async () => {
  const { browser, wallet } = await signInBrowser(app.url);
  const other = new Client(app.url);
  const { sid, challenge } = await requestCode(other);
  await new Client(app.url).expect(200, "/webhook/login", { json: wallet.response(challenge) });
  const { lock, deletion } = await startDeleting(browser, wallet);
  const answer = other.post("/api/svc/sign-in", { sid });
  await lock.waiting(2);
  await lock.release();
  await expectApiError(await answer, 401, "session_not_found");
  expect((await deletion).status).toBe(204);
});

test("returns 404 to a wallet that answers a login while its account is being deleted", async () => {
  const { browser, wallet } = await signInBrowser(app.url);
  const { sid, challenge } = await requestCode(new Client(app.url));
  const row = "SELECT 1 FROM login_session WHERE sid = $1 FOR UPDATE";
  const lock = await holdLock(app.databaseUrl, row, [sid]);
  const answer = new Client(app.url).post("/webhook/login", wallet.response(challenge));
  await lock.waiting(1);
  expect((await browser.delete("/api/account")).status).toBe(204);
  await lock.release();
  await expectApiError(await answer, 404, "user_not_found");
});

test("returns 401 to an API key that registers a domain while its account is being deleted", async () => {
  const { browser, userId } = await signInBrowser(app.url);
  const { key } = await (await browser.post("/api/console/test/keys", { name: "Late" })).json();
  const lock = await holdLock(app.databaseUrl, "DELETE FROM owner WHERE user_id = $1", [userId]);
  const answer = new Client(app.url).fetch("/sandbox/v1/domains", {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${key}` },
    body: JSON.stringify({ domain: "late.test", webhook_url: "https://shop.example.com/events" }),
  });
  await lock.waiting(1);
  await lock.release();
  await expectApiError(await answer, 401, "invalid_api_key");
});

test("stops a running export when the account is deleted", async () => {
  const { browser, userId } = await signInBrowser(app.url);
  // The export reads this table first.
  const lock = await holdLock(app.databaseUrl, "LOCK TABLE known_browser IN ACCESS EXCLUSIVE MODE");
  const answer = browser.fetch("/api/account/export");
  await lock.waiting(1);
  await lock.query("DELETE FROM user_account WHERE id = $1", [userId]);
  await lock.release();
  await expectApiError(await answer, 401, "not_signed_in");
});
