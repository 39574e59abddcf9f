import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

const DEVICE_ID_BYTES = 16;

/**
 * The `device_id` of one installation for one domain (specification 2.5): stable, so that a site can
 * tell a user's devices apart, and another one at every domain, so that sites that compare notes learn
 * no more from it than from the keys, which differ too.
 *
 * @param installation random text made once where the wallet is installed; never sent
 * @returns 32 hex characters
 */
export function deviceId(installation: string, domain: string): string {
  const hash = sha256(utf8ToBytes(`svc-device:${installation}:${domain}`));
  return bytesToHex(hash.subarray(0, DEVICE_ID_BYTES));
}
