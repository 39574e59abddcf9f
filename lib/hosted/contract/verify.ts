import { z } from "zod";
import { defineOperations, textSchema } from "./operation.ts";

/** docs/protocol.md#53-signatures */

export const VerifySignature = z.object({
  public_key: z
    .string("expected hex")
    .describe(
      "Hex of a secp256k1 public key: 65 bytes that begin with 04, or 33 bytes that begin with 02 or 03.",
    ),
  signature: z.string("expected hex").describe("Hex of a DER-encoded ECDSA signature."),
  message: z.string("expected a text").describe("The text that was signed, hashed once with SHA-256."),
});
export type VerifySignature = z.infer<typeof VerifySignature>;

export const VerifiedSignature = z.object({
  valid: z.boolean().describe("Whether the signature of the message was made with this key."),
  public_key: textSchema("The key in its canonical form: lower-case uncompressed hex.", "04…"),
  message_hash: textSchema("`sha256:` and the hex of the message's hash.", "sha256:…"),
});
export type VerifiedSignature = z.infer<typeof VerifiedSignature>;

/** From the test vector in the wallet guide. */
export const SIGNATURE_EXAMPLE: VerifySignature = {
  public_key:
    "0454952afb3a1c510558ba01cb74505adfe9ab9bf4fea8bf154b77139dee04c1ebce13ac127d5e3cb898f6ec664ea03f1dfd4627b5d9dbba455d41df8bc3170adc",
  signature:
    "3045022100dc6d1895aee5657838824e9c5f36efb6209822180321d2493854dcb9ddd5c33e022079bd09f30562419a09cff7e48a21eb0da7cca05ea62812c162b43645eff7ee66",
  message: "svc:login:example.com:1700000000:0123456789abcdefghijABCDEFGHIJxy",
};

/** `details.expected_format` if a signature cannot be parsed (docs/protocol.md#21-errors). */
export const EXPECTED_SIGNATURE_FORMAT = "DER-encoded ECDSA signature";

/**
 * In this operation, `invalid_signature` means that the signature cannot be parsed, and not that verification failed.
 */
export const MALFORMED_SIGNATURE_STATUS = 400;

export const SIGNATURE_OPERATIONS = defineOperations("Signatures", {
  verifySignature: {
    route: "POST /verify",
    summary: "Verifies a signature.",
    description: "Checks a signature without authenticating a session.",
    body: VerifySignature,
    example: SIGNATURE_EXAMPLE,
    success: { status: 200, description: "Whether the signature is valid.", schema: VerifiedSignature },
    errors: ["invalid_signature"],
    limit: "verify",
  },
});
