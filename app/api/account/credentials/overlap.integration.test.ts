import { describe, expect, test } from "vitest";
import { answerAddCode, answeredLogin } from "#e2e/support/account.ts";
import { holdLock } from "#e2e/support/held-lock.ts";
import { databaseUrl, query, url } from "#e2e/support/test-apps.ts";
import { Client } from "#scripts/kit/client.ts";
import { deliverForm, requestFastQr } from "#scripts/kit/fast-login.ts";
import { requestQr, signedIn, userIdOf } from "#scripts/kit/login.ts";
import { FastWallet, TestWallet } from "#scripts/kit/test-wallet.ts";

/** The removal of a key overlaps its use: whichever comes first, the key opens nothing afterwards. */

const LOCK_LOGIN = "SELECT 1 FROM login_session WHERE sid = $1 FOR UPDATE";

/** A user with a key that is used up to now, and one of the named kind that is about to be removed. */
async function withSpareKey(kind: "key" | "address") {
  const { browser, userId } = await signedIn(url);
  const spare = kind === "address" ? new FastWallet() : new TestWallet();
  const value = spare instanceof FastWallet ? spare.address : spare.publicKey;
  await browser.post("/api/account/credentials", { sid: await answerAddCode(browser, spare) });
  // Its holder has gone on to the account before: it is an ordinary key.
  const rows = await query<{ id: string }>(
    "UPDATE credential SET added_by_session = NULL WHERE value = $1 RETURNING id",
    [value],
  );
  const remove = () => browser.fetch(`/api/account/credentials/${rows[0]?.id}`, { method: "DELETE" });
  return { userId, spare, remove };
}

/** A browser's code, and how a wallet answers it. */
async function codeFor(wallet: TestWallet | FastWallet, browser: Client) {
  if (wallet instanceof FastWallet) {
    const { sid, qr } = await requestFastQr(browser);
    return { sid, answer: () => deliverForm(new Client(url), qr, wallet.fields(qr)) };
  }
  const { sid, challenge } = await requestQr(browser);
  return { sid, answer: () => new Client(url).post("/webhook/login", wallet.response(challenge)) };
}

describe.each([
  ["key", "svc"],
  ["address", "fast"],
] as const)("a %s", (kind, provider) => {
  test("whose answer is being taken while it is removed leaves no login to redeem", async () => {
    const { userId, spare, remove } = await withSpareKey(kind);
    const browser = new Client(url);
    const { sid, answer } = await codeFor(spare, browser);
    const lock = await holdLock(databaseUrl, LOCK_LOGIN, [sid]);
    // The answer has found the key's user, and waits for its session.
    const answered = answer();
    await lock.waiting(1);
    expect((await remove()).status).toBe(204);
    await lock.release();
    expect((await answered).status).toBe(200);
    expect((await browser.signIn(provider, sid)).status).toBe(401);
    expect(await userIdOf(browser)).not.toBe(userId);
  });

  test("that signs in while it is removed opens a session that ends with it", async () => {
    const { spare, remove } = await withSpareKey(kind);
    const browser = new Client(url);
    const sid = await answeredLogin(spare, browser);
    const lock = await holdLock(databaseUrl, LOCK_LOGIN, [sid]);
    const entering = browser.signIn(provider, sid);
    await lock.waiting(1);
    const removing = remove();
    await lock.waiting(2);
    await lock.release();
    await entering;
    expect((await removing).status).toBe(204);
    expect(await userIdOf(browser)).toBeNull();
  });
});
