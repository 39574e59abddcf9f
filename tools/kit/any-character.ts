import fc from "fast-check";

/**
 * Any code point, including half of a surrogate pair. Unlike fast-check's unit "binary", it does not build a list of
 * all code points, which would take more than a second in each process that runs such a test.
 */
export const anyCharacter = fc.nat(0x10ffff).map((code) => String.fromCodePoint(code));
