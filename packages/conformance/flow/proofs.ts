import { createHash } from "node:crypto";
import { ORDER, sha256 } from "../signing-key.ts";
import type { ResponseChanges } from "./flow.ts";
import {
  encodeDer,
  encodeTlv,
  integer,
  integerOf,
  type Scalars,
  sequence,
  toUnsignedBytes,
  Wallet,
} from "./wallet.ts";

/**
 * Sections 1.3 and 1.4, for every flow that uses keys: replacements for parts of a correct response. The valid forms
 * come first, then the invalid ones.
 */

export type Proofs = (
  wallet: Wallet,
  challenge: string,
) => readonly (readonly [what: string, changes: ResponseChanges])[];

const ZERO = Buffer.of(0);
/** Smaller numbers fit in 31 bytes without a sign byte. */
const SHORT = 1n << 247n;
const FIELD_ORDER = "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f";

const hasHighBit = (value: bigint) => (toUnsignedBytes(value)[0] ?? 0) >= 0x80;
export const derHex = (scalars: Scalars) => encodeDer(scalars).toString("hex");

/** r and s take 32 bytes and have a highest bit of zero. An additional zero byte before such a number is invalid. */
const plainSignature = (wallet: Wallet, challenge: string) =>
  wallet.findScalars(challenge, ({ r, s }) =>
    [r, s].every((value) => !hasHighBit(value) && toUnsignedBytes(value).length === 32),
  );

const coordinatesOf = ({ publicKey }: Wallet) => [publicKey.slice(2, 66), publicKey.slice(66)] as const;

export const compressedKeys: Proofs = ({ compressedKey }) => [
  ["a compressed key", { public_key: compressedKey }],
];

export const keysInCapitals: Proofs = ({ publicKey }) => [
  ["a key in upper case", { public_key: publicKey.toUpperCase() }],
];

export const highS: Proofs = (wallet, challenge) => {
  const { r, s } = wallet.scalars(challenge);
  return [["a signature with a high s", { signature: derHex({ r, s: ORDER - s }) }]];
};

export const lowS: Proofs = (wallet, challenge) => [
  ["a signature with a low s", { signature: wallet.sign(challenge) }],
];

export const signaturesInCapitals: Proofs = (wallet, challenge) => [
  ["a signature in upper case", { signature: wallet.sign(challenge).toUpperCase() }],
];

export const signatureLengths: Proofs = (wallet, challenge) => {
  const found = (condition: (scalars: Scalars) => boolean) =>
    derHex(wallet.findScalars(challenge, condition));
  return [
    ["a signature with a short r", { signature: found(({ r }) => r < SHORT) }],
    ["a signature with a long r", { signature: found(({ r }) => hasHighBit(r)) }],
    ["a signature with a short s", { signature: found(({ s }) => s < SHORT) }],
  ];
};

export const otherKeyForms: Proofs = (wallet) => {
  const { publicKey, compressedKey } = wallet;
  const [x, y] = coordinatesOf(wallet);
  const isEven = compressedKey.startsWith("02");
  const forms = [
    ["in hybrid form", `${isEven ? "06" : "07"}${x}${y}`],
    ["of x and y without a prefix", x + y],
    ["of only x", x],
    ["in compressed form with the other parity", (isEven ? "03" : "02") + x],
    ["with an additional byte", `${publicKey}00`],
    ["without its last byte", publicKey.slice(0, -2)],
    ["that begins with 0x", `0x${publicKey}`],
    ["with spaces around it", ` ${publicKey} `],
    ["followed by a line break", `${publicKey}\n`],
    ["in base64", Buffer.from(publicKey, "hex").toString("base64")],
    ["in SubjectPublicKeyInfo form", `3056301006072a8648ce3d020106052b8104000a034200${publicKey}`],
  ] as const;
  return forms.map(([what, public_key]) => [`a key ${what}`, { public_key }]);
};

