import { createHash } from "node:crypto";
import { BitcoinWallet } from "#packages/conformance/fast/bitcoin-wallet.ts";
import { Wallet } from "#packages/conformance/flow/wallet.ts";

/**
 * The conformance kit's wallets. They share no code with the application: if the same code created and verified
 * signatures, a mistake in it would not be noticed.
 */

/** The phone that a wallet describes in its responses. */
const DEVICE = { platform: "ios", version: "1.2.3", device_id: "device-1" };

/** A wallet that answers codes in login and hosted login. */
export class TestWallet extends Wallet {
  override response(challenge: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
    return super.response(challenge, { device_info: DEVICE, ...changes });
  }

  /** Returns the first 8 bytes of SHA-256 over the uncompressed key, in groups of four. */
  fingerprint(): string {
    const digits = createHash("sha256").update(this.publicKey, "hex").digest("hex").slice(0, 16);
    return digits.replace(/(.{4})(?=.)/g, "$1 ");
  }
}

/** A Bitcoin wallet that answers fast login, with the type of address that most wallets use. */
export class FastWallet extends BitcoinWallet {
  constructor() {
    super("p2wpkh");
  }
}
