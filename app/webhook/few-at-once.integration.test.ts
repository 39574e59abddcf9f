import { describe, expect, inject, test } from "vitest";
import { Client } from "#scripts/kit/client.ts";
import { deliverForm, requestFastQr } from "#scripts/kit/fast-login.ts";
import { check, registered, requestQr } from "#scripts/kit/login.ts";
import { sql } from "#scripts/kit/sql.ts";
import { FastWallet, TestWallet } from "#scripts/kit/test-wallet.ts";

/** Few at once, many times over: of many at once the first has ended before the last is read. */

const urls = inject("appUrls");
const databaseUrl = inject("databaseUrl");
const ROUNDS = 10;

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
