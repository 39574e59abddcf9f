import { describe, expect, test } from "vitest";
import { findSessionsOfKey } from "#e2e/support/account.ts";
import { databaseUrl, query, urls } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import { postWalletForm, requestFastQr } from "#tools/kit/fast-login.ts";
import { answerRegistration, checkLogin, requestQr } from "#tools/kit/login.ts";
import { FastWallet, TestWallet } from "#tools/kit/test-wallet.ts";

const ROUNDS = 12;

const phone = (index: number) => new Client(urls[index % 2] ?? urls[0]);

/** A refused response must not change it. */
async function holderOf(sid: string): Promise<unknown> {
  const rows = await query("SELECT credential FROM login_session WHERE sid = $1", [sid]);
  return rows[0]?.credential;
}

/** Sends all simultaneously. Returns the index of the accepted one. */
async function onlyAccepted(
  requests: (Promise<Response> | undefined)[],
  refusedStatus: number,
): Promise<number> {
  const statuses = (await Promise.all(requests)).map((response) => response?.status);
  expect(statuses.toSorted()).toEqual([200, ...Array(requests.length - 1).fill(refusedStatus)]);
  return statuses.indexOf(200);
}

test("leaves a login authenticated if its code is refreshed at the same time", async () => {
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

type Redeem = (browser: Client, sid: string) => Promise<Response>;

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

/** Uses many small bursts: in a large burst, the first request would end before the server reads the last one. */
const burst = (round: number) => [2, 4, 8][round % 3] ?? 2;

describe.each(FLOWS)("$flow, under concurrent requests", ({ refused, ask, newWallet, ways }) => {
  test("accepts only one of 2, 4 or 8 concurrent responses, whether to one code or to several", async () => {
    const wallets = await Promise.all(Array.from({ length: 8 }, newWallet));
    for (let round = 0; round < ROUNDS; round++) {
      const browser = new Client(urls[0]);
      const { sid, code } = await ask(browser);
      const codes = [code];
      while (codes.length < burst(round)) codes.push(round % 2 ? (await ask(browser, sid)).code : code);
      const requests = codes.map((each, index) => wallets[index]?.answer(each, index));
      const winner = wallets[await onlyAccepted(requests, refused)];
      expect(await holderOf(sid)).toBe(winner?.key);
    }
  });

  test("opens only one session for 2, 4 or 8 concurrent redemptions of a login", async () => {
    const { key, answer } = await newWallet();
    for (let round = 1; round <= ROUNDS; round++) {
      const browser = new Client(urls[0]);
      const { sid, code } = await ask(browser);
      expect((await answer(code, round)).status).toBe(200);
      const copies = Array.from({ length: burst(round) }, (_, index) => browser.copy(urls[index % 2]));
      await Promise.all(
        copies.map(async (copy, index) => {
          const response = await ways[(index + round) % 2 ? 0 : 1](copy, sid);
          await response.body?.cancel();
        }),
      );
      expect(await findSessionsOfKey(databaseUrl, key), `round ${round}`).toHaveLength(round);
    }
  });
});
