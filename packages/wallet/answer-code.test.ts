import { describe, expect, test } from "vitest";
import { answerCode } from "./answer-code.ts";
import { isValidSignature } from "./independent-crypto.fixture.ts";
import {
  createChallengeText,
  expectedWalletError,
  FAST_URL,
  formatSvcPayload,
  NOW,
  PHRASE,
} from "./payload.fixture.ts";
import { type Payload, readPayload } from "./read-payload.ts";
import { seedFromPhrase } from "./seed.ts";
import type { RequestEnvironment } from "./send-site-request.ts";
import { createTrialWallet, type TrialWallet } from "./trial-wallet.ts";
import type { WalletResponse } from "./wallet-response.ts";

const device = { platform: "web", version: "1", installation: "00".repeat(16) };
const seed = await seedFromPhrase(PHRASE);
const otherCode = readPayload(formatSvcPayload({ webhook: "https://api.example.net/webhook/sessions/1" }));

/** Accepts everything at a fixed time. */
function service(now = NOW) {
  const requests: { url: string; body: string }[] = [];
  const fetch = async (url: unknown, init?: RequestInit) => {
    requests.push({ url: String(url), body: String(init?.body) });
    return Response.json({ status: "authenticated" });
  };
  return { sent: requests, environment: { fetch, now: () => now } };
}

/** Valid when the user is asked, but not when the wallet answers. */
describe("a code that expires after it was approved", () => {
  test.each([
    ["a domain's code", formatSvcPayload(), 30],
    ["a fast login code", FAST_URL, 120],
  ])("is not answered, and the seed is wiped: %s", async (_, code, lifetime) => {
    const payload = readPayload(code);
    const answer = (seed: Uint8Array, { environment }: ReturnType<typeof service>) =>
      answerCode(payload, { seed: seed, account: 0, addressType: "p2wpkh", device }, {}, environment);
    expect(await answer(seed.slice(), service(NOW + lifetime - 1))).toMatchObject({ ok: true });
    for (const at of [NOW + lifetime + 1, NOW + 3600, NOW - 31]) {
      const [given, late] = [seed.slice(), service(at)];
      const code = at > NOW ? "challenge_expired" : "challenge_from_future";
      await expect(answer(given, late)).rejects.toEqual(expectedWalletError(code));
      expect(late.sent).toEqual([]);
      expect(given.every((byte) => byte === 0)).toBe(true);
    }
  });
});

describe("a trial wallet", () => {
  const answer = async (
    { unlock, trustedHosts }: TrialWallet,
    payload: Payload,
    environment: RequestEnvironment,
  ) => answerCode(payload, unlock(), { trustedHosts }, environment);

  test("answers with real signatures, using different keys at each domain", async () => {
    const [wallet, other] = [createTrialWallet(), createTrialWallet()];
    const { sent, environment } = service();
    const payload = readPayload(formatSvcPayload({ challenge: createChallengeText("register") }));
    for (const trialWallet of [wallet, wallet, other])
      expect(await answer(trialWallet, payload, environment)).toMatchObject({ ok: true });
    const responses = sent.map(({ body }): WalletResponse => JSON.parse(body));
    for (const response of responses) {
      expect(response).toMatchObject({
        challenge: payload.challenge,
        device_info: { platform: "trial", version: "2.0.0" },
        intent: null,
      });
      expect(isValidSignature(response.public_key, response.challenge, response.signature)).toBe(true);
    }
    expect(sent.map(({ url }) => url)).toEqual(Array(3).fill(payload.webhook));
    const [first, again, others] = responses.map(({ public_key }) => public_key);
    expect([again === first, others === first]).toEqual([true, false]);
    const net = formatSvcPayload({
      webhook: "https://example.net/x",
      challenge: createChallengeText("login", "example.net"),
    });
    const { key } = await answer(wallet, readPayload(net), environment);
    expect(key.publicKey).not.toBe(first);
  });

  test("refuses everything that other wallets refuse", async () => {
    const { sent, environment } = service();
    const wallet = createTrialWallet(["example.net"]);
    await expect(answer(wallet, otherCode, environment)).rejects.toEqual(expectedWalletError("webhook_host"));
    const lateEnvironment = { ...environment, now: () => NOW + 31 };
    await expect(answer(wallet, readPayload(formatSvcPayload()), lateEnvironment)).rejects.toEqual(
      expectedWalletError("challenge_expired"),
    );
    expect(sent).toEqual([]);
    const trusting = createTrialWallet(["api.example.net"]);
    expect(await answer(trusting, otherCode, environment)).toMatchObject({ ok: true });
  });

  test("does not sign once it has been forgotten", async () => {
    const { sent, environment } = service();
    const wallet = createTrialWallet();
    wallet.forget();
    await expect(answer(wallet, readPayload(formatSvcPayload()), environment)).rejects.toEqual(
      expectedWalletError("wallet_gone"),
    );
    expect(sent).toEqual([]);
  });
});
