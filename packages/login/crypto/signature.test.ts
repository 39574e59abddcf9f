import { hash, sign } from "node:crypto";
import { secp256k1 as noble } from "@noble/curves/secp256k1.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../../tools/kit/any-character.ts";
import { parsePublicKey } from "./public-key.ts";
import { parseDerSignature, verifySignature } from "./signature.ts";
import { generateOpensslKey, signWithOpenssl } from "./tests/openssl-key.ts";

const N = noble.Point.CURVE().n;
const scalars = fc.oneof(
  fc.bigInt({ min: 1n, max: N - 1n }),
  fc.bigInt({ min: 1n, max: 0xffffn }),
  fc.bigInt({ min: N - 0xffffn, max: N - 1n }),
);

function derHex(r: bigint, s: bigint): string {
  return Buffer.from(new noble.Signature(r, s).toBytes("der")).toString("hex");
}

function compactHex(r: bigint, s: bigint): string {
  return [r, s].map((scalar) => scalar.toString(16).padStart(64, "0")).join("");
}

/** The contents can be invalid. */
function sequence(r: string, s: string): string {
  const body = [r, s].map((content) => `02${lengthByte(content)}${content}`).join("");
  return `30${lengthByte(body)}${body}`;
}

function lengthByte(contentHex: string): string {
  return (contentHex.length / 2).toString(16).padStart(2, "0");
}

const ORDER = `00${N.toString(16)}`;

describe("a strict DER signature", () => {
  test("is parsed to r‖s for every r and s in [1, n-1]", () => {
    fc.assert(
      fc.property(scalars, scalars, (r, s) => {
        const parsedSignature = parseDerSignature(derHex(r, s));
        expect(Buffer.from(parsedSignature ?? []).toString("hex")).toBe(compactHex(r, s));
        expect(parseDerSignature(derHex(r, s).toUpperCase())).toEqual(parsedSignature);
      }),
      { numRuns: 1000 },
    );
  });

  test("has only one encoding for its r and s", () => {
    fc.assert(
      fc.property(scalars, scalars, fc.nat(), fc.nat({ max: 255 }), (r, s, position, byte) => {
        const mutated = Buffer.from(derHex(r, s), "hex");
        mutated[position % mutated.length] = byte;
        const parsedSignature = parseDerSignature(mutated.toString("hex"));
        if (parsedSignature === null) return;
        const signature = noble.Signature.fromBytes(parsedSignature);
        expect(derHex(signature.r, signature.s)).toBe(mutated.toString("hex"));
      }),
      { numRuns: 2000 },
    );
  });

  test("can have the smallest and the greatest scalars", () => {
    expect(parseDerSignature("3006020101020101")).not.toBeNull();
    expect(parseDerSignature(derHex(N - 1n, N - 1n))).not.toBeNull();
  });
});

describe("a signature that is not strict DER", () => {
  test.each([
    ["nothing", ""],
    ["an empty sequence", "3000"],
    ["only r", "3003020101"],
    ["three integers", "3009020101020101020101"],
    ["a byte after the sequence", "300602010102010100"],
    ["a byte after s within the sequence", "300702010102010100"],
    ["a truncated sequence", "30060201010201"],
    ["an s without contents", "3005020101020"],
    ["a truncated s header", "300402010102"],
    ["s longer than the sequence", "3006020101020201"],
    ["a long-form length", "308106020101020101"],
    ["a long-form integer length", "300702810101020101"],
    ["the indefinite length", "30800201010201010000"],
    ["a SET", "3106020101020101"],
    ["a BIT STRING for r", "3006030101020101"],
    ["empty integers", sequence("", "")],
    ["a negative r", sequence("80", "01")],
    ["a negative s", sequence("01", "ff")],
    ["a padded r", sequence("0001", "01")],
    ["a padded s", sequence("01", "007f")],
    ["r of zero", sequence("00", "01")],
    ["s of zero", sequence("01", "00")],
    ["s of no bytes", sequence("01", "")],
    ["r equal to n", sequence(ORDER, "01")],
    ["s equal to n", sequence("01", ORDER)],
    ["r above n", sequence(`00${"ff".repeat(32)}`, "01")],
    ["an r of 33 bytes", sequence(`01${"00".repeat(32)}`, "01")],
    ["an r of 34 bytes", sequence(`0080${"00".repeat(32)}`, "01")],
    ["r‖s without DER", compactHex(1n, 1n)],
    ["an odd number of digits", "3006020101020101f"],
    ["base64", "MAYCAQECAQE="],
    ["a character whose low byte is a digit", "300602010102010\u0131"],
  ])("is refused: %s", (_what, text) => {
    expect(parseDerSignature(text)).toBeNull();
  });

  test("is refused without throwing, whatever the text is", () => {
    const hexTexts = fc
      .uint8Array({ maxLength: 80 })
      .map((bytes) => `30${Buffer.from(bytes).toString("hex")}`);
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: anyCharacter, maxLength: 200 }), hexTexts), (text) => {
        parseDerSignature(text);
      }),
      { numRuns: 1000 },
    );
  });

  test("is refused even if its length is extreme", () => {
    expect(parseDerSignature("30".repeat(1_000_000))).toBeNull();
  });
});

const CHALLENGE = "svc:login:example.com:1760000000:abcdefghijklmnopqrstuvwxyz012345";

const key = generateOpensslKey();

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

describe("a signature made with OpenSSL", () => {
  test("verifies with a high or a low s", () => {
    const seenStates = new Set<boolean>();
    for (let attempt = 0; attempt < 64; attempt += 1) {
      const signatureHex = signWithOpenssl(CHALLENGE, key.privateKey);
      seenStates.add(scalarsOf(signatureHex).hasHighS());
      for (const form of [signatureHex, withOtherS(signatureHex)]) {
        expect(verifies(form, CHALLENGE)).toBe(true);
      }
    }
    expect(seenStates).toEqual(new Set([true, false]));
  });

  test("verifies for any text, which is hashed once as UTF-8", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (message) => {
        expect(verifies(signWithOpenssl(message, key.privateKey), message)).toBe(true);
      }),
    );
  });

  test("verifies for the compressed form of the key", () => {
    const compressed = noble.Point.fromHex(key.publicKeyHex).toHex(true).toUpperCase();
    expect(verifies(signWithOpenssl(CHALLENGE, key.privateKey), CHALLENGE, compressed)).toBe(true);
  });
});

describe("a well-formed signature", () => {
  test("is invalid for a different text", () => {
    const signatureHex = signWithOpenssl(CHALLENGE, key.privateKey);
    for (const message of [
      "",
      `${CHALLENGE} `,
      CHALLENGE.replace("login", "register"),
      CHALLENGE.toUpperCase(),
    ]) {
      expect(verifies(signatureHex, message)).toBe(false);
    }
  });

  test("is invalid if a different key made it", () => {
    const signatureHex = signWithOpenssl(CHALLENGE, generateOpensslKey().privateKey);
    expect(verifies(signatureHex, CHALLENGE)).toBe(false);
  });

  test("is invalid if the text was hashed twice before signing", () => {
    const digest = hash("sha256", CHALLENGE, "buffer");
    const signatureHex = sign("sha256", digest, key.privateKey).toString("hex");
    expect(verifies(signatureHex, CHALLENGE)).toBe(false);
  });

  test("is invalid for a text with a lone surrogate", () => {
    const signatureHex = signWithOpenssl("\ud800", key.privateKey); // Buffer encodes a lone surrogate as U+FFFD.
    expect(verifies(signatureHex, "\ufffd")).toBe(true);
    expect(verifies(signatureHex, "\ud800")).toBe(false);
  });
});
