import { ECDH } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newOpensslKey, signHex } from "#lib/login/crypto/tests/openssl-key.ts";
import { checkSignature, messageHash } from "./check-signature.ts";

const CHALLENGE = "svc:login:example.com:1760000000:abcdefghijklmnopqrstuvwxyz012345";
const key = newOpensslKey();

test("a signature that verifies, or not, comes with the key in its canonical form", () => {
  const publicKeyHex = ECDH.convertKey(key.publicKeyHex, "secp256k1", "hex", "hex", "compressed");
  const signatureHex = signHex(CHALLENGE, key.privateKey);
  for (const [message, outcome] of [
    [CHALLENGE, "valid"],
    [`${CHALLENGE} `, "invalid"],
  ] as const) {
    expect(checkSignature({ publicKeyHex: String(publicKeyHex), signatureHex, message })).toEqual({
      outcome,
      publicKey: key.publicKeyHex,
    });
  }
});

describe("what cannot be parsed is told apart", () => {
  test("a malformed key, before the signature is looked at", () => {
    for (const signatureHex of [signHex(CHALLENGE, key.privateKey), "zz"]) {
      expect(
        checkSignature({ publicKeyHex: `06${key.publicKeyHex.slice(2)}`, signatureHex, message: CHALLENGE }),
      ).toEqual({ outcome: "malformed_public_key", publicKey: null });
    }
  });

  test("a malformed signature, with the key that came with it", () => {
    for (const signatureHex of ["", `${signHex(CHALLENGE, key.privateKey)}00`, "00".repeat(64)]) {
      expect(checkSignature({ ...key, signatureHex, message: CHALLENGE })).toEqual({
        outcome: "malformed_signature",
        publicKey: key.publicKeyHex,
      });
    }
  });

  test("any three texts get an answer and never an exception", () => {
    const text = fc.string({ unit: "binary", maxLength: 160 });
    fc.assert(
      fc.property(text, text, text, (publicKeyHex, signatureHex, message) => {
        expect(checkSignature({ publicKeyHex, signatureHex, message }).outcome).toBe("malformed_public_key");
        expect(checkSignature({ ...key, signatureHex, message }).outcome).toBe("malformed_signature");
      }),
    );
  });
});

test("the message hash is SHA-256 of the text, in the form that /verify answers", () => {
  // FIPS 180-4's example "abc"
  expect(messageHash("abc")).toBe("sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});
