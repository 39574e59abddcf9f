import { createHash } from "node:crypto";
import { BitcoinWallet } from "#packages/conformance/fast/bitcoin-wallet.ts";
import { Wallet } from "#packages/conformance/flow/wallet.ts";

/**
 * The conformance kit's wallets share no code with the application. If the same code created and verified signatures,
 * tests would not notice a mistake in it.
 */

const DEVICE = { platform: "ios", version: "1.2.3", device_id: "device-1" };

export class TestWallet extends Wallet {
  override response(challenge: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
    return super.response(challenge, { device_info: DEVICE, ...changes });
  }

  /** Returns the first 8 bytes of the SHA-256 of the uncompressed key, in groups of four digits. */
  fingerprint(): string {
    const digits = createHash("sha256").update(this.publicKey, "hex").digest("hex").slice(0, 16);
    return digits.replace(/(.{4})(?=.)/g, "$1 ");
  }
}

/** Has the type of address that most wallets use. */
export class FastWallet extends BitcoinWallet {
  constructor() {
    super("p2wpkh");
  }
}
