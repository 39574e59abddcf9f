import { scryptAsync } from "@noble/hashes/scrypt.js";
import { bytesToHex, hexToBytes, randomBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { WalletError } from "./wallet-error.ts";

/** What a stolen store can be tried against is this long at least; OWASP's cost does the rest. */
export const MIN_PASSPHRASE_CHARACTERS = 10;

/** scrypt's cost (OWASP's first choice): 128 MB, about half a second on a laptop. */
const COST = { n: 2 ** 17, r: 8, p: 1 };
/** A store that asks for more than this is not ours, and would only stall the device. */
const MAX_COST = { n: 2 ** 20, r: 32, p: 16 };
const SALT_BYTES = 16;
const KEY_BYTES = 32;

/** How a passphrase becomes a key; kept beside what it seals. */
export type PassphraseProtection = { by: "passphrase"; salt: string; n: number; r: number; p: number };

/** A new salt at today's cost. `cost` is for tests, which have no time for the real one. */
export function makePassphraseProtection(cost: Partial<typeof COST> = {}): PassphraseProtection {
  return { by: "passphrase", salt: bytesToHex(randomBytes(SALT_BYTES)), ...COST, ...cost };
}

/**
 * A new passphrase, as good as a guess against a stolen store can be borne.
 * @throws WalletError `passphrase_short`
 */
export function checkPassphrase(passphrase: string): string {
  if (Array.from(passphrase.normalize("NFKC").trim()).length < MIN_PASSPHRASE_CHARACTERS) {
    throw new WalletError(
      "passphrase_short",
      `A passphrase has ${MIN_PASSPHRASE_CHARACTERS} characters or more. Four words that do not belong together are good.`,
    );
  }
  return passphrase;
}

/**
 * The 32-byte key of a passphrase: scrypt over its NFKC form, white space at the ends not counted, so
 * that every keyboard types the same one.
 * @throws WalletError `seal_malformed` when the cost is none that this wallet would choose
 */
export async function passphraseKey(
  passphrase: string,
  { salt, n, r, p }: PassphraseProtection,
): Promise<Uint8Array> {
  const borne = n <= MAX_COST.n && r <= MAX_COST.r && p <= MAX_COST.p && r * p <= MAX_COST.r;
  if (!borne || (n & (n - 1)) !== 0 || n < 2 || r < 1 || p < 1) {
    throw new WalletError("seal_malformed", "This wallet was sealed in a way that cannot be opened here.");
  }
  const text = utf8ToBytes(passphrase.normalize("NFKC").trim());
  return await scryptAsync(text, hexToBytes(salt), { N: n, r, p, dkLen: KEY_BYTES, maxmem: 2 ** 31 });
}
