/** One word for each byte. The order defines the encoding, so it must never change. */
const WORDS = `
  acorn album alley amber anchor angel apple apron arrow aspen atlas attic autumn badge bagel bamboo banjo
  barn basil basket beach beacon bean bear beaver bell berry bicycle birch bison blanket blossom boat bonfire
  book boot bottle bowl branch brass bread breeze brick bridge broom brush bucket buffalo bugle butter button
  cabin cactus cake camel camera canal candle canoe canyon carpet carrot castle cedar cello chain chalk cherry
  chess chimney cider cinnamon circus citrus clay clock cloud clover coast cobalt cocoa coffee comet compass
  copper coral cotton cradle crane crayon cricket crown crystal curtain cushion daisy dawn deer desert diamond
  dolphin donkey door dragon drum eagle easel echo elbow elephant elm ember emerald engine falcon feather
  fence fern ferry fiddle field finch flag flame flute forest fossil fountain fox garden garlic gecko ginger
  giraffe glacier glove goose granite grape guitar hammer harbor harp hazel heron hill honey hotel igloo
  indigo iris island ivory ivy jacket jaguar jasmine jelly jungle kayak kettle kitten koala ladder lagoon lamp
  lantern lark lemon lentil lilac lily linen lion lobster lotus magnet mango maple marble meadow melon mint
  mirror monkey moon moss mustard nectar needle nest noodle nutmeg oak oasis ocean olive onion orange orchid
  otter owl paddle panda paper parrot peach pearl pebble pelican pencil pepper piano pigeon pillow pine planet
  plum pocket poppy potato prism pumpkin puzzle quartz rabbit radish rain raven ribbon river robin rocket rose
  saddle salmon sand satin scarf shell silver spruce sugar swan tiger tulip turtle velvet violin walnut willow
  winter yarn yogurt zebra zephyr
`
  .trim()
  .split(/\s+/);

const WORDS_SHOWN = 4;

/**
 * People can compare words more easily than digits. Returns null if `name` is not a fingerprint. Always show the
 * fingerprint, too, because the words contain only its first four bytes, and an attacker can generate keys until 32
 * bits match.
 * @param name a credential's name; for a key, its fingerprint, such as `1a2b 3c4d 5e6f 7081`
 */
export function fingerprintWords(name: string): string[] | null {
  if (!/^[0-9a-f]{4}( [0-9a-f]{4}){3}$/.test(name)) return null;
  const bytes = name.replaceAll(" ", "").match(/../g) ?? [];
  return bytes.slice(0, WORDS_SHOWN).flatMap((byte) => WORDS[Number.parseInt(byte, 16)] ?? []);
}
