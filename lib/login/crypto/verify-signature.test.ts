import { hash, sign } from "node:crypto";
import { secp256k1 as noble } from "@noble/curves/secp256k1.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parsePublicKey } from "./public-key.ts";
import { parseDerSignature, verifySignature } from "./signature.ts";
import { newOpensslKey, signHex } from "./tests/openssl-key.ts";

const N = noble.Point.CURVE().n;
const CHALLENGE = "svc:login:example.com:1760000000:abcdefghijklmnopqrstuvwxyz012345";

const key = newOpensslKey();

function verifies(signatureHex: string, message: string, publicKeyHex = key.publicKeyHex): boolean {
  const [publicKey, signature] = [parsePublicKey(publicKeyHex), parseDerSignature(signatureHex)];
  if (!publicKey || !signature) throw new Error("neither a key nor a signature");
  return verifySignature({ publicKey, signature, message });
}

function scalarsOf(signatureHex: string) {
  return noble.Signature.fromBytes(parseDerSignature(signatureHex) ?? new Uint8Array());
}

function withOtherS(signatureHex: string): string {
  const { r, s } = scalarsOf(signatureHex);
  return Buffer.from(new noble.Signature(r, N - s).toBytes("der")).toString("hex");
}

describe("a signature by OpenSSL", () => {
  test("verifies, high-S or low-S, as made and with n - s for s", () => {
    const seen = new Set<boolean>();
    for (let made = 0; made < 64; made += 1) {
      const signatureHex = signHex(CHALLENGE, key.privateKey);
      seen.add(scalarsOf(signatureHex).hasHighS());
      for (const form of [signatureHex, withOtherS(signatureHex)]) {
        expect(verifies(form, CHALLENGE)).toBe(true);
      }
    }
    expect(seen).toEqual(new Set([true, false]));
  });

  test("verifies over any text, hashed once as UTF-8", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (message) => {
        expect(verifies(signHex(message, key.privateKey), message)).toBe(true);
      }),
    );
  });

  test("verifies for the compressed form of the key", () => {
    const compressed = noble.Point.fromHex(key.publicKeyHex).toHex(true).toUpperCase();
    expect(verifies(signHex(CHALLENGE, key.privateKey), CHALLENGE, compressed)).toBe(true);
  });
});

describe("a well-formed signature is invalid", () => {
  test("over another text", () => {
    const signatureHex = signHex(CHALLENGE, key.privateKey);
    for (const message of [
      "",
      `${CHALLENGE} `,
      CHALLENGE.replace("login", "register"),
      CHALLENGE.toUpperCase(),
    ]) {
      expect(verifies(signatureHex, message)).toBe(false);
    }
  });

  test("by another key", () => {
    const signatureHex = signHex(CHALLENGE, newOpensslKey().privateKey);
    expect(verifies(signatureHex, CHALLENGE)).toBe(false);
  });

  test("over the text hashed twice", () => {
    const digest = hash("sha256", CHALLENGE, "buffer");
    const signatureHex = sign("sha256", digest, key.privateKey).toString("hex");
    expect(verifies(signatureHex, CHALLENGE)).toBe(false);
  });

  test("over a text with a lone surrogate, whatever it was replaced by", () => {
    const signatureHex = signHex("\ud800", key.privateKey); // Buffer writes U+FFFD
    expect(verifies(signatureHex, "\ufffd")).toBe(true);
    expect(verifies(signatureHex, "\ud800")).toBe(false);
  });
});
