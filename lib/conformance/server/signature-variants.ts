import { encodeDer, integer, integerOf, magnitude, type Scalars, sequence, tagged } from "./der.ts";
import { ORDER } from "./wallet.ts";

/** Section 1.4: what is nearly a signature, made from one that is. */

/** What is wrong with a signature, and the signature: bytes of DER, or the text as it is sent. */
export type Variant = [what: string, signature: Uint8Array | string];

const ZERO = Buffer.of(0);
/** An order of lengths: short, long and indefinite forms where one alone is right. */
export function lengthVariants({ r, s }: Scalars): Variant[] {
  const right = encodeDer({ r, s });
  const content = right.subarray(2);
  const [rBytes, sBytes] = [integer(r), integer(s)];
  const longR = Buffer.concat([Buffer.of(0x02, 0x81, rBytes.length - 2), rBytes.subarray(2)]);
  const longS = Buffer.concat([Buffer.of(0x02, 0x81, sBytes.length - 2), sBytes.subarray(2)]);
  return [
    ["the sequence's length in long form", Buffer.concat([Buffer.of(0x30, 0x81, content.length), content])],
    [
      "the sequence's length in three bytes",
      Buffer.concat([Buffer.of(0x30, 0x82, 0, content.length), content]),
    ],
    ["r's length in long form", sequence(longR, sBytes)],
    ["s's length in long form", sequence(rBytes, longS)],
    ["the indefinite length", Buffer.concat([Buffer.of(0x30, 0x80), content, Buffer.of(0, 0)])],
    ["a length one too large", Buffer.concat([Buffer.of(0x30, content.length + 1), content])],
    ["a length one too small", Buffer.concat([Buffer.of(0x30, content.length - 1), content])],
  ];
}

export function integerVariants({ r, s }: Scalars): Variant[] {
  const [rBytes, sBytes] = [magnitude(r), magnitude(s)];
  return [
    ["a padded r", sequence(integerOf(ZERO, rBytes), integer(s))],
    ["a padded s", sequence(integer(r), integerOf(ZERO, sBytes))],
    ["an r padded twice", sequence(integerOf(ZERO, ZERO, rBytes), integer(s))],
    ["an r padded to 64 bytes", sequence(integerOf(Buffer.alloc(32), rBytes), integer(s))],
  ];
}

/** The highest bit is set and no zero stands before it: in DER these numbers are negative. */
export function negativeVariants({ r, s }: Scalars): Variant[] {
  return [["r without its leading zero", sequence(integerOf(magnitude(r)), integer(s))]];
}

export function trailingVariants(scalars: Scalars): Variant[] {
  const right = encodeDer(scalars);
  const { r, s } = scalars;
  return [
    ["a byte behind it", Buffer.concat([right, ZERO])],
    ["a NULL behind it", Buffer.concat([right, Buffer.of(5, 0)])],
    ["a hash type behind it, as in Bitcoin", Buffer.concat([right, Buffer.of(1)])],
    ["bytes within the sequence", sequence(integer(r), integer(s), ZERO)],
    ["a third integer", sequence(integer(r), integer(s), integer(1n))],
    ["its last byte missing", right.subarray(0, -1)],
    ["s missing", sequence(integer(r))],
    ["itself twice", Buffer.concat([right, right])],
  ];
}

export function tagVariants({ r, s }: Scalars): Variant[] {
  return [
    ["a SET", tagged(0x31, integer(r), integer(s))],
    ["a BIT STRING for r", sequence(tagged(0x03, integer(r).subarray(2)), integer(s))],
    ["an OCTET STRING for s", sequence(integer(r), tagged(0x04, integer(s).subarray(2)))],
    ["a sequence around the sequence", sequence(encodeDer({ r, s }))],
  ];
}

export function rangeVariants({ r, s }: Scalars): Variant[] {
  const negated = Buffer.concat([Buffer.of(0xff), magnitude((1n << 256n) - (ORDER - s))]);
  return [
    ["r and s of zero", encodeDer({ r: 0n, s: 0n })],
    ["r of zero", encodeDer({ r: 0n, s })],
    ["s of zero", encodeDer({ r, s: 0n })],
    ["r equal to n", encodeDer({ r: ORDER, s })],
    ["s equal to n", encodeDer({ r, s: ORDER })],
    ["r and s equal to n", encodeDer({ r: ORDER, s: ORDER })],
    ["r + n", encodeDer({ r: r + ORDER, s })],
    ["s + n", encodeDer({ r, s: s + ORDER })],
    ["s - n, which is negative", sequence(integer(r), integerOf(negated))],
    ["r and s of one", encodeDer({ r: 1n, s: 1n })],
  ];
}

export function textVariants(scalars: Scalars): Variant[] {
  const bytes = encodeDer(scalars);
  const right = bytes.toString("hex");
  const compact = [scalars.r, scalars.s].map((value) => value.toString(16).padStart(64, "0")).join("");
  return [
    ["r and s in 64 bytes, without DER", compact],
    ["65 bytes with a recovery number", `1b${compact}`],
    ["base64", bytes.toString("base64")],
    ["0x in front", `0x${right}`],
    ["white space around it", ` ${right} `],
    ["a line break behind", `${right}\n`],
    ["letters behind it that are no hex", `${right}zz`],
    ["an odd number of digits", right.slice(0, -1)],
    ["nothing", ""],
  ];
}