export const invalidPoints: Proofs = (wallet) => {
  const [x, y] = coordinatesOf(wallet);
  // The parity is unchanged, so a site that ignores y except for its parity finds the wallet's own key.
  const lastDigit = (Number.parseInt(y.slice(-1), 16) ^ 2).toString(16);
  const texts = [
    ["that is not a point on the curve", `04${x}${y.slice(0, -1)}${lastDigit}`],
    ["that is the point at infinity", "00"],
    ["of 65 zero bytes", "00".repeat(65)],
    ["of 04 and zeros", `04${"00".repeat(64)}`],
    ["in compressed form whose x has no point", `02${"00".repeat(31)}05`],
    ["in compressed form whose x is the field's order", `02${FIELD_ORDER}`],
    ["whose coordinates exceed the field's order", `04${"ff".repeat(64)}`],
    ["of no characters", ""],
    ["that is not hex", "zz".repeat(65)],
    ["with an odd number of digits", wallet.publicKey.slice(0, -1)],
    ["in full-width digits", "\uff10\uff14".repeat(65)],
  ] as const;
  return texts.map(([what, public_key]) => [`a key ${what}`, { public_key }]);
};

type Variants = (
  wallet: Wallet,
  challenge: string,
) => readonly (readonly [what: string, signature: Uint8Array | string])[];

const signatures =
  (variantsOf: Variants): Proofs =>
  (wallet, challenge) =>
    variantsOf(wallet, challenge).map(([what, bytes]) => {
      const signature = typeof bytes === "string" ? bytes : Buffer.from(bytes).toString("hex");
      return [`a signature ${what}`, { signature }];
    });

export const derLengths = signatures((wallet, challenge) => {
  const { r, s } = plainSignature(wallet, challenge);
  const content = encodeDer({ r, s }).subarray(2);
  const size = content.length;
  const longForm = (number: Buffer) =>
    Buffer.concat([Buffer.of(0x02, 0x81, number.length - 2), number.subarray(2)]);
  return [
    ["whose sequence has its length in long form", Buffer.concat([Buffer.of(0x30, 0x81, size), content])],
    ["whose sequence has a three-byte length", Buffer.concat([Buffer.of(0x30, 0x82, 0, size), content])],
    ["whose r has its length in long form", sequence(longForm(integer(r)), integer(s))],
    ["whose s has its length in long form", sequence(integer(r), longForm(integer(s)))],
    ["with an indefinite length", Buffer.concat([Buffer.of(0x30, 0x80), content, Buffer.of(0, 0)])],
    ["whose length is one too large", Buffer.concat([Buffer.of(0x30, size + 1), content])],
    ["whose length is one too small", Buffer.concat([Buffer.of(0x30, size - 1), content])],
  ];
});

export const derIntegers = signatures((wallet, challenge) => {
  const { r, s } = plainSignature(wallet, challenge);
  const [rBytes, sBytes] = [toUnsignedBytes(r), toUnsignedBytes(s)];
  // The highest bit of r is set, so without a zero byte before it the number is negative in DER.
  const negativeProof = wallet.findScalars(challenge, (scalars) => hasHighBit(scalars.r));
  return [
    ["whose r has an additional leading zero", sequence(integerOf(ZERO, rBytes), integer(s))],
    ["whose s has an additional leading zero", sequence(integer(r), integerOf(ZERO, sBytes))],
    ["whose r has two additional leading zeros", sequence(integerOf(ZERO, ZERO, rBytes), integer(s))],
    ["whose r is padded to 64 bytes", sequence(integerOf(Buffer.alloc(32), rBytes), integer(s))],
    ["whose r is negative", sequence(integerOf(toUnsignedBytes(negativeProof.r)), integer(negativeProof.s))],
  ];
});

export const derTrailing = signatures((wallet, challenge) => {
  const { r, s } = plainSignature(wallet, challenge);
  const correctProof = encodeDer({ r, s });
  return [
    ["followed by a zero byte", Buffer.concat([correctProof, ZERO])],
    ["followed by an ASN.1 NULL", Buffer.concat([correctProof, Buffer.of(5, 0)])],
    ["followed by a hash type, as in Bitcoin", Buffer.concat([correctProof, Buffer.of(1)])],
    ["with an additional byte in its sequence", sequence(integer(r), integer(s), ZERO)],
    ["of three integers", sequence(integer(r), integer(s), integer(1n))],
    ["without its last byte", correctProof.subarray(0, -1)],
    ["of only r", sequence(integer(r))],
    ["sent twice in a row", Buffer.concat([correctProof, correctProof])],
  ];
});

