/** One word for each byte. The order is the encoding and the same as in the sites' list, so it must never change. */
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

/**
 * The first four bytes of the fingerprint. Words are easier to compare than digits. Show the words next to the
 * fingerprint, not instead of it, because an attacker can generate keys until 32 bits match.
 * @param fingerprint four groups of four digits, `1a2b 3c4d 5e6f 7081`
 */
export function fingerprintWords(fingerprint: string): string {
  const bytes = fingerprint.slice(0, "1a2b 3c4d".length).match(/[0-9a-f]{2}/g) ?? [];
  return bytes.map((byte) => WORDS[Number.parseInt(byte, 16)]).join(" ");
}
