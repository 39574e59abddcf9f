import { randomBytes } from "@noble/hashes/utils.js";
import type { ResponseSigner } from "./answer-code.ts";
import { WalletError } from "./wallet-error.ts";
import { generateInstallationId, TRIAL_PLATFORM, WALLET_VERSION } from "./wallet-response.ts";

const SEED_BYTES = 64;

/** Cannot be restored, because it has no phrase, no lock and no file. */
export type TrialWallet = {
  /** Host names of hosted APIs that may receive the wallet's answers for other domains. */
  trustedHosts: readonly string[];
  /**
   * A copy of the seed for one answer.
   * @throws WalletError `wallet_gone`
   */
  unlock: () => ResponseSigner;
  /** Overwrites the seed. */
  forget: () => void;
};

export function createTrialWallet(trustedHosts: readonly string[] = []): TrialWallet {
  const seed = randomBytes(SEED_BYTES);
  const device = {
    platform: TRIAL_PLATFORM,
    version: WALLET_VERSION,
    installation: generateInstallationId(),
  };
  let isForgotten = false;
  return {
    trustedHosts,
    unlock: () => {
      // Without this check, the wallet would sign with a seed of zeros, whose keys anyone can derive.
      if (isForgotten) throw new WalletError("wallet_gone", "This wallet was removed. Make another one.");
      return { seed: seed.slice(), account: 0, addressType: "p2wpkh", device };
    },
    forget: () => {
      isForgotten = true;
      seed.fill(0);
    },
  };
}
