const HEX_DIGITS = /^[0-9a-fA-F]+$/;

/**
 * The bytes that a text of hex digits stands for, either letter case; null for anything else (odd length,
 * empty, other characters). Never throws.
 *
 * The digits are checked first because `Buffer.from(text, "hex")` is lenient: it stops in silence at the first
 * wrong character, and takes a character above U+00FF by its low byte, so "İ0" would read as "00".
 */
export function decodeHex(text: string): Uint8Array | null {
  if (text.length % 2 !== 0 || !HEX_DIGITS.test(text)) return null;
  return Buffer.from(text, "hex");
}
