import { hash } from "node:crypto";
import { parseDerSignature } from "./der-signature.ts";
import { type PublicKey, parsePublicKey } from "./public-key.ts";
import { secp256k1Engine } from "./secp256k1.ts";

/** What came of checking a signature. `publicKey` is the canonical hex of the key, null when it is not one. */
export type SignatureCheck =
  | { publicKey: null; outcome: "malformed_public_key" }
  | { publicKey: string; outcome: "malformed_signature" | "invalid" | "valid" };

/**
 * Whether the signature is the key holder's over SHA-256 of the message's UTF-8 bytes, hashed once
 * (specification 1). Takes what `parsePublicKey` and `parseDerSignature` returned. A text with a lone surrogate
 * has no UTF-8 bytes, so nothing verifies over it.
 */
export function verifySignature(signed: {
  publicKey: PublicKey;
  /** r‖s, 64 bytes. */
  signature: Uint8Array;
  message: string;
}): boolean {
  if (!signed.message.isWellFormed()) return false;
  const digest = hash("sha256", signed.message, "buffer");
  return secp256k1Engine().verifyDigest(signed.signature, digest, signed.publicKey.bytes);
}

/**
 * Parses and verifies what a wallet sent, telling apart what flow B's /verify answers differently: 400 for what
 * cannot be parsed, `valid: false` for what does not verify (contract 5). Flow A answers 406 to all of them
 * (specification 4.1, rule 2). Never throws.
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

/** The `message_hash` of flow B's /verify: "sha256:" and 64 lower-case hex digits (specification 4.2). */
export function messageHash(message: string): string {
  return `sha256:${hash("sha256", message, "hex")}`;
}
