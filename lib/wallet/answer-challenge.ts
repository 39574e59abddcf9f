import { checkPayload, type Expectation } from "./check-payload.ts";
import { deriveKey } from "./derive-key.ts";
import { type DeviceOptions, deviceInfo } from "./device-info.ts";
import { fingerprint } from "./fingerprint.ts";
import type { ChallengePayload } from "./read-payload.ts";
import { type SendResult, type Surroundings, sendResponse } from "./send-response.ts";
import { makeWalletResponse } from "./sign-challenge.ts";

/** A domain's key without its private half. */
export type KeyIdentity = {
  domain: string;
  account: number;
  path: string;
  /** Hex, uncompressed. */
  publicKey: string;
  fingerprint: string;
};

/** Who answers. */
export type Answerer = {
  /** 64 bytes of a BIP-39 phrase; wiped as soon as the answer is signed or refused. */
  seed: Uint8Array;
  account: number;
  device: DeviceOptions;
};

/**
 * Answers a payload that its reader approved: refuses once more what must be refused, derives the
 * domain's key, signs and delivers. Call it only after a deliberate act of consent.
 * @throws WalletError as `checkPayload` and `deriveKey`, before anything is signed
 */
export async function answerChallenge(
  payload: ChallengePayload,
  { seed, account, device }: Answerer,
  expected: Omit<Expectation, "now">,
  surroundings: Surroundings = {},
): Promise<SendResult & { key: KeyIdentity; signature: string }> {
  const now = surroundings.now ?? (() => Date.now() / 1000);
  const { challenge } = payload;
  const { response, key } = sign();
  const result = await sendResponse(payload, response, surroundings);
  return { ...result, key, signature: response.signature };

  // Apart, so that nothing secret is left when the sending begins, which may take the challenge's whole life.
  function sign() {
    try {
      checkPayload(payload, { ...expected, now: now() });
      const key = deriveKey(seed, challenge.domain, account);
      const response = makeWalletResponse(payload, key, deviceInfo(device, challenge.domain), now());
      key.privateKey.fill(0);
      return { response, key: identify(key) };
    } finally {
      seed.fill(0);
    }
  }
}

/** The key of a domain and account, without its private half. */
export function describeKey(seed: Uint8Array, domain: string, account: number): KeyIdentity {
  const key = deriveKey(seed, domain, account);
  key.privateKey.fill(0);
  return identify(key);
}

function identify({ domain, account, path, publicKey }: Omit<KeyIdentity, "fingerprint">): KeyIdentity {
  return { domain, account, path, publicKey, fingerprint: fingerprint(publicKey) };
}
