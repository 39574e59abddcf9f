import fc from "fast-check";

/**
 * Generates any code point, including a lone surrogate. Unlike fast-check's unit "binary", it does not build a list of
 * all code points, which would take more than a second in each process that uses it.
 */
export const anyCharacter = fc.nat(0x10ffff).map((code) => String.fromCodePoint(code));
