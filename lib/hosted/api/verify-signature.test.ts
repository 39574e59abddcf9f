import { ECDH } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { newOpensslKey, signHex } from "#lib/login/crypto/tests/openssl-key.ts";
import { verifySentSignature } from "./verify-signature.ts";

const CHALLENGE = "svc:login:example.com:1760000000:abcdefghijklmnopqrstuvwxyz012345";
const key = newOpensslKey();
const verify = (public_key: string, signature: string, message = CHALLENGE) =>
  verifySentSignature({ public_key, signature, message });
const unreadable = (what: "public key" | "signature") =>
  expect.objectContaining({
    code: "invalid_signature",
    status: 400,
    message: expect.stringMatching(`^The ${what} is not`),
  });

test("a signature that verifies, or not, comes with the key in its canonical form", () => {
  const compressed = String(ECDH.convertKey(key.publicKeyHex, "secp256k1", "hex", "hex", "compressed"));
  const signature = signHex(CHALLENGE, key.privateKey);
  for (const [message, valid] of [
    [CHALLENGE, true],
    [`${CHALLENGE} `, false],
  ] as const) {
    expect(verify(compressed, signature, message)).toMatchObject({ valid, public_key: key.publicKeyHex });
  }
});

test("what cannot be parsed is told apart, the key first, whatever the texts", () => {
  const text = fc.string({ unit: "binary", maxLength: 160 });
  fc.assert(
    fc.property(text, text, text, (publicKey, signature, message) => {
      expect(() => verify(publicKey, signature, message)).toThrow(unreadable("public key"));
      expect(() => verify(key.publicKeyHex, signature, message)).toThrow(unreadable("signature"));
    }),
  );
});

test("the message hash is SHA-256 of the text, in the form that /verify answers", () => {
  // FIPS 180-4's example "abc"
  expect(verify(key.publicKeyHex, signHex("abc", key.privateKey), "abc").message_hash).toBe(
    "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
});
