import { createHash } from "node:crypto";
import bindings from "libsecp256k1/bindings.js";

export const dynamic = "force-dynamic";

/** Verifies signatures using only libsecp256k1. The signatures are 64 raw bytes, and only the input is parsed. */
export async function POST(request) {
  const { public_key, signature, message } = await request.json();
  const digest = createHash("sha256").update(message).digest();
  const valid = bindings.ecdsaVerify(Buffer.from(signature, "hex"), digest, Buffer.from(public_key, "hex"));
  return Response.json({ valid });
}
