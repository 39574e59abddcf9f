import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { secp256k1 as noble } from "@noble/curves/secp256k1.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FastWallet, TestWallet } from "../../../tools/kit/test-wallet.ts";
import { getSecp256k1Engine, loadLibsecp256k1, nobleEngine } from "./secp256k1.ts";

const native = loadLibsecp256k1();
const N = noble.Point.CURVE().n;

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const secretKeys = bytes32.filter(noble.utils.isValidSecretKey);
const scalars = fc.bigInt({ min: 1n, max: N - 1n });

function flipBit(bytes: Uint8Array, position: number): Uint8Array {
  const flipped = Uint8Array.from(bytes);
  const index = (position >> 3) % flipped.length;
  flipped[index] = (flipped[index] ?? 0) ^ (1 << (position & 7));
  return flipped;
}

test.runIf(process.platform === "linux" && process.arch === "x64")("uses libsecp256k1 on Linux x64", () => {
  expect(getSecp256k1Engine().name).toBe("libsecp256k1");
});

test("chooses between libsecp256k1 and noble only once", () => {
  expect(getSecp256k1Engine()).toBe(getSecp256k1Engine());
});

test.each([
  ["as installed", {}, native?.name ?? "noble"],
  ["without a suitable binary", { SECP256K1_PREBUILD: path.join(tmpdir(), "no-prebuilds-here") }, "noble"],
])(
  "verifies both kinds of signatures under plain Node.js without loading elliptic: %s",
  (_what, env, engine) => {
    const moduleUrl = (file: string) =>
      JSON.stringify(pathToFileURL(path.join(import.meta.dirname, file)).href);
    const [key, bitcoin] = [new TestWallet().response("a text"), new FastWallet().fields("a text")];
    const script = `
    import { createRequire } from "node:module";
    const { parsePublicKey } = await import(${moduleUrl("public-key.ts")});
    const { parseDerSignature, verifySignature } = await import(${moduleUrl("signature.ts")});
    const { getSecp256k1Engine } = await import(${moduleUrl("secp256k1.ts")});
    const { verifyBitcoinMessage } = await import(${moduleUrl("../plugins/fast/crypto/bitcoin-message.ts")});
    const [key, { msg, addr, sig }] = ${JSON.stringify([key, bitcoin])};
    const [publicKey, signature] = [parsePublicKey(key.public_key), parseDerSignature(key.signature)];
    const valid = [
      verifySignature({ publicKey, signature, message: key.challenge }),
      verifyBitcoinMessage({ message: msg, addr, sig }) !== null,
    ];
    const elliptic = Object.keys(createRequire(import.meta.url).cache).filter((file) => file.includes("elliptic"));
    console.log(JSON.stringify({ engine: getSecp256k1Engine().name, valid, elliptic }));`;
    const output = execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
      encoding: "utf8",
      env: { ...process.env, ...env },
    });
    expect(JSON.parse(output)).toEqual({ engine, valid: [true, true], elliptic: [] });
  },
);

describe.skipIf(native === null)("libsecp256k1 and noble (skipped without a suitable binary)", () => {
  test("agree on signatures with a low and a high s, and after any bit has changed", () => {
    fc.assert(
      fc.property(secretKeys, bytes32, fc.boolean(), fc.nat(), (secretKey, digest, highS, position) => {
        const point = noble.getPublicKey(secretKey, false);
        const low = noble.Signature.fromBytes(noble.sign(digest, secretKey, { prehash: false }));
        const signature = (highS ? new noble.Signature(low.r, N - low.s) : low).toBytes();
        const otherDigest = flipBit(digest, position);
        const other = flipBit(signature, position);
        const verdicts = [native, nobleEngine].map((engine) => [
          engine?.verifyDigest(signature, digest, point),
          engine?.verifyDigest(signature, otherDigest, point),
          isInRange(other) && engine?.verifyDigest(other, digest, point),
        ]);
        expect(verdicts).toEqual([
          [true, false, false],
          [true, false, false],
        ]);
      }),
      { numRuns: 60 },
    );
  });

  test("agree on every r and s in range, for any key and digest", () => {
    fc.assert(
      fc.property(secretKeys, bytes32, scalars, scalars, (secretKey, digest, r, s) => {
        const point = noble.getPublicKey(secretKey, false);
        const signature = new noble.Signature(r, s).toBytes();
        expect(native?.verifyDigest(signature, digest, point)).toBe(
          nobleEngine.verifyDigest(signature, digest, point),
        );
      }),
      { numRuns: 60 },
    );
  });

  test("recover the same key from a signature, for every recovery number", () => {
    fc.assert(
      fc.property(secretKeys, bytes32, fc.boolean(), fc.nat(), (secretKey, digest, highS, position) => {
        const low = noble.Signature.fromBytes(noble.sign(digest, secretKey, { prehash: false }));
        const signature = (highS ? new noble.Signature(low.r, N - low.s) : low).toBytes();
        const point = hexOrNull(noble.getPublicKey(secretKey, true));
        const recoveredKeys: (string | null)[] = [];
        for (const recovery of [0, 1, 2, 3]) {
          for (const candidate of [signature, flipBit(signature, position), new Uint8Array(64)]) {
            const ownKey = hexOrNull(native?.recoverPoint(candidate, recovery, digest));
            expect(ownKey).toBe(hexOrNull(nobleEngine.recoverPoint(candidate, recovery, digest)));
            if (candidate === signature) recoveredKeys.push(ownKey);
          }
        }
        expect(recoveredKeys.filter((key) => key === point)).toHaveLength(1);
      }),
      { numRuns: 30 },
    );
  });

  test("agree on whether a point is on the curve, compressed and uncompressed", () => {
    fc.assert(
      fc.property(secretKeys, bytes32, fc.nat(), (secretKey, x, position) => {
        const point = noble.getPublicKey(secretKey, false);
        const candidates = [point, flipBit(point.subarray(1), position), x].map((rest, index) =>
          index === 0 ? rest : Uint8Array.of(index === 1 ? 0x04 : 0x02, ...rest),
        );
        for (const candidate of candidates) {
          expect(hexOrNull(native?.uncompress(candidate))).toBe(hexOrNull(nobleEngine.uncompress(candidate)));
        }
      }),
    );
  });
});

test.each([nobleEngine, native].filter((engine) => engine !== null))(
  "does not change its arguments in $name",
  (engine) => {
    const secretKey = new Uint8Array(32).fill(9);
    const digest = hash("sha256", "a text", "buffer");
    const point = noble.getPublicKey(secretKey, true);
    const low = noble.Signature.fromBytes(noble.sign(digest, secretKey, { prehash: false }));
    const signature = new noble.Signature(low.r, N - low.s).toBytes();
    const before = [signature, digest, point].map(hexOrNull);
    expect(engine.verifyDigest(signature, digest, point)).toBe(true);
    engine.recoverPoint(signature, 0, digest);
    expect([signature, digest, point].map(hexOrNull)).toEqual(before);
  },
);

function isInRange(signature: Uint8Array): boolean {
  const scalar = (from: number) =>
    BigInt(`0x${Buffer.from(signature.subarray(from, from + 32)).toString("hex")}`);
  return [scalar(0), scalar(32)].every((value) => value >= 1n && value < N);
}

function hexOrNull(bytes: Uint8Array | null | undefined): string | null {
  return bytes ? Buffer.from(bytes).toString("hex") : null;
}
