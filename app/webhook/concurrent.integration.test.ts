import { describe, expect, test } from "vitest";
import { findSessionsOfKey } from "#e2e/support/account.ts";
import { databaseUrl, query, urls } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import { postWalletForm, requestFastQr } from "#tools/kit/fast-login.ts";
import { answerRegistration, checkLogin, requestQr } from "#tools/kit/login.ts";
import { FastWallet, TestWallet } from "#tools/kit/test-wallet.ts";

const ROUNDS = 12;

/** Wallets that use the two processes in turn. */
const phone = (index: number) => new Client(urls[index % 2] ?? urls[0]);

/** The user of the login according to its row, because a refusal must not change that either. */
async function holderOf(sid: string): Promise<unknown> {
  const rows = await query("SELECT credential FROM login_session WHERE sid = $1", [sid]);
  return rows[0]?.credential;
}

/** Sends all of them simultaneously and returns the index of the only accepted one. */
async function onlyAccepted(requests: Promise<Response>[], refusedStatus: number): Promise<number> {
  const statuses = (await Promise.all(requests)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, ...Array(requests.length - 1).fill(refusedStatus)]);
  return statuses.indexOf(200);
}

describe("concurrent wallet responses over two processes", () => {
  test("create one user if 50 new keys answer one challenge", async () => {
    const wallets = Array.from({ length: 50 }, () => new TestWallet());
    const { challenge } = await requestQr(new Client(urls[0]), "register");
    const requests = wallets.map((wallet, index) =>
      phone(index).post("/webhook/register", wallet.response(challenge)),
    );
    await onlyAccepted(requests, 408);
    const rows = await query("SELECT 1 FROM credential WHERE value = ANY($1)", [
      wallets.map(({ publicKey }) => publicKey),
    ]);
    expect(rows).toHaveLength(1);
  });

  test("leave the session authenticated if its code is refreshed at the same time", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const browser = new Client(urls[0]);
      const { sid, challenge } = await requestQr(browser, "register");
      const [delivered] = await Promise.all([
        new Client(urls[1]).post("/webhook/register", new TestWallet().response(challenge)),
        requestQr(browser, "register", sid),
      ]);
      expect(delivered.status).toBe(200);
      expect(await checkLogin(browser, sid)).toMatchObject({ status: "authenticated" });
    }
  });

  test("leave the login authenticated if only one of the two keys is known", async () => {
    const { wallet } = await answerRegistration(urls[0]);
    for (let round = 0; round < ROUNDS; round++) {
      const { sid, challenge } = await requestQr(new Client(urls[0]));
      const [known, unknown] = await Promise.all([
        phone(round).post("/webhook/login", wallet.response(challenge)),
        phone(round + 1).post("/webhook/login", new TestWallet().response(challenge)),
      ]);
      expect(known.status).toBe(200);
      expect([404, 408]).toContain(unknown.status);
      expect(await checkLogin(new Client(urls[0]), sid)).toMatchObject({ status: "authenticated" });
      expect(await holderOf(sid)).toBe(wallet.publicKey);
    }
  });
});

type Redeem = (browser: Client, sid: string) => Promise<Response>;

/** Requests and answers a code, and redeems its login in two ways. */
const FLOWS = [
  {
    flow: "site login",
    refused: 408,
    async ask(browser: Client, goingOn?: string) {
      const { sid, challenge } = await requestQr(browser, "login", goingOn);
      return { sid, code: challenge };
    },
    async newWallet() {
      const { wallet } = await answerRegistration(urls[0]);
      const answer = (code: string, index: number) =>
        phone(index).post("/webhook/login", wallet.response(code));
      return { key: wallet.publicKey, answer };
    },
    ways: [
      (browser, sid) => browser.signIn("svc", sid),
      (browser, sid) => browser.post("/api/svc/sign-in", { sid }),
    ] as [Redeem, Redeem],
  },
  {
    flow: "fast login",
    refused: 400,
    async ask(browser: Client, goingOn?: string) {
      const { sid, qr } = await requestFastQr(browser, goingOn === undefined ? {} : { sid: goingOn });
      return { sid, code: qr };
    },
    async newWallet() {
      const wallet = new FastWallet();
      const answer = (code: string, index: number) => postWalletForm(phone(index), code, wallet.fields(code));
      return { key: wallet.address, answer };
    },
    ways: [
      (browser, sid) => browser.signIn("fast", sid),
      (browser, sid) => browser.fetch(`/dashboard/enter?${new URLSearchParams({ sid })}`),
    ] as [Redeem, Redeem],
  },
];

describe.each(FLOWS)("$flow, under concurrent requests", ({ refused, ask, newWallet, ways }) => {
  // Small bursts, many times over, because in a large burst the first has ended before the last is read.
  test.each([2, 4, 8])(
    "accepts only one of several concurrent responses, whether to one code or to several: %i",
    async (count) => {
      const wallets = await Promise.all(Array.from({ length: count }, newWallet));
      for (let round = 0; round < ROUNDS; round++) {
        const browser = new Client(urls[0]);
        const { sid, code } = await ask(browser);
        const codes = [code];
        while (codes.length < count) codes.push(round % 2 ? (await ask(browser, sid)).code : code);
        const requests = wallets.map(({ answer }, index) => answer(codes[index] ?? code, index));
        const winner = wallets[await onlyAccepted(requests, refused)];
        expect(await holderOf(sid)).toBe(winner?.key);
      }
    },
  );

  test.each([2, 4, 8])(
    "opens only one session for several concurrent redemptions of a login: %i",
    async (count) => {
      const { key, answer } = await newWallet();
      for (let round = 1; round <= ROUNDS; round++) {
        const browser = new Client(urls[0]);
        const { sid, code } = await ask(browser);
        expect((await answer(code, round)).status).toBe(200);
        const copies = Array.from({ length: count }, (_, index) => browser.copy(urls[index % 2]));
        await Promise.all(
          copies.map(async (copy, index) => {
            const response = await ways[(index + round) % 2 ? 0 : 1](copy, sid);
            await response.body?.cancel();
          }),
        );
        expect(await findSessionsOfKey(databaseUrl, key), `round ${round}`).toHaveLength(round);
      }
    },
  );
});
