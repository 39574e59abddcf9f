import { randomBytes } from "@noble/hashes/utils.js";
import { answerCode, type CodeAnswer } from "./answer-code.ts";
import type { Payload } from "./read-payload.ts";
import type { RequestEnvironment } from "./request-site.ts";
import { WalletError } from "./wallet-error.ts";
import { makeInstallation, TRIAL_PLATFORM, WALLET_VERSION } from "./wallet-response.ts";

const SEED_BYTES = 64;

/** A complete temporary wallet that cannot be restored, because it has no phrase, no lock and no file. */
export type TrialWallet = {
  /** Host names of hosted APIs that may take its answers for other domains. */
  trustedHosts: readonly string[];
  /**
   * Answers as `answerCode` does, trusting only `trustedHosts`.
   * @throws WalletError also `wallet_gone`
   */
  answer: (payload: Payload, surroundings?: RequestEnvironment) => Promise<CodeAnswer>;
  /** Overwrites the seed: the wallet can no longer sign. */
  forget: () => void;
};

/** Makes a wallet from the platform's random source. Only the closure holds its seed, and never gives it out. */
export function makeTrialWallet(trustedHosts: readonly string[] = []): TrialWallet {
  const seed = randomBytes(SEED_BYTES);
  const device = { platform: TRIAL_PLATFORM, version: WALLET_VERSION, installation: makeInstallation() };
  let gone = false;
  return {
    trustedHosts,
    answer: async (payload, surroundings) => {
      // A seed of zeros could still sign, with keys that anyone can derive.
      if (gone) throw new WalletError("wallet_gone", "This wallet was removed. Make another one.");
      const answerer = { seed: seed.slice(), account: 0, addressType: "p2wpkh", device } as const;
      return answerCode(payload, answerer, { trustedHosts }, surroundings);
    },
    forget: () => {
      gone = true;
      seed.fill(0);
    },
  };
}
