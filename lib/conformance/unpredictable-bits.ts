/**
 * What of texts cannot be told in advance, in bits: positions that vary, by the alphabet that they use.
 * @param largest how many characters there are, unless the texts have digits alone, or letters of one case
 */
export function unpredictableBits(texts: readonly string[], largest: 62 | 64): number {
  const shortest = Math.min(...texts.map((text) => text.length));
  const columns = Array.from({ length: shortest }, (_, index) => new Set(texts.map((text) => text[index])));
  const sizes: readonly [RegExp, number][] = [
    [/^[0-9-]*$/, 10],
    [/^[0-9a-f-]*$/i, 16],
    [/^([0-9a-z_-]*|[0-9A-Z_-]*)$/, 36],
  ];
  const alphabet = sizes.find(([pattern]) => pattern.test(texts.join("")))?.[1] ?? largest;
  return columns.filter((column) => column.size > 2).length * Math.log2(alphabet);
}
