import { createHash } from "node:crypto";

const FINGERPRINT_BYTES = 8;
const PUBLIC_KEY = /^04[0-9a-f]{128}$/;

/**
 * A credential for people: a public key's fingerprint as wallets show it (the first 8 bytes of SHA-256 over the
 * uncompressed key, in groups of four), so that both can be compared; an address as it is.
 */
export function credentialName(credential: string): string {
  if (!PUBLIC_KEY.test(credential)) return credential;
  const digest = createHash("sha256").update(Buffer.from(credential, "hex")).digest("hex");
  return digest.slice(0, FINGERPRINT_BYTES * 2).replace(/.{4}(?=.)/g, "$& ");
}
