import { hash } from "node:crypto";
import { secp256k1 as noble } from "@noble/curves/secp256k1.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { loadLibsecp256k1, nobleEngine } from "../../crypto/secp256k1.ts";

const native = loadLibsecp256k1();
const N = noble.Point.CURVE().n;

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const secretKeys = bytes32.filter(noble.utils.isValidSecretKey);

test.skipIf(native === null)(
  "libsecp256k1 and noble agree on the key of a signature, low-S and high-S, by every recovery number, and on what has none",
  () => {
    fc.assert(
      fc.property(secretKeys, bytes32, fc.boolean(), fc.nat(), (secretKey, digest, highS, position) => {
        const low = noble.Signature.fromBytes(noble.sign(digest, secretKey, { prehash: false }));
        const signature = (highS ? new noble.Signature(low.r, N - low.s) : low).toBytes();
        const point = Buffer.from(noble.getPublicKey(secretKey, true)).toString("hex");
        const recovered: (string | null)[] = [];
        for (const recovery of [0, 1, 2, 3]) {
          for (const sent of [signature, flipBit(signature, position), new Uint8Array(64)]) {
            const own = hexOrNull(native?.recoverPoint(sent, recovery, digest));
            expect(own).toBe(hexOrNull(nobleEngine.recoverPoint(sent, recovery, digest)));
            if (sent === signature) recovered.push(own);
          }
        }
        expect(recovered.filter((key) => key === point)).toHaveLength(1);
      }),
      { numRuns: 30 },
    );
  },
);

test.each([
  ["noble", nobleEngine],
  ["libsecp256k1", native],
])("%s changes none of its arguments", (_name, engine) => {
  const secretKey = new Uint8Array(32).fill(9);
  const digest = hash("sha256", "a text", "buffer");
  const low = noble.Signature.fromBytes(noble.sign(digest, secretKey, { prehash: false }));
  const signature = new noble.Signature(low.r, N - low.s).toBytes();
  const before = [signature, digest].map(hexOrNull);
  engine?.recoverPoint(signature, 0, digest);
  expect([signature, digest].map(hexOrNull)).toEqual(before);
});

function flipBit(bytes: Uint8Array, position: number): Uint8Array {
  const flipped = Uint8Array.from(bytes);
  const index = (position >> 3) % flipped.length;
  flipped[index] = (flipped[index] ?? 0) ^ (1 << (position & 7));
  return flipped;
}

function hexOrNull(bytes: Uint8Array | null | undefined): string | null {
  return bytes ? Buffer.from(bytes).toString("hex") : null;
}
