import { randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { keccak_256 } from "@noble/hashes/sha3.js";

/** The part of `libsecp256k1/bindings` that signs; the package has no types of its own. */
type Bindings = {
  publicKeyCreate(secret: Uint8Array, compressed: boolean): Uint8Array;
  ecdsaSign(digest: Uint8Array, secret: Uint8Array): { signature: Uint8Array; recid: number };
};

const bindings: Bindings = createRequire(import.meta.url)("libsecp256k1/bindings.js");

/** An Ethereum wallet of one random key, for the peer that knows no other. */
export class EthereumWallet {
  readonly #secret = randomBytes(32);
  readonly address = addressOf(bindings.publicKeyCreate(this.#secret, false));

  /** An EIP-191 signature of a text (hex). */
  signMessage(text: string): string {
    const bytes = Buffer.from(text);
    const digest = keccak_256(
      Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${bytes.length}`), bytes]),
    );
    const { signature, recid } = bindings.ecdsaSign(digest, this.#secret);
    return `0x${Buffer.from(signature).toString("hex")}${(27 + recid).toString(16)}`;
  }
}

/** The checksummed address (EIP-55) of an uncompressed public key. */
function addressOf(publicKey: Uint8Array): string {
  const address = Buffer.from(keccak_256(publicKey.subarray(1)).subarray(12)).toString("hex");
  const hash = Buffer.from(keccak_256(Buffer.from(address))).toString("hex");
  const checked = [...address].map((digit, at) => ((hash[at] ?? "0") >= "8" ? digit.toUpperCase() : digit));
  return `0x${checked.join("")}`;
}
