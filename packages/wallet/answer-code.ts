import { type AddressType, deriveAddress, signMessage } from "./bitcoin-address.ts";
import { checkPayload, type PayloadExpectation } from "./check-payload.ts";
import { computeFingerprint, deriveKey } from "./derive-key.ts";
import { type Payload, readDeviceTime } from "./read-payload.ts";
import { type SendResult, type SignedBody, sendResponse } from "./send-response.ts";
import type { RequestEnvironment } from "./send-site-request.ts";
import { createWalletResponse, TRIAL_PLATFORM, type WalletDevice } from "./wallet-response.ts";

export type ResponseSigner = {
  /** 64 bytes from a BIP-39 phrase; wiped as soon as the answer is signed or refused. */
  seed: Uint8Array;
  account: number;
  /** For fast login. */
  addressType: AddressType;
  device: WalletDevice;
};

/** The key for a domain, with its fingerprint, or in fast login the key of an address. */
export type SigningKey = {
  account: number;
  path: string;
  /** Hex. */
  publicKey: string;
  fingerprint?: string;
  address?: string;
};

export type CodeAnswer = SendResult & { signature: string; key: SigningKey };

/**
 * Repeats the checks before it signs. Call it only after the user has deliberately agreed.
 * @throws WalletError the errors of `checkPayload`, `deriveKey` and `deriveAddress`, before anything is signed
 */
export async function answerCode(
  payload: Payload,
  answerer: ResponseSigner,
  expected: Omit<PayloadExpectation, "now">,
  environment: RequestEnvironment = {},
): Promise<CodeAnswer> {
  const { now = readDeviceTime } = environment;
  // `sign` wipes every secret before sending begins, because sending can take as long as the challenge is valid.
  const { key, signature, ...signed } = sign(payload, answerer, { ...expected, now: now() });
  return { ...(await sendResponse(payload, signed, environment)), key, signature };
}

function sign(
  payload: Payload,
  { seed, account, addressType, device }: ResponseSigner,
  expected: PayloadExpectation,
): SignedBody & { key: SigningKey; signature: string } {
  try {
    checkPayload(payload, expected);
    if (payload.kind === "fast") {
      const { privateKey, ...key } = deriveAddress(seed, addressType, account);
      const signedMessage = signMessage(payload.signed, { ...key, privateKey });
      privateKey.fill(0);
      const fields = new URLSearchParams(signedMessage);
      // The site learns from this that the wallet disappears with its tab, so that the account does not rely on it.
      if (device.platform === TRIAL_PLATFORM) fields.set("platform", TRIAL_PLATFORM);
      const body = fields.toString();
      return { contentType: "application/x-www-form-urlencoded", body, key, signature: signedMessage.sig };
    }
    const { privateKey, ...key } = deriveKey(seed, payload.domain, account);
    const response = createWalletResponse(payload, { ...key, privateKey }, device, expected.now);
    privateKey.fill(0);
    return {
      contentType: "application/json",
      body: JSON.stringify(response),
      key: { ...key, fingerprint: computeFingerprint(key.publicKey) },
      signature: response.signature,
    };
  } finally {
    seed.fill(0);
  }
}
