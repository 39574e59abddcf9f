import { describe, expect, inject, test } from "vitest";
import { Client } from "#scripts/kit/client.ts";
import { deliverForm, requestFastQr } from "#scripts/kit/fast-login.ts";
import { check, registered, requestQr } from "#scripts/kit/login.ts";
import { sql } from "#scripts/kit/sql.ts";
import { FastWallet, TestWallet } from "#scripts/kit/test-wallet.ts";

const urls = inject("appUrls");
const databaseUrl = inject("databaseUrl");

const ROUNDS = 10;

/** Wallets, by turns at the two processes. */
const phone = (index: number) => new Client(urls[index % 2] ?? urls[0]);

/** Who holds the login, by its row: a refusal must not have changed that either. */
async function holderOf(sid: string): Promise<string | null | undefined> {
  const [row] = await sql<{ credential: string | null }>(
    databaseUrl,
    "SELECT credential FROM login_session WHERE sid = $1",
    [sid],
  );
  return row?.credential;
}

/** Sends all at once; the index of the only one that was accepted. */
async function onlyAccepted(sent: Promise<Response>[], refused: number): Promise<number> {
  const statuses = (await Promise.all(sent)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, ...Array(sent.length - 1).fill(refused)]);
  return statuses.indexOf(200);
}

describe("wallet responses at once, over two processes", () => {
  test.each(["login", "register"])("50 of one %s challenge: one 200, 49 times 408", async (action) => {
    const { wallet } = await registered(urls[0]);
    const { challenge } = await requestQr(new Client(urls[0]), action);
    const body = wallet.response(challenge);
    const sent = Array.from({ length: 50 }, (_, index) => phone(index).post(`/webhook/${action}`, body));
    await onlyAccepted(sent, 408);
  });

  test("50 of one challenge by 50 new keys: one 200, one user", async () => {
    const wallets = Array.from({ length: 50 }, () => new TestWallet());
    const { challenge } = await requestQr(new Client(urls[0]), "register");
    const sent = wallets.map((wallet, index) =>
      phone(index).post("/webhook/register", wallet.response(challenge)),
    );
    await onlyAccepted(sent, 408);
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
    const sent = codes.map(({ challenge }, index) =>
      phone(index).post("/webhook/register", wallet.response(challenge)),
    );
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(Array(20).fill(200));
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

/** Few at once, many times over: of many at once the first has ended before the last is read. */
describe.each([2, 4, 8])("%i at once", (count) => {
  test("of site login, of one challenge by as many users: one is accepted, and holds the login", async () => {
    const wallets = Array.from({ length: count }, () => new TestWallet());
    for (const wallet of wallets) await registered(urls[0], wallet);
    for (let round = 0; round < ROUNDS; round++) {
      const { sid, challenge } = await requestQr(new Client(urls[0]));
      const sent = wallets.map((wallet, index) =>
        phone(index).post("/webhook/login", wallet.response(challenge)),
      );
      const winner = wallets[await onlyAccepted(sent, 408)];
      expect(await holderOf(sid)).toBe(winner?.publicKey);
    }
  });

  test("of site login, of as many challenges of one session: one is accepted, and holds the login", async () => {
    const wallets = Array.from({ length: count }, () => new TestWallet());
    for (const wallet of wallets) await registered(urls[0], wallet);
    for (let round = 0; round < ROUNDS; round++) {
      const browser = new Client(urls[0]);
      const { sid, challenge } = await requestQr(browser);
      const challenges = [challenge];
      while (challenges.length < count) challenges.push((await requestQr(browser, "login", sid)).challenge);
      const sent = challenges.map((text, index) =>
        phone(index).post("/webhook/login", wallets[index]?.response(text)),
      );
      const winner = wallets[await onlyAccepted(sent, 408)];
      expect(await holderOf(sid)).toBe(winner?.publicKey);
    }
  });

  test("of fast login, of one challenge by as many wallets: one is accepted, and holds the login", async () => {
    const wallets = Array.from({ length: count }, () => new FastWallet());
    for (let round = 0; round < ROUNDS; round++) {
      const { sid, qr } = await requestFastQr(new Client(urls[0]));
      const sent = wallets.map((wallet, index) => deliverForm(phone(index), qr, wallet.fields(qr)));
      const winner = wallets[await onlyAccepted(sent, 400)];
      expect(await holderOf(sid)).toBe(winner?.address);
    }
  });
});

test("of fast login, of the four challenges of one session at once one is accepted, and holds the login", async () => {
  const wallets = Array.from({ length: 4 }, () => new FastWallet());
  for (let round = 0; round < ROUNDS; round++) {
    const browser = new Client(urls[0]);
    const { sid, qr } = await requestFastQr(browser);
    const codes = [qr];
    while (codes.length < 4) codes.push((await requestFastQr(browser, { sid })).qr);
    const sent = wallets.map((wallet, index) => {
      const code = codes[index] ?? qr;
      return deliverForm(phone(index), code, wallet.fields(code));
    });
    const winner = wallets[await onlyAccepted(sent, 400)];
    expect(await holderOf(sid)).toBe(winner?.address);
  }
});

test("an unknown key beside a known one leaves the login authenticated, never unregistered", async () => {
  const { wallet } = await registered(urls[0]);
  for (let round = 0; round < 2 * ROUNDS; round++) {
    const { sid, challenge } = await requestQr(new Client(urls[0]));
    const [known, unknown] = await Promise.all([
      phone(round).post("/webhook/login", wallet.response(challenge)),
      phone(round + 1).post("/webhook/login", new TestWallet().response(challenge)),
    ]);
    expect(known.status).toBe(200);
    expect([404, 408]).toContain(unknown.status);
    expect(await check(new Client(urls[0]), sid)).toMatchObject({ status: "authenticated" });
    expect(await holderOf(sid)).toBe(wallet.publicKey);
  }
});

test("a login that somebody holds is not taken over by another user, by its other challenge or the same", async () => {
  const [holder, other] = [await registered(urls[0]), await registered(urls[0])];
  const browser = new Client(urls[0]);
  const first = await requestQr(browser);
  const second = await requestQr(browser, "login", first.sid);
  expect((await phone(0).post("/webhook/login", holder.wallet.response(first.challenge))).status).toBe(200);
  for (const { challenge } of [first, second]) {
    const refused = await phone(1).post("/webhook/login", other.wallet.response(challenge));
    expect(refused.status).toBe(408);
    expect(await holderOf(first.sid)).toBe(holder.wallet.publicKey);
  }
});
