/** Recovery codes (docs/protocol.md#101-recovery-codes). Runs in any JavaScript runtime. */

/** Crockford's base 32 omits I, L, O and U. */
export const RECOVERY_CODE_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

const CHARACTERS = 24;
const GROUP_CHARACTERS = 5;
/** Crockford's check symbol encodes the code's number modulo this prime. */
const CHECK_MODULUS = 37;

/**
 * Crockford's check character detects every single wrong character and every swap of two neighbouring characters.
 * Returns null if it is not in the alphabet, in which case these characters are not used as a code.
 */
export function computeCheckCharacter(characters: string): string | null {
  let remainder = 0;
  for (const character of characters)
    remainder = (remainder * 32 + RECOVERY_CODE_ALPHABET.indexOf(character)) % CHECK_MODULUS;
  return RECOVERY_CODE_ALPHABET[remainder] ?? null;
}

/** Appends the check character to the 24 characters, and writes five groups of five. */
export function formatRecoveryCode(characters: string): string {
  const all = characters + computeCheckCharacter(characters);
  return all.replace(new RegExp(`.{${GROUP_CHARACTERS}}(?=.)`, "g"), "$&-");
}

/**
 * Accepts upper and lower case, spaces and hyphens anywhere, I and L for 1, and O for 0.
 * @returns the 24 characters, or null if the text is not a recovery code or its check character is wrong
 */
export function readCode(code: string): string | null {
  const all = code
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, "")
    .replace(/[IL]/g, "1")
    .replace(/O/g, "0");
  if (
    all.length !== CHARACTERS + 1 ||
    [...all].some((character) => !RECOVERY_CODE_ALPHABET.includes(character))
  )
    return null;
  const characters = all.slice(0, CHARACTERS);
  return computeCheckCharacter(characters) === all.at(-1) ? characters : null;
}
