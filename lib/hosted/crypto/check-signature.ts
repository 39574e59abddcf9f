import { hash } from "node:crypto";
import { parsePublicKey } from "#lib/login/crypto/public-key.ts";
import { parseDerSignature, verifySignature } from "#lib/login/crypto/signature.ts";

/** What came of checking a signature. `publicKey` is the canonical hex of the key, null when it is not one. */
export type SignatureCheck =
  | { publicKey: null; outcome: "malformed_public_key" }
  | { publicKey: string; outcome: "malformed_signature" | "invalid" | "valid" };

/**
 * Parses and verifies a signature, telling apart what `POST /verify` answers differently: 400 for what cannot be
 * parsed, `valid: false` for what does not verify (docs/protocol.md#53-signatures). Never throws.
 */
export function checkSignature(sent: {
  publicKeyHex: string;
  /** Hex of DER. */
  signatureHex: string;
  message: string;
}): SignatureCheck {
  const publicKey = parsePublicKey(sent.publicKeyHex);
  if (publicKey === null) return { publicKey: null, outcome: "malformed_public_key" };
  const signature = parseDerSignature(sent.signatureHex);
  if (signature === null) return { publicKey: publicKey.hex, outcome: "malformed_signature" };
  const valid = verifySignature({ publicKey, signature, message: sent.message });
  return { publicKey: publicKey.hex, outcome: valid ? "valid" : "invalid" };
}

/** The `message_hash` of `POST /verify`: "sha256:" and 64 lower-case hex digits. */
export function messageHash(message: string): string {
  return `sha256:${hash("sha256", message, "hex")}`;
}
