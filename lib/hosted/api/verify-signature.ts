import { hash } from "node:crypto";
import { parsePublicKey } from "#packages/login/crypto/public-key.ts";
import { parseDerSignature, verifySignature } from "#packages/login/crypto/signature.ts";
import { type Refusal, refusal } from "#packages/login/protocol/errors.ts";
import {
  EXPECTED_SIGNATURE_FORMAT,
  MALFORMED_SIGNATURE_STATUS,
  type VerifiedSignature,
  type VerifySignature,
} from "../contract/verify.ts";

/** The response repeats this many characters of an invalid key. A valid key has at most 130. */
const SHOWN_KEY_CHARACTERS = 140;

/** Does not authenticate a session (docs/protocol.md#53-signatures). */
export function verifySubmittedSignature(request: VerifySignature): VerifiedSignature {
  const { message } = request;
  const publicKey = parsePublicKey(request.public_key);
  if (publicKey === null) {
    throw unreadable(
      request,
      "The public key is not a secp256k1 key: send the hex of 65 bytes that begin with 04, or of 33 bytes that begin with 02 or 03.",
    );
  }
  const signature = parseDerSignature(request.signature);
  if (signature === null) {
    throw unreadable(request, "The signature is not the hex of a DER-encoded ECDSA signature.");
  }
  return {
    valid: verifySignature({ publicKey, signature, message }),
    public_key: publicKey.hex,
    message_hash: `sha256:${hash("sha256", message, "hex")}`,
  };
}

function unreadable({ public_key: key }: VerifySignature, message: string): Refusal {
  return refusal("invalid_signature", message, {
    status: MALFORMED_SIGNATURE_STATUS,
    details: { public_key: key.slice(0, SHOWN_KEY_CHARACTERS), expected_format: EXPECTED_SIGNATURE_FORMAT },
  });
}
