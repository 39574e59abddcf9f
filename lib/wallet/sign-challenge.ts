import { secp256k1 } from "@noble/curves/secp256k1.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { DomainKey } from "./derive-key.ts";
import type { DeviceInfo } from "./device-info.ts";
import type { ChallengePayload, Intent } from "./read-payload.ts";

/** What a wallet posts to the webhook (docs/protocol.md#15-wallet-response). */
export type WalletResponse = {
  public_key: string;
  signature: string;
  challenge: string;
  timestamp: number;
  device_info: DeviceInfo;
  /** What the wallet showed: the code's intent, which nobody has signed; null for a login or a registration. */
  intent: Intent | null;
};

/**
 * Signs a challenge: ECDSA on secp256k1 over SHA-256, applied once, of its UTF-8 bytes
 * (docs/protocol.md#14-signature). Deterministic nonces by RFC 6979, low S.
 * @param text the exact challenge string
 * @param privateKey 32 bytes
 * @returns hex of the DER signature
 */
export function signChallenge(text: string, privateKey: Uint8Array): string {
  return bytesToHex(
    secp256k1.sign(utf8ToBytes(text), privateKey, { format: "der", lowS: true, prehash: true }),
  );
}

/**
 * The body of a wallet response.
 * @param intent the one that was shown to the person: the site refuses another than its code's own
 * @param now Unix seconds by this device's clock; sent as a whole number
 */
export function makeWalletResponse(
  { challenge, intent }: Pick<ChallengePayload, "challenge" | "intent">,
  key: DomainKey,
  device: DeviceInfo,
  now: number,
): WalletResponse {
  return {
    public_key: key.publicKey,
    signature: signChallenge(challenge.text, key.privateKey),
    challenge: challenge.text,
    timestamp: Math.floor(now),
    device_info: device,
    intent,
  };
}
