import { keccak_256 } from "@noble/hashes/sha3.js";
import { Key } from "../kit/test-wallet.ts";

/** An Ethereum wallet of one random key, for the peer that knows no other. */
export class EthereumWallet {
  readonly #key = new Key();
  readonly address = addressOf(this.#key.point(false));

  /** An EIP-191 signature of a text (hex). */
  signMessage(text: string): string {
    const bytes = Buffer.from(text);
    const digest = keccak_256(
      Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${bytes.length}`), bytes]),
    );
    const { signature, recid } = this.#key.sign(digest);
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