export const derTags = signatures((wallet, challenge) => {
  const { r, s } = plainSignature(wallet, challenge);
  return [
    ["that is a SET", encodeTlv(0x31, integer(r), integer(s))],
    ["whose r is a BIT STRING", sequence(encodeTlv(0x03, integer(r).subarray(2)), integer(s))],
    ["whose s is an OCTET STRING", sequence(integer(r), encodeTlv(0x04, integer(s).subarray(2)))],
    ["in a second sequence", sequence(encodeDer({ r, s }))],
  ];
});

export const outOfRangeScalars = signatures((wallet, challenge) => {
  const { r, s } = wallet.scalars(challenge);
  const negatedS = Buffer.concat([Buffer.of(0xff), toUnsignedBytes((1n << 256n) - (ORDER - s))]);
  return [
    ["with r + n", encodeDer({ r: r + ORDER, s })],
    ["whose r and s are zero", encodeDer({ r: 0n, s: 0n })],
    ["whose r is zero", encodeDer({ r: 0n, s })],
    ["whose s is zero", encodeDer({ r, s: 0n })],
    ["whose r equals n", encodeDer({ r: ORDER, s })],
    ["whose s equals n", encodeDer({ r, s: ORDER })],
    ["whose r and s equal n", encodeDer({ r: ORDER, s: ORDER })],
    ["with s + n", encodeDer({ r, s: s + ORDER })],
    ["with s - n, which is negative", sequence(integer(r), integerOf(negatedS))],
    ["whose r and s are one", encodeDer({ r: 1n, s: 1n })],
  ];
});

export const otherSignatureFormats = signatures((wallet, challenge) => {
  const { r, s } = wallet.scalars(challenge);
  const correctHex = derHex({ r, s });
  const compact = [r, s].map((value) => value.toString(16).padStart(64, "0")).join("");
  return [
    ["of r and s in 64 bytes, without DER", compact],
    ["of 65 bytes with a recovery number", `1b${compact}`],
    ["in base64", encodeDer({ r, s }).toString("base64")],
    ["that begins with 0x", `0x${correctHex}`],
    ["with spaces around it", ` ${correctHex} `],
    ["followed by a line break", `${correctHex}\n`],
    ["followed by letters that are not hex", `${correctHex}zz`],
    ["with an odd number of digits", correctHex.slice(0, -1)],
    ["of no characters", ""],
  ];
});

export const otherHashes = signatures((wallet, challenge) => {
  const digest = sha256(challenge);
  const first32 = Buffer.from(challenge.padEnd(32)).subarray(0, 32);
  const sha512 = createHash("sha512").update(challenge).digest().subarray(0, 32);
  const sha3 = createHash("sha3-256").update(challenge).digest();
  return [
    ["over SHA-256 applied twice", encodeDer(wallet.signDigest(sha256(digest)))],
    ["over the hash of SHA-256's hex text", encodeDer(wallet.signDigest(sha256(digest.toString("hex"))))],
    ["over the first 32 bytes, without a hash", encodeDer(wallet.signDigest(first32))],
    ["over SHA-512", encodeDer(wallet.signDigest(sha512))],
    ["over SHA3-256", encodeDer(wallet.signDigest(sha3))],
  ];
});

export const otherTexts: Proofs = (wallet, challenge) =>
  [
    ["the challenge with another nonce", `${challenge.slice(0, -32)}${"A".repeat(32)}`],
    ["only the nonce", challenge.slice(-32)],
    ["the challenge in lower case", challenge.toLowerCase()],
    ["the challenge and a line break", `${challenge}\n`],
    ["the challenge without its domain", challenge.split(":").toSpliced(2, 1).join(":")],
    ["the challenge as signed in Ethereum", `\x19Ethereum Signed Message:\n${challenge.length}${challenge}`],
    ["an empty text", ""],
  ]
    // A nonce without capital letters is the same in lower case. Another check reports such nonces.
    .filter(([, text]) => text !== challenge)
    .map(([what, text = ""]) => [`a signature over ${what}`, { signature: wallet.sign(text) }]);

export const otherKeys = signatures((_wallet, challenge) => {
  const other = new Wallet();
  return [
    ["by another wallet", other.sign(challenge)],
    ["of another wallet's key bytes", other.publicKey],
  ];
});
