import { createHash } from "node:crypto";
import { parseDerSignature } from "../../login/crypto/signature.ts";
import type { Has } from "./planted.fixture.ts";
import type { Body } from "./reference-call.fixture.ts";
import { isSigned, readKey } from "./reference-proof.fixture.ts";
import { invalid, SiteError } from "./site-error.fixture.ts";

/** How the reference API verifies a message, and the places where a fault changes it. */

/** @param spend what a fault does with the challenge of that text */
export function verifyMessage(
  { public_key, signature, message }: Body,
  has: Has,
  spend: (message: string) => void,
): Body {
  for (const value of [public_key, signature, message]) {
    if (typeof value !== "string" && !(value !== undefined && has("verify-converts"))) throw invalid();
  }
  const key = readKey(String(public_key), has);
  const isReadable = key !== null && parseDerSignature(String(signature)) !== null;
  if (!isReadable && !has("verify-unreadable")) {
    const details = has("verify-no-details")
      ? {}
      : { public_key: String(public_key), expected_format: "DER" };
    throw new SiteError(400, "invalid_signature", undefined, details);
  }
  const valid = isReadable && isSigned(key, String(signature), String(message), has);
  const hash = createHash("sha256")
    .update(String(message))
    .digest(has("verify-hash-base64") ? "base64" : "hex");
  if (!valid && isReadable && has("verify-406")) throw new SiteError(406, "invalid_signature");
  if (valid && has("verify-spends")) spend(String(message));
  return {
    valid: valid || has("verify-always"),
    public_key: has("verify-key-as-sent") ? public_key : key,
    message_hash: `sha256:${hash}`,
  };
}
