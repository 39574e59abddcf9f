import { secp256k1 } from "@noble/curves/secp256k1.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, randomBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import type { DomainKey } from "./derive-key.ts";
import type { Payload } from "./read-payload.ts";

/** The `platform` of a temporary wallet, so that a site can warn its user that the wallet cannot be restored. */
export const TRIAL_PLATFORM = "trial";

/** The version that the wallets of this repository send to sites, with their platform. */
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
  /** The intent that the wallet showed, which is not signed; null for a login or a registration. */
  intent: Payload["intent"];
};

/** A device's own description, before the domain is known. */
export type Device = {
  platform: string;
  /** The wallet's version. */
  version: string;
  /** The value of `generateInstallationId`, which is never sent. */
  installation: string;
};

/**
 * Returns the body of a wallet response.
 * @param payload its `intent` is the intent that the wallet showed; the site refuses any intent other than the code's
 * own
 * @param now Unix seconds by this device's clock; sent as a whole number
 */
export function makeWalletResponse(
  { signed, domain, intent }: Pick<Payload, "signed" | "domain" | "intent">,
  key: DomainKey,
  { platform, version, installation }: Device,
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

/** Creates the random string for a wallet's installation, from which the wallet's `device_id`s are derived. */
export function generateInstallationId(): string {
  return bytesToHex(randomBytes(INSTALLATION_BYTES));
}

/**
 * Returns the `device_id` of one installation for one domain. The id is stable, so a site can distinguish a user's
 * devices. It is different at every domain, so sites that compare their data learn no more from the id than from the
 * keys, which differ too.
 * @returns 32 hex characters
 */
export function deriveDeviceId(installation: string, domain: string): string {
  const hash = sha256(utf8ToBytes(`svc-device:${installation}:${domain}`));
  return bytesToHex(hash.subarray(0, DEVICE_ID_BYTES));
}
