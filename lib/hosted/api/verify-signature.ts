import { ApiError } from "#lib/platform/http/api-error.ts";
import {
  SIGNATURE_FORMAT,
  SIGNATURE_STATUS,
  type VerifiedSignature,
  type VerifySignature,
} from "../contract/verify.ts";
import { checkSignature, messageHash } from "../crypto/check-signature.ts";

/** Characters of an unreadable key that the answer repeats: the longest key has 130. */
const SHOWN_KEY_CHARACTERS = 140;

/**
 * `POST /verify`: checks a signature and authenticates nothing (docs/protocol.md#53-signatures).
 * @throws {ApiError} 400 `invalid_signature` when the key or the signature cannot be parsed
 */
export function verifySentSignature({ public_key, signature, message }: VerifySignature): VerifiedSignature {
  const check = checkSignature({ publicKeyHex: public_key, signatureHex: signature, message });
  if (check.publicKey === null) {
    throw unreadable(
      public_key,
      "The public key is not one of secp256k1: send hex of 65 bytes beginning 04, or of 33 beginning 02 or 03.",
    );
  }
  if (check.outcome === "malformed_signature") {
    throw unreadable(public_key, "The signature is not the hex of a DER-encoded ECDSA signature.");
  }
  return {
    valid: check.outcome === "valid",
    public_key: check.publicKey,
    message_hash: messageHash(message),
  };
}

function unreadable(publicKey: string, message: string): ApiError {
  return new ApiError("invalid_signature", message, {
    status: SIGNATURE_STATUS,
    details: { public_key: publicKey.slice(0, SHOWN_KEY_CHARACTERS), expected_format: SIGNATURE_FORMAT },
  });
}
