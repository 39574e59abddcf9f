import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { createBase58check } from "@scure/base";
import bitcoinMessage from "bitcoinjs-message";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { verifyIndependently } from "../../../../../e2e/support/independent-message.ts";
import { anyCharacter } from "../../../../../tools/kit/any-character.ts";
import { type AddressKind, encodeBitcoinAddress } from "./bitcoin-address.ts";
import { verifyBitcoinMessage } from "./bitcoin-message.ts";

const N = secp256k1.Point.CURVE().n;
const KINDS = ["p2pkh", "p2sh-p2wpkh", "p2wpkh"] as const;
const keys = fc.uint8Array({ minLength: 32, maxLength: 32 }).filter(secp256k1.utils.isValidSecretKey);
const messages = fc.string({ unit: "grapheme", maxLength: 400 });

/** The header byte is `header` plus the recovery id. */
function sign(message: string, secretKey: Uint8Array, header: number, highS = false): string {
  const digest = bitcoinMessage.magicHash(message);
  const [recovery = 0, ...rs] = secp256k1.sign(digest, secretKey, { prehash: false, format: "recovered" });
  if (!highS) return Buffer.from([header + recovery, ...rs]).toString("base64");
  const { r, s } = secp256k1.Signature.fromBytes(Uint8Array.from(rs), "compact");
  const high = new secp256k1.Signature(r, N - s).toBytes("compact");
  return Buffer.from([header + (recovery ^ 1), ...high]).toString("base64");
}

function addressOf(kind: AddressKind, secretKey: Uint8Array, compressed = true): string {
  return encodeBitcoinAddress(kind, secp256k1.getPublicKey(secretKey, compressed));
}

/** bitcoinjs-message must accept every message that we accept. */
function verdict(message: string, addr: string, sig: string): boolean {
  const isVerified = verifyBitcoinMessage({ message, addr, sig }) !== null;
  expect(isVerified).toBe(verifyIndependently(message, addr, sig));
  if (isVerified) {
    // Electrum uses P2PKH header bytes for segwit addresses, too.
    const header = Buffer.from(sig, "base64")[0] ?? 0;
    const checkSegwitAlways = header >= 31 && header < 35 && !addr.startsWith("1");
    expect(bitcoinMessage.verify(message, addr, sig, undefined, checkSegwitAlways)).toBe(true);
  }
  return isVerified;
}

