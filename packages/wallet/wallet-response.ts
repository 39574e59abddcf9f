import { secp256k1 } from "@noble/curves/secp256k1.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, randomBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import type { DomainKey } from "./derive-key.ts";
import type { Payload } from "./read-payload.ts";

/**
 * The `platform` that a temporary wallet sends, so that a site can warn the user that the wallet cannot be restored.
 */
export const TRIAL_PLATFORM = "trial";

/** The version that this repository's wallets send to sites, together with their platform. */
export const WALLET_VERSION = "2.0.0";

const DEVICE_ID_BYTES = 16;
const INSTALLATION_BYTES = 16;

/** The body that a wallet posts to the webhook (docs/protocol.md#15-wallet-response). */
export type WalletResponse = {
  public_key: string;
  signature: string;
  challenge: string;
  timestamp: number;
  /** `platform` is for example `ios`, `android`, `web`, `linux`. */
  device_info: { platform: string; version: string; device_id: string };
  /** The intent that the wallet showed to its user. The intent is not signed. Null for a login or a registration. */
  intent: Payload["intent"];
};

/** The description of a device. Each domain gets a different `device_id` for the device. */
export type WalletDevice = {
  platform: string;
  version: string;
  /** The result of `generateInstallationId`, which is never sent. */
  installation: string;
};

/**
 * Returns the body of a wallet response.
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
 * Signs a challenge with ECDSA on secp256k1 over the SHA-256 of its UTF-8 bytes, applied once
 * (docs/protocol.md#14-signature), with a deterministic nonce (RFC 6979) and a low S.
 * @param text the exact challenge string
 * @param privateKey 32 bytes
 * @returns hex of the DER signature
 */
export function signChallenge(text: string, privateKey: Uint8Array): string {
  return bytesToHex(
    secp256k1.sign(utf8ToBytes(text), privateKey, { format: "der", lowS: true, prehash: true }),
  );
}

/** Creates the random string for an installation of the wallet, from which its `device_id`s are derived. */
export function generateInstallationId(): string {
  return bytesToHex(randomBytes(INSTALLATION_BYTES));
}

/**
 * Returns the `device_id` of one installation for one domain. The `device_id` never changes, so a site can distinguish
 * a user's devices. It differs between domains, as the keys do, so sites that compare their data cannot recognise a
 * user by the `device_id`.
 * @returns 32 hex characters
 */
export function deriveDeviceId(installation: string, domain: string): string {
  const hash = sha256(utf8ToBytes(`svc-device:${installation}:${domain}`));
  return bytesToHex(hash.subarray(0, DEVICE_ID_BYTES));
}
