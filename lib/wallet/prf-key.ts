import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, randomBytes, utf8ToBytes } from "@noble/hashes/utils.js";

const SALT_BYTES = 32;
const KEY_BYTES = 32;
const INFO = "svc-wallet seed 1";

/** How an authenticator's PRF becomes a key; kept beside what it seals. All in hex. */
export type PrfProtection = {
  by: "prf";
  /** The WebAuthn credential that evaluates the PRF. */
  credentialId: string;
  /** The PRF's input (WebAuthn Level 3, 10.1.4: `eval.first`). */
  prfSalt: string;
  /** HKDF's salt. */
  salt: string;
};

/** New salts, before there is a credential. */
export function makePrfSalts(): Pick<PrfProtection, "prfSalt" | "salt"> {
  return { prfSalt: bytesToHex(randomBytes(SALT_BYTES)), salt: bytesToHex(randomBytes(SALT_BYTES)) };
}

/** The 32-byte key of a PRF's output: HKDF-SHA-256, so that no other use of the same PRF has this key. */
export function prfKey(output: Uint8Array, { salt }: Pick<PrfProtection, "salt">): Uint8Array {
  return hkdf(sha256, output, hexToBytes(salt), utf8ToBytes(INFO), KEY_BYTES);
}
