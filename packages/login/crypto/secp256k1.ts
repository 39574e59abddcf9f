import { createRequire } from "node:module";
import { secp256k1 as noble } from "@noble/curves/secp256k1.js";

/**
 * The operations on secp256k1 (SEC 2, 2.4.1) that the server needs: parsing a public key, verifying an ECDSA signature
 * (SEC 1, 4.1.4), and recovering the key that made a signature (4.1.6). The engine neither hashes nor signs: callers
 * pass digests, and the server has no private keys.
 */
export type Secp256k1Engine = {
  readonly name: "libsecp256k1" | "noble";
  /**
   * Accepts 33 bytes (02/03) or 65 bytes (04), and returns null if the point is not on the curve. The caller must have
   * checked the length and the prefix.
   */
  uncompress(point: Uint8Array): Uint8Array | null;
  /** The signature is r‖s. r and s must be in [1, n − 1], and s can be high or low. Does not modify its arguments. */
  verifyDigest(signature: Uint8Array, digest: Uint8Array, point: Uint8Array): boolean;
  /**
   * Returns the 33-byte compressed form of the public key that made the 64-byte signature r‖s over the 32-byte digest.
   * s can be high or low, and `recovery` (0 to 3) selects one of the possible keys. Returns null if there is no such
   * key. Does not modify its arguments.
   */
  recoverPoint(signature: Uint8Array, recovery: number, digest: Uint8Array): Uint8Array | null;
};

/** `libsecp256k1` is an alias of npm's secp256k1@5 (docs/decisions/0012) and does not include types. */
type Bindings = {
  publicKeyConvert(point: Uint8Array, compressed: boolean): Uint8Array;
  signatureNormalize(signature: Uint8Array): Uint8Array;
  ecdsaVerify(signature: Uint8Array, digest: Uint8Array, point: Uint8Array): boolean;
  ecdsaRecover(signature: Uint8Array, recovery: number, digest: Uint8Array, compressed: boolean): Uint8Array;
};

/** Pure JavaScript, for every platform. Uses about twenty times as much processor time as the native engine. */
export const nobleEngine: Secp256k1Engine = {
  name: "noble",
  uncompress: (point) => nullOnError(() => noble.Point.fromBytes(point).toBytes(false)),
  verifyDigest: (signature, digest, point) =>
    noble.verify(signature, digest, point, { prehash: false, lowS: false }),
  recoverPoint: (signature, recovery, digest) =>
    nullOnError(() => {
      const recoverable = noble.Signature.fromBytes(signature, "compact").addRecoveryBit(recovery);
      return recoverable.recoverPublicKey(digest).toBytes(true);
    }),
};

/** Uses Bitcoin Core's library. Returns null if the package has no binary for this platform. */
export function loadLibsecp256k1(): Secp256k1Engine | null {
  const bindings = loadBindings();
  if (!bindings) return null;
  return {
    name: "libsecp256k1",
    uncompress: (point) => nullOnError(() => bindings.publicKeyConvert(point, false)),
    verifyDigest(signature, digest, point) {
      // The library rejects a high s. The protocol accepts both, because anyone can replace s by n − s in a valid
      // signature.
      const lowS = bindings.signatureNormalize(Uint8Array.from(signature));
      return bindings.ecdsaVerify(lowS, digest, point);
    },
    recoverPoint: (signature, recovery, digest) =>
      // The package accepts plain Uint8Arrays but not Buffers.
      nullOnError(() =>
        bindings.ecdsaRecover(Uint8Array.from(signature), recovery, Uint8Array.from(digest), true),
      ),
  };
}

/**
 * Loads `bindings.js`, because the package's index silently falls back to `elliptic`. Uses `createRequire`, because a
 * static import would throw if no binary fits, and an awaited import would make every importing module asynchronous.
 * Keep the literal argument in the call: Turbopack recognises this form and leaves the package external
 * (`serverExternalPackages`).
 */
function loadBindings(): Bindings | null {
  return nullOnError(() => createRequire(import.meta.url)("libsecp256k1/bindings.js"));
}

/** The libraries and decoders throw on malformed input. */
export function nullOnError<Value>(compute: () => Value): Value | null {
  try {
    return compute();
  } catch {
    return null;
  }
}

let chosen: Secp256k1Engine | undefined;

/** The choice is made on the first call and never changes. */
export function getSecp256k1Engine(): Secp256k1Engine {
  chosen ??= loadLibsecp256k1() ?? nobleEngine;
  return chosen;
}
