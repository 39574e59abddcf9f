import { checkFastPayload } from "./check-payload.ts";
import { type AddressKey, type AddressType, deriveAddress } from "./derive-address.ts";
import type { FastPayload } from "./read-payload.ts";
import { type SendResult, type Surroundings, sendSignedMessage } from "./send-response.ts";
import { signMessage } from "./sign-message.ts";

/** An address without its private key. */
export type AddressIdentity = Omit<AddressKey, "privateKey">;

/** Who answers. */
export type AddressHolder = {
  /** 64 bytes of a BIP-39 phrase; wiped as soon as the answer is signed or refused. */
  seed: Uint8Array;
  type: AddressType;
  account: number;
};

/**
 * Answers a code of fast login that its reader approved: refuses once more what must be refused, derives the address,
 * signs the code's own URL and delivers. Call it only after a deliberate act of consent.
 * @throws WalletError as `checkFastPayload` and `deriveAddress`, before anything is signed
 */
export async function answerFast(
  payload: FastPayload,
  { seed, type, account }: AddressHolder,
  surroundings: Surroundings = {},
): Promise<SendResult & { key: AddressIdentity; signature: string }> {
  const now = surroundings.now ?? (() => Date.now() / 1000);
  const { signed, key } = sign();
  return { ...(await sendSignedMessage(payload, signed, surroundings)), key, signature: signed.sig };

  // Apart, so that nothing secret is left when the sending begins.
  function sign() {
    try {
      checkFastPayload(payload, now());
      const { privateKey, ...key } = deriveAddress(seed, type, account);
      const signed = signMessage(payload.url, { ...key, privateKey });
      privateKey.fill(0);
      return { signed, key };
    } finally {
      seed.fill(0);
    }
  }
}

/** An account's address of a type. */
export function describeAddress(seed: Uint8Array, type: AddressType, account: number): AddressIdentity {
  const { privateKey, ...key } = deriveAddress(seed, type, account);
  privateKey.fill(0);
  return key;
}
