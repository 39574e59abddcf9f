import { secp256k1 as noble } from "@noble/curves/secp256k1.js";
import { loadBindings, orNull } from "../../crypto/secp256k1.ts";

/**
 * The 33-byte compressed point whose key made the 64-byte r‖s, s high or low, over the 32-byte digest (SEC 1, 4.1.6),
 * `recovery` (0 to 3) saying which of the candidates; null when there is none. Changes none of its arguments.
 */
export type RecoverPoint = (signature: Uint8Array, recovery: number, digest: Uint8Array) => Uint8Array | null;

/** The reference, on every platform. */
export const recoverWithNoble: RecoverPoint = (signature, recovery, digest) =>
  orNull(() => {
    const recoverable = noble.Signature.fromBytes(signature, "compact").addRecoveryBit(recovery);
    return recoverable.recoverPublicKey(digest).toBytes(true);
  });

/** With Bitcoin Core's library; null where it has no binary for this platform. */
export function loadNativeRecovery(): RecoverPoint | null {
  const bindings = loadBindings();
  return (
    bindings &&
    ((signature, recovery, digest) =>
      // The package takes plain arrays only, no Buffers.
      orNull(() =>
        bindings.ecdsaRecover(Uint8Array.from(signature), recovery, Uint8Array.from(digest), true),
      ))
  );
}

let chosen: RecoverPoint | undefined;

/** Recovers with the native library where it loads, decided at the first call. */
export const recoverPoint: RecoverPoint = (signature, recovery, digest) => {
  chosen ??= loadNativeRecovery() ?? recoverWithNoble;
  return chosen(signature, recovery, digest);
};
