import fc from "fast-check";

/**
 * Any code point, including half of a surrogate pair. Unlike the unit "binary" of fast-check, it needs no list of all
 * code points, which takes more than a second in each process that runs such a test.
 */
export const anyCharacter = fc.nat(0x10ffff).map((code) => String.fromCodePoint(code));