describe("a signed message", () => {
  test.each([
    ["p2pkh", 31, "BIP-137, and Electrum"],
    ["p2sh-p2wpkh", 35, "BIP-137"],
    ["p2wpkh", 39, "BIP-137"],
    ["p2sh-p2wpkh", 31, "Electrum"],
    ["p2wpkh", 31, "Electrum"],
  ] as const)(
    "verifies only for its own text and address: %s with header bytes from %i (%s)",
    (kind, header, _by) => {
      fc.assert(
        fc.property(keys, messages, fc.boolean(), (secretKey, message, highS) => {
          const [addr, sig] = [addressOf(kind, secretKey), sign(message, secretKey, header, highS)];
          expect(verdict(message, addr, sig)).toBe(true);
          expect(verdict(`${message} `, addr, sig)).toBe(false);
          expect(verdict(message, addressOf(kind, new Uint8Array(32).fill(1)), sig)).toBe(false);
        }),
        { numRuns: 25 },
      );
    },
  );

  test("verifies with an uncompressed key only for that key's P2PKH address", () => {
    fc.assert(
      fc.property(keys, messages, (secretKey, message) => {
        const sig = sign(message, secretKey, 27);
        expect(verdict(message, addressOf("p2pkh", secretKey, false), sig)).toBe(true);
        for (const kind of KINDS) expect(verdict(message, addressOf(kind, secretKey), sig)).toBe(false);
      }),
      { numRuns: 25 },
    );
  });

  test("does not verify with a header byte for a different address type", () => {
    const secretKey = new Uint8Array(32).fill(7);
    for (const kind of KINDS) {
      for (let header = 0; header < 256 - 4; header++) {
        verdict("x", addressOf(kind, secretKey), sign("x", secretKey, header));
      }
    }
    expect(verdict("x", addressOf("p2wpkh", secretKey), sign("x", secretKey, 35))).toBe(false);
    expect(verdict("x", addressOf("p2sh-p2wpkh", secretKey), sign("x", secretKey, 39))).toBe(false);
    expect(verdict("x", addressOf("p2pkh", secretKey), sign("x", secretKey, 35))).toBe(false);
  });

  test("yields the key in its canonical form when it is verified", () => {
    const secretKey = new Uint8Array(32).fill(7);
    const publicKey = Buffer.from(secp256k1.getPublicKey(secretKey, false)).toString("hex");
    for (const kind of KINDS) {
      const [addr, sig] = [addressOf(kind, secretKey), sign("x", secretKey, 31)];
      expect(verifyBitcoinMessage({ message: "x", addr, sig })).toEqual({
        address: { kind, text: addr },
        publicKey,
      });
    }
  });

  test("does not verify if one bit of the signature has changed", () => {
    const secretKey = new Uint8Array(32).fill(7);
    const addr = addressOf("p2wpkh", secretKey);
    fc.assert(
      fc.property(fc.nat(64 * 8 - 1), (bit) => {
        const bytes = Buffer.from(sign("x", secretKey, 39), "base64");
        const at = 1 + (bit >> 3);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit & 7));
        expect(verdict("x", addr, bytes.toString("base64"))).toBe(false);
      }),
    );
  });

  test("does not verify for a P2SH address of the key's own hash, which bitcoinjs-message accepts", () => {
    const secretKey = new Uint8Array(32).fill(7);
    const payload = createBase58check(sha256).decode(addressOf("p2pkh", secretKey));
    const addr = createBase58check(sha256).encode(Uint8Array.of(5, ...payload.subarray(1)));
    const sig = sign("x", secretKey, 31);
    expect(bitcoinMessage.verify("x", addr, sig, undefined, true)).toBe(true);
    expect(verdict("x", addr, sig)).toBe(false);
  });

  test("never causes an exception, whatever its address, text and signature are", () => {
    const text = fc.string({ unit: anyCharacter });
    fc.assert(
      fc.property(text, text, text, (message, addr, sig) => {
        expect(verifyBitcoinMessage({ message, addr, sig })).toBeNull();
      }),
    );
    const secretKey = new Uint8Array(32).fill(7);
    const [addr, sig] = [addressOf("p2wpkh", secretKey), sign("x", secretKey, 39)];
    for (const odd of [
      "",
      "=",
      "A".repeat(88),
      `${sig}\n`,
      ` ${sig}`,
      sig.slice(0, -1),
      sig.replace("=", "=="),
      "A".repeat(1e6),
    ]) {
      expect(verifyBitcoinMessage({ message: "x", addr, sig: odd })).toBeNull();
    }
    expect(verifyBitcoinMessage({ message: "\ud800", addr, sig })).toBeNull();
  });

  test("has only one base64 encoding", () => {
    const secretKey = new Uint8Array(32).fill(7);
    const addr = addressOf("p2wpkh", secretKey);
    const sig = sign("x", secretKey, 39);
    const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const last = ALPHABET.indexOf(sig[86] ?? "");
    const other = `${sig.slice(0, 86)}${ALPHABET[last ^ 1]}=`;
    expect(Buffer.from(other, "base64")).toEqual(Buffer.from(sig, "base64"));
    expect(verifyBitcoinMessage({ message: "x", addr, sig })).not.toBeNull();
    expect(verifyBitcoinMessage({ message: "x", addr, sig: other })).toBeNull();
  });
});

const fixtures = path.join(
  import.meta.dirname,
  "../../../../../shared/vectors/bitcoinjs-message-fixtures.json",
);

type Vector = { network?: string; message: string; address: string; signature: string };
type Fixture = Vector & { compressed?: Vector; segwit?: Record<string, Vector> };

describe.skipIf(!existsSync(fixtures))(
  "bitcoinjs-message's own vectors (skipped if the shared vectors are missing)",
  () => {
    const read = () => JSON.parse(readFileSync(fixtures, "utf8"));

    test("verify valid signatures for mainnet addresses", () => {
      const valid: Fixture[] = read().valid.verify;
      const cases = valid
        .filter(({ network }) => network === "bitcoin")
        .flatMap(({ message, compressed, segwit, ...own }) =>
          [own, compressed, ...Object.values(segwit ?? {})].flatMap((vector) =>
            vector ? [{ ...vector, message }] : [],
          ),
        );
      expect(cases).toHaveLength(4);
      for (const { message, address, signature } of cases)
        expect(verdict(message, address, signature)).toBe(true);
    });

    test("reject invalid signatures and those of a different network", () => {
      const { invalid, valid } = read();
      const others = valid.verify.filter(({ network }: Fixture) => network !== "bitcoin");
      for (const { message, address, signature } of [...invalid.verify, ...others] as Vector[]) {
        expect(verdict(message, address, signature)).toBe(false);
      }
      for (const { hex } of invalid.signature as { hex: string }[]) {
        const sig = Buffer.from(hex, "hex").toString("base64");
        expect(verdict("x", "1PMycacnJaSqwwJqjawXBErnLsZ7RkXUAs", sig)).toBe(false);
      }
    });
  },
);
