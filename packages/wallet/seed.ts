import { entropyToMnemonic, generateMnemonic, mnemonicToEntropy, mnemonicToSeed } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { WalletError } from "./wallet-error.ts";

const WORD_COUNTS: readonly number[] = [12, 15, 18, 21, 24];
const TWELVE_WORDS_BITS = 128;

/** BIP-39: 12 English words that encode 128 bits from the platform's random source. */
export function generateRecoveryPhrase(): string {
  return generateMnemonic(wordlist, TWELVE_WORDS_BITS);
}

/**
 * Returns the phrase in lower case with single spaces. The input can have any letter case and any white space between
 * words.
 * @throws WalletError `phrase_length`, `phrase_word` (says which word) or `phrase_checksum`
 */
export function parseRecoveryPhrase(phrase: string): string {
  const words = phrase.normalize("NFKD").toLowerCase().trim().split(/\s+/u);
  if (!WORD_COUNTS.includes(words.length)) {
    const count = words[0] === "" ? 0 : words.length;
    throw new WalletError(
      "phrase_length",
      `A phrase has 12, 15, 18, 21 or 24 words; this one has ${count}. Look for a missing word.`,
    );
  }
  const unknownIndex = words.findIndex((word) => !wordlist.includes(word));
  if (unknownIndex >= 0) {
    throw new WalletError(
      "phrase_word",
      `Word ${unknownIndex + 1} is not in the BIP-39 English list. Look for a typing mistake.`,
    );
  }
  try {
    return entropyToMnemonic(mnemonicToEntropy(words.join(" "), wordlist), wordlist);
  } catch {
    throw new WalletError(
      "phrase_checksum",
      "These words are in the list, but they do not form a phrase. Look for a wrong word or two swapped words.",
    );
  }
}

/**
 * 64 bytes (BIP-39: PBKDF2-HMAC-SHA512, 2048 rounds, empty passphrase).
 * @throws WalletError the errors of `parseRecoveryPhrase`
 */
export async function seedFromPhrase(phrase: string): Promise<Uint8Array> {
  return await mnemonicToSeed(parseRecoveryPhrase(phrase));
}
