import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, randomBytes, utf8ToBytes } from "@noble/hashes/utils.js";

/** The `platform` of a wallet for trying out: a site can tell its user that nothing brings it back. */
export const TRIAL_PLATFORM = "trial";

/** The version that the wallets of this repository send to sites, beside their platform. */
export const WALLET_VERSION = "2.0.0";

const DEVICE_ID_BYTES = 16;
const INSTALLATION_BYTES = 16;

/** docs/protocol.md#15-wallet-response */
export type DeviceInfo = {
  /** For example `ios`, `android`, `web`, `linux`. */
  platform: string;
  version: string;
  device_id: string;
};

/** What a device says of itself, before a domain is known. */
export type DeviceOptions = {
  platform: string;
  /** The wallet's version. */
  version: string;
  /** From `makeInstallation`; never sent. */
  installation: string;
};

/** Random text, made once where a wallet is installed: the source of its `device_id`s. */
export function makeInstallation(): string {
  return bytesToHex(randomBytes(INSTALLATION_BYTES));
}

/** What a domain learns about the device. */
export function deviceInfo({ platform, version, installation }: DeviceOptions, domain: string): DeviceInfo {
  return { platform, version, device_id: deviceId(installation, domain) };
}

/**
 * The `device_id` of one installation for one domain: stable, so that a site can tell a user's devices
 * apart, and another one at every domain, so that sites that compare notes learn no more from it than
 * from the keys, which differ too.
 * @returns 32 hex characters
 */
export function deviceId(installation: string, domain: string): string {
  const hash = sha256(utf8ToBytes(`svc-device:${installation}:${domain}`));
  return bytesToHex(hash.subarray(0, DEVICE_ID_BYTES));
}
