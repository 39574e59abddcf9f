import { describe, expect, inject, test } from "vitest";
import { Client } from "#scripts/kit/client.ts";
import { check, registered, requestQr } from "#scripts/kit/login.ts";
import { sql } from "#scripts/kit/sql.ts";
import { TestWallet } from "#scripts/kit/test-wallet.ts";

const urls = inject("appUrls");
const databaseUrl = inject("databaseUrl");

/** Posts all at once, by turns to the two processes; the statuses, sorted. */
async function statusesAtOnce(posts: { path: string; body: unknown }[]): Promise<number[]> {
  const answers = await Promise.all(
    posts.map(({ path, body }, index) => new Client(urls[index % 2] ?? urls[0]).post(path, body)),
  );
  return answers.map(({ status }) => status).toSorted();
}

describe("wallet responses at once, over two processes", () => {
  test.each(["login", "register"])("50 of one %s challenge: one 200, 49 times 408", async (action) => {
    const { wallet } = await registered(urls[0]);
    const { challenge } = await requestQr(new Client(urls[0]), action);
    const posts = Array.from({ length: 50 }, () => ({
      path: `/webhook/${action}`,
      body: wallet.response(challenge),
    }));
    expect(await statusesAtOnce(posts)).toEqual([200, ...Array(49).fill(408)]);
  });

  test("50 of one challenge by 50 new keys: one 200, one user", async () => {
    const wallets = Array.from({ length: 50 }, () => new TestWallet());
    const { challenge } = await requestQr(new Client(urls[0]), "register");
    const posts = wallets.map((wallet) => ({ path: "/webhook/register", body: wallet.response(challenge) }));
    expect(await statusesAtOnce(posts)).toEqual([200, ...Array(49).fill(408)]);
    const rows = await sql(databaseUrl, "SELECT 1 FROM credential WHERE value = ANY($1)", [
      wallets.map(({ publicKey }) => publicKey),
    ]);
    expect(rows).toHaveLength(1);
  });

  test("20 registrations of one key in sessions of their own: all 200, one user", async () => {
    const wallet = new TestWallet();
    const codes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => requestQr(new Client(urls[index % 2] ?? urls[0]), "register")),
    );
    const posts = codes.map(({ challenge }) => ({
      path: "/webhook/register",
      body: wallet.response(challenge),
    }));
    expect(await statusesAtOnce(posts)).toEqual(Array(20).fill(200));
    const answers = await Promise.all(codes.map(({ sid }) => check(new Client(urls[0]), sid)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    // Nor was another user made for any of them (lib/login/store/accept-response.integration.test.ts counts them all).
    const users = await sql(
      databaseUrl,
      `SELECT user_id FROM login_session WHERE sid = ANY($1)
       UNION SELECT user_id FROM login_event WHERE sid = ANY($1) AND user_id IS NOT NULL
       UNION SELECT user_id FROM credential WHERE value = $2`,
      [codes.map(({ sid }) => sid), wallet.publicKey],
    );
    expect(users).toHaveLength(1);
  });

  test("a refresh in the middle of a wallet response never brings an authenticated session back to pending", async () => {
    for (let round = 0; round < 10; round++) {
      const browser = new Client(urls[0]);
      const { sid, challenge } = await requestQr(browser, "register");
      const [delivered] = await Promise.all([
        new Client(urls[1]).post("/webhook/register", new TestWallet().response(challenge)),
        requestQr(browser, "register", sid),
      ]);
      expect(delivered.status).toBe(200);
      expect(await check(browser, sid)).toMatchObject({ status: "authenticated" });
    }
  });
});
