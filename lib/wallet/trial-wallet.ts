import { randomBytes } from "@noble/hashes/utils.js";
import { answerChallenge, describeKey, type KeyIdentity } from "./answer-challenge.ts";
import { type AddressIdentity, answerFast } from "./answer-fast.ts";
import { makeInstallation, TRIAL_PLATFORM } from "./device-info.ts";
import type { Payload } from "./read-payload.ts";
import type { SendResult, Surroundings } from "./send-response.ts";
import { WalletError } from "./wallet-error.ts";

const SEED_BYTES = 64;

/** What came of an answer, and what was signed by which key or address. */
export type TrialAnswer = SendResult & { signature: string; key: KeyIdentity | AddressIdentity };

/** A wallet for trying out: a whole one, but that nothing brings back. It has no words, no lock and no place on disk. */
export type TrialWallet = {
  /** Host names of hosted APIs that may take its answers for other domains. */
  trustedHosts: readonly string[];
  /** What a site would know it by. @throws WalletError `wallet_gone` */
  identify: (domain: string) => KeyIdentity;
  /**
   * Answers as `answerChallenge` and `answerFast` do, without trust in any other host than those.
   * @throws WalletError also `wallet_gone`
   */
  answer: (payload: Payload, surroundings?: Surroundings) => Promise<TrialAnswer>;
  /** Overwrites the seed: the wallet signs nothing any more. */
  forget: () => void;
};

/** Makes one from the platform's random source. Its seed is held by the closure alone, and never given out. */
export function makeTrialWallet(version: string, trustedHosts: readonly string[] = []): TrialWallet {
  const seed = randomBytes(SEED_BYTES);
  const device = { platform: TRIAL_PLATFORM, version, installation: makeInstallation() };
  let gone = false;

  const copyOfSeed = () => {
    // A seed of zeros would still sign, with keys that anybody can derive.
    if (gone) throw new WalletError("wallet_gone", "This wallet was thrown away. Make another one.");
    return seed.slice();
  };
  return {
    trustedHosts,
    identify: (domain) => {
      const copy = copyOfSeed();
      const key = describeKey(copy, domain, 0);
      copy.fill(0);
      return key;
    },
    answer: async (payload, surroundings) =>
      payload.kind === "fast"
        ? answerFast(payload, { seed: copyOfSeed(), type: "p2wpkh", account: 0 }, surroundings)
        : answerChallenge(
            payload,
            { seed: copyOfSeed(), account: 0, device },
            { trustedHosts },
            surroundings,
          ),
    forget: () => {
      gone = true;
      seed.fill(0);
    },
  };
}
