import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { secp256k1 as noble } from "@noble/curves/secp256k1.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDerSignature } from "./der-signature.ts";
import { checkSignature, messageHash } from "./verify-signature.ts";

const N = noble.Point.CURVE().n;
const CHALLENGE = "svc:login:example.com:1760000000:abcdefghijklmnopqrstuvwxyz012345";
const UNCOMPRESSED_BYTES = 65;

function newOpensslKey(): { publicKeyHex: string; privateKey: KeyObject } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "secp256k1" });
  const spki = publicKey.export({ type: "spki", format: "der" });
  return { publicKeyHex: spki.subarray(-UNCOMPRESSED_BYTES).toString("hex"), privateKey };
}

const key = newOpensslKey();

function signHex(message: string, privateKey = key.privateKey): string {
  return sign("sha256", Buffer.from(message, "utf8"), privateKey).toString("hex");
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
      const signatureHex = signHex(CHALLENGE);
      seen.add(scalarsOf(signatureHex).hasHighS());
      for (const form of [signatureHex, withOtherS(signatureHex)]) {
        const checked = checkSignature({ ...key, signatureHex: form, message: CHALLENGE });
        expect(checked).toEqual({ outcome: "valid", publicKey: key.publicKeyHex });
      }
    }
    expect(seen).toEqual(new Set([true, false]));
  });

  test("verifies over any text, hashed once as UTF-8", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (message) => {
        const checked = checkSignature({ ...key, signatureHex: signHex(message), message });
        expect(checked.outcome).toBe("valid");
      }),
    );
  });

  test("verifies for the compressed form of the key, which is answered uncompressed", () => {
    const compressed = noble.Point.fromHex(key.publicKeyHex).toHex(true).toUpperCase();
    expect(
      checkSignature({ publicKeyHex: compressed, signatureHex: signHex(CHALLENGE), message: CHALLENGE }),
    ).toEqual({ outcome: "valid", publicKey: key.publicKeyHex });
  });
});

describe("a well-formed signature is invalid", () => {
  test("over another text", () => {
    const signatureHex = signHex(CHALLENGE);
    for (const message of [
      "",
      `${CHALLENGE} `,
      CHALLENGE.replace("login", "register"),
      CHALLENGE.toUpperCase(),
    ]) {
      expect(checkSignature({ ...key, signatureHex, message }).outcome).toBe("invalid");
    }
  });

  test("by another key", () => {
    const signatureHex = signHex(CHALLENGE, newOpensslKey().privateKey);
    expect(checkSignature({ ...key, signatureHex, message: CHALLENGE })).toEqual({
      outcome: "invalid",
      publicKey: key.publicKeyHex,
    });
  });

  test("over the text hashed twice", () => {
    const digest = Buffer.from(messageHash(CHALLENGE).slice("sha256:".length), "hex");
    const signatureHex = sign("sha256", digest, key.privateKey).toString("hex");
    expect(checkSignature({ ...key, signatureHex, message: CHALLENGE }).outcome).toBe("invalid");
  });

  test("over a text with a lone surrogate, whatever it was replaced by", () => {
    const signatureHex = signHex("\ud800"); // Buffer writes U+FFFD
    expect(checkSignature({ ...key, signatureHex, message: "\ufffd" }).outcome).toBe("valid");
    expect(checkSignature({ ...key, signatureHex, message: "\ud800" }).outcome).toBe("invalid");
  });
});

describe("what cannot be parsed is told apart", () => {
  test("a malformed key, before the signature is looked at", () => {
    for (const signatureHex of [signHex(CHALLENGE), "zz"]) {
      expect(
        checkSignature({ publicKeyHex: `06${key.publicKeyHex.slice(2)}`, signatureHex, message: CHALLENGE }),
      ).toEqual({ outcome: "malformed_public_key", publicKey: null });
    }
  });

  test("a malformed signature, with the key that came with it", () => {
    for (const signatureHex of ["", `${signHex(CHALLENGE)}00`, "00".repeat(64)]) {
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

test("the message hash is SHA-256 of the text, in the form that flow B answers", () => {
  // FIPS 180-4's example "abc"
  expect(messageHash("abc")).toBe("sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});
