import { z } from "zod";
import { operations } from "./operation.ts";

/** `POST /verify` (docs/protocol.md#53-signatures). */

export const VerifySignature = z.object({
  public_key: z
    .string("expected hex")
    .describe("Hex of a secp256k1 public key: 65 bytes beginning 04, or 33 beginning 02 or 03."),
  signature: z.string("expected hex").describe("Hex of a DER-encoded ECDSA signature."),
  message: z.string("expected a text").describe("The text that was signed, hashed once with SHA-256."),
});
export type VerifySignature = z.infer<typeof VerifySignature>;

export const VerifiedSignature = z.object({
  valid: z.boolean().describe("Whether the signature is the key holder's over the message."),
  public_key: z
    .string()
    .describe("The key in its canonical form: lower-case uncompressed hex.")
    .meta({ examples: ["04…"] }),
  message_hash: z
    .string()
    .describe("`sha256:` and the hex of the message's hash.")
    .meta({ examples: ["sha256:…"] }),
});
export type VerifiedSignature = z.infer<typeof VerifiedSignature>;

/** What `details.expected_format` says of a signature that cannot be parsed (docs/protocol.md#21-errors). */
export const SIGNATURE_FORMAT = "DER-encoded ECDSA signature";

/** The status of `invalid_signature` here: it says that it cannot be read, not that it is wrong. */
export const SIGNATURE_STATUS = 400;

export const SIGNATURE_OPERATIONS = operations({
  verifySignature: {
    tag: "Signatures",
    method: "POST",
    path: "/verify",
    summary: "Verifies a signature.",
    description: "Checks a signature and nothing else: no session is authenticated by it.",
    body: VerifySignature,
    success: { status: 200, description: "Whether it is valid.", schema: VerifiedSignature },
    errors: ["invalid_signature"],
    limit: "verify",
  },
});
