import { secp256k1 } from "@noble/curves/secp256k1.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, randomBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import type { DomainKey } from "./derive-key.ts";
import type { Payload } from "./read-payload.ts";

/** The `platform` of a temporary wallet, so that a site can warn the user that the wallet cannot be restored. */
export const TRIAL_PLATFORM = "trial";

/** Sent to sites together with the platform. */
export const WALLET_VERSION = "2.0.0";

const DEVICE_ID_BYTES = 16;
const INSTALLATION_BYTES = 16;

/** The body that a wallet posts to the webhook (docs/protocol.md#15-wallet-response). */
export type WalletResponse = {
  public_key: string;
  signature: string;
  challenge: string;
  timestamp: number;
  /** `ios`, `android`, `web`, `linux`, … */
  device_info: { platform: string; version: string; device_id: string };
  /** As the wallet showed it to its user. Not signed. Null for a login or a registration. */
  intent: Payload["intent"];
};

export type WalletDevice = {
  platform: string;
  version: string;
  /** From `generateInstallationId`; never sent. */
  installation: string;
};

/**
 * @param payload its `intent` is the intent that the wallet showed to the user; the site refuses any intent other than
 * the code's own
 * @param now Unix seconds by this device's clock; sent as a whole number
 */
export function createWalletResponse(
  { signed, domain, intent }: Pick<Payload, "signed" | "domain" | "intent">,
  key: DomainKey,
  { platform, version, installation }: WalletDevice,
  now: number,
): WalletResponse {
  return {
    public_key: key.publicKey,
    signature: signChallenge(signed, key.privateKey),
    challenge: signed,
    timestamp: Math.floor(now),
    device_info: { platform, version, device_id: deriveDeviceId(installation, domain) },
    intent,
  };
}

/**
 * ECDSA on secp256k1 over the SHA-256 of the text's UTF-8 bytes, applied once (docs/protocol.md#14-signature), with a
 * deterministic nonce (RFC 6979) and a low S.
 * @param text the exact challenge string
 * @param privateKey 32 bytes
 * @returns hex of the DER signature
 */
export function signChallenge(text: string, privateKey: Uint8Array): string {
  return bytesToHex(
    secp256k1.sign(utf8ToBytes(text), privateKey, { format: "der", lowS: true, prehash: true }),
  );
}

/** The wallet's `device_id`s are derived from this string. */
export function generateInstallationId(): string {
  return bytesToHex(randomBytes(INSTALLATION_BYTES));
}

/**
 * Never changes, so a site can distinguish a user's devices. It differs between domains, as the keys do, so sites that
 * compare their data cannot recognise a user by it.
 * @returns 32 hex characters
 */
export function deriveDeviceId(installation: string, domain: string): string {
  const hash = sha256(utf8ToBytes(`svc-device:${installation}:${domain}`));
  return bytesToHex(hash.subarray(0, DEVICE_ID_BYTES));
}
