import { createPublicKey, verify } from "node:crypto";
import { expect, test } from "vitest";
import { challengeText, NOW, svcForm } from "./payload.fixture.ts";
import { type ChallengePayload, readPayload } from "./read-payload.ts";
import type { WalletResponse } from "./sign-challenge.ts";
import { makeTrialWallet } from "./trial-wallet.ts";

const refusal = (code: string) => expect.objectContaining({ name: "WalletError", code });

function read(text: string): ChallengePayload {
  const payload = readPayload(text);
  if (payload.kind !== "challenge") throw new Error("expected a challenge");
  return payload;
}

/** A service that accepts everything, and what it was sent. */
function service() {
  const sent: { url: string; response: WalletResponse }[] = [];
  const fetch = async (url: unknown, init?: RequestInit) => {
    sent.push({ url: String(url), response: JSON.parse(String(init?.body)) });
    return Response.json({ status: "authenticated" });
  };
  return { sent, surroundings: { fetch, now: () => NOW } };
}

function verifies({ public_key, signature, challenge }: WalletResponse): boolean {
  const der = Buffer.from(`3056301006072a8648ce3d020106052b8104000a034200${public_key}`, "hex");
  const key = createPublicKey({ key: der, format: "der", type: "spki" });
  return verify("sha256", Buffer.from(challenge, "utf8"), key, Buffer.from(signature, "hex"));
}

test("a trial wallet answers with a real signature, as often as it is asked, by the key that it names", async () => {
  const wallet = makeTrialWallet("1.2.3");
  const { sent, surroundings } = service();
  const payload = read(svcForm({ challenge: challengeText("register") }));
  for (const _ of [1, 2]) expect(await wallet.answer(payload, surroundings)).toMatchObject({ ok: true });
  expect(sent).toHaveLength(2);
  for (const { url, response } of sent) {
    expect(url).toBe(payload.webhook);
    expect(response).toMatchObject({
      public_key: wallet.identify("example.com").publicKey,
      challenge: payload.challenge.text,
      device_info: { platform: "trial", version: "1.2.3" },
      intent: null,
    });
    expect(verifies(response)).toBe(true);
  }
});

test("each has keys of its own, and another at each domain", () => {
  const [one, two] = [makeTrialWallet("1"), makeTrialWallet("1")];
  const keys = [one.identify("example.com"), one.identify("example.net"), two.identify("example.com")];
  expect(new Set(keys.map(({ publicKey }) => publicKey)).size).toBe(3);
});

test("it refuses what every wallet refuses, and sends nothing", async () => {
  const wallet = makeTrialWallet("1");
  const { sent, surroundings } = service();
  const elsewhere = read(svcForm({ webhook: "https://evil.example/webhook" }));
  await expect(wallet.answer(elsewhere, surroundings)).rejects.toEqual(refusal("webhook_host"));
  const late = { ...surroundings, now: () => NOW + 31 };
  await expect(wallet.answer(read(svcForm()), late)).rejects.toEqual(refusal("challenge_expired"));
  expect(sent).toEqual([]);
});

test("once forgotten it signs nothing: no key is derived from an empty seed", async () => {
  const wallet = makeTrialWallet("1");
  const { sent, surroundings } = service();
  wallet.forget();
  await expect(wallet.answer(read(svcForm()), surroundings)).rejects.toEqual(refusal("wallet_gone"));
  expect(() => wallet.identify("example.com")).toThrow(refusal("wallet_gone"));
  expect(sent).toEqual([]);
});

test("a trial wallet answers a customer's code to the API that it was made to trust, and to no other", async () => {
  const { sent, surroundings } = service();
  const payload = read(
    svcForm({ challenge: challengeText("login"), webhook: "https://api.example.net/webhook/sessions/1" }),
  );
  const trusting = makeTrialWallet("1", ["api.example.net"]);
  expect(await trusting.answer(payload, surroundings)).toMatchObject({ ok: true });
  for (const wallet of [makeTrialWallet("1"), makeTrialWallet("1", ["example.net"])]) {
    await expect(wallet.answer(payload, surroundings)).rejects.toEqual(refusal("webhook_host"));
  }
  expect(sent).toHaveLength(1);
});
