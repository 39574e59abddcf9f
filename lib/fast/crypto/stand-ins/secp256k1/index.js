/*
 * What bitcoinjs-message 2.2 asks of secp256k1@3 to verify a message: `recover`. It stands in that package's place
 * (docs/decisions/0012), which wants a compiler and else falls back, in silence, to elliptic. The engines are
 * those of ../../secp256k1.ts: libsecp256k1, prebuilt, or noble where no binary fits. CommonJS, since
 * bitcoinjs-message is. There is no `sign`: the server holds no user's private key.
 */
const recover = load();

/**
 * @param {Uint8Array} digest 32 bytes
 * @param {Uint8Array} signature r‖s, 64 bytes
 * @param {number} recovery 0 to 3
 * @param {boolean} compressed the form of the answer
 * @returns {Buffer} the public key
 * @throws {Error} when no key can have made this signature
 */
exports.recover = (digest, signature, recovery, compressed) =>
  Buffer.from(recover(Uint8Array.from(digest), Uint8Array.from(signature), recovery, compressed));

function load() {
  try {
    const bindings = require("libsecp256k1/bindings.js");
    return (digest, signature, recovery, compressed) =>
      bindings.ecdsaRecover(signature, recovery, digest, compressed);
  } catch {
    const { secp256k1 } = require("@noble/curves/secp256k1.js");
    return (digest, signature, recovery, compressed) =>
      secp256k1.Signature.fromBytes(signature, "compact")
        .addRecoveryBit(recovery)
        .recoverPublicKey(digest)
        .toBytes(compressed);
  }
}
