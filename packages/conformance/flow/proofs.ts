import { createHash } from "node:crypto";
import { ORDER, sha256 } from "../signing-key.ts";
import type { Changes } from "./flow.ts";
import {
  encodeDer,
  integer,
  integerOf,
  magnitude,
  type Scalars,
  sequence,
  tagged,
  Wallet,
} from "./wallet.ts";

/**
 * Sections 1.3 and 1.4: keys and signatures as changes of a correct response, for every flow with keys. The valid
 * spellings come first, then the invalid ones.
 */

export type Proofs = (
  wallet: Wallet,
  challenge: string,
) => readonly (readonly [what: string, changes: Changes])[];

const ZERO = Buffer.of(0);
/** Numbers below this fit in 31 bytes. */
const SHORT = 1n << 247n;
const FIELD_ORDER = "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f";

const hasHighBit = (value: bigint) => (magnitude(value)[0] ?? 0) >= 0x80;
export const derHex = (scalars: Scalars) => encodeDer(scalars).toString("hex");

/** A signature whose r and s have 32 bytes and a clear first bit, so that a padding zero would be one too many. */
const plainSignature = (wallet: Wallet, challenge: string) =>
  wallet.findScalars(challenge, ({ r, s }) =>
    [r, s].every((value) => !hasHighBit(value) && magnitude(value).length === 32),
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

export const lengths: Proofs = (wallet, challenge) => {
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
    ["the hybrid form", `${isEven ? "06" : "07"}${x}${y}`],
    ["x and y without a prefix", x + y],
    ["x alone", x],
    ["the compressed form with the other parity", (isEven ? "03" : "02") + x],
    ["a byte more", `${publicKey}00`],
    ["a byte less", publicKey.slice(0, -2)],
    ["0x in front", `0x${publicKey}`],
    ["white space around it", ` ${publicKey} `],
    ["a line break behind", `${publicKey}\n`],
    ["base64", Buffer.from(publicKey, "hex").toString("base64")],
    ["PEM of SubjectPublicKeyInfo", `3056301006072a8648ce3d020106052b8104000a034200${publicKey}`],
  ] as const;
  return forms.map(([what, public_key]) => [`a key as ${what}`, { public_key }]);
};

export const noPoints: Proofs = (wallet) => {
  const [x, y] = coordinatesOf(wallet);
  // The parity is unchanged, so a site that computes y from x and the parity finds the wallet's own key.
  const lastDigit = (Number.parseInt(y.slice(-1), 16) ^ 2).toString(16);
  const texts = [
    ["a point that is not on the curve", `04${x}${y.slice(0, -1)}${lastDigit}`],
    ["infinity", "00"],
    ["infinity in 65 bytes", "00".repeat(65)],
    ["04 and zeros", `04${"00".repeat(64)}`],
    ["an x that no point has", `02${"00".repeat(31)}05`],
    ["an x that is the field's order", `02${FIELD_ORDER}`],
    ["coordinates above the field's order", `04${"ff".repeat(64)}`],
    ["nothing", ""],
    ["no hex", "zz".repeat(65)],
    ["an odd number of digits", wallet.publicKey.slice(0, -1)],
    ["full-width digits", "\uff10\uff14".repeat(65)],
  ] as const;
  return texts.map(([what, public_key]) => [`a key that is ${what}`, { public_key }]);
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
      return [`a signature with or as ${what}`, { signature }];
    });

export const derLengths = signatures((wallet, challenge) => {
  const { r, s } = plainSignature(wallet, challenge);
  const content = encodeDer({ r, s }).subarray(2);
  const size = content.length;
  const longForm = (number: Buffer) =>
    Buffer.concat([Buffer.of(0x02, 0x81, number.length - 2), number.subarray(2)]);
  return [
    ["the sequence's length in long form", Buffer.concat([Buffer.of(0x30, 0x81, size), content])],
    ["the sequence's length in three bytes", Buffer.concat([Buffer.of(0x30, 0x82, 0, size), content])],
    ["r's length in long form", sequence(longForm(integer(r)), integer(s))],
    ["s's length in long form", sequence(integer(r), longForm(integer(s)))],
    ["the indefinite length", Buffer.concat([Buffer.of(0x30, 0x80), content, Buffer.of(0, 0)])],
    ["a length one too large", Buffer.concat([Buffer.of(0x30, size + 1), content])],
    ["a length one too small", Buffer.concat([Buffer.of(0x30, size - 1), content])],
  ];
});

export const derIntegers = signatures((wallet, challenge) => {
  const { r, s } = plainSignature(wallet, challenge);
  const [rBytes, sBytes] = [magnitude(r), magnitude(s)];
  // Its highest bit is set and no zero precedes it, so this number is negative in DER.
  const negativeProof = wallet.findScalars(challenge, (scalars) => hasHighBit(scalars.r));
  return [
    ["a padded r", sequence(integerOf(ZERO, rBytes), integer(s))],
    ["a padded s", sequence(integer(r), integerOf(ZERO, sBytes))],
    ["an r padded twice", sequence(integerOf(ZERO, ZERO, rBytes), integer(s))],
    ["an r padded to 64 bytes", sequence(integerOf(Buffer.alloc(32), rBytes), integer(s))],
    ["r without its leading zero", sequence(integerOf(magnitude(negativeProof.r)), integer(negativeProof.s))],
  ];
});

export const derTrailing = signatures((wallet, challenge) => {
  const { r, s } = plainSignature(wallet, challenge);
  const correctProof = encodeDer({ r, s });
  return [
    ["a byte behind it", Buffer.concat([correctProof, ZERO])],
    ["a NULL behind it", Buffer.concat([correctProof, Buffer.of(5, 0)])],
    ["a hash type behind it, as in Bitcoin", Buffer.concat([correctProof, Buffer.of(1)])],
    ["bytes within the sequence", sequence(integer(r), integer(s), ZERO)],
    ["a third integer", sequence(integer(r), integer(s), integer(1n))],
    ["its last byte missing", correctProof.subarray(0, -1)],
    ["s missing", sequence(integer(r))],
    ["itself twice", Buffer.concat([correctProof, correctProof])],
  ];
});

export const derTags = signatures((wallet, challenge) => {
  const { r, s } = plainSignature(wallet, challenge);
  return [
    ["a SET", tagged(0x31, integer(r), integer(s))],
    ["a BIT STRING for r", sequence(tagged(0x03, integer(r).subarray(2)), integer(s))],
    ["an OCTET STRING for s", sequence(integer(r), tagged(0x04, integer(s).subarray(2)))],
    ["a sequence around the sequence", sequence(encodeDer({ r, s }))],
  ];
});

export const range = signatures((wallet, challenge) => {
  const { r, s } = wallet.scalars(challenge);
  const negatedS = Buffer.concat([Buffer.of(0xff), magnitude((1n << 256n) - (ORDER - s))]);
  return [
    ["r + n", encodeDer({ r: r + ORDER, s })],
    ["r and s of zero", encodeDer({ r: 0n, s: 0n })],
    ["r of zero", encodeDer({ r: 0n, s })],
    ["s of zero", encodeDer({ r, s: 0n })],
    ["r equal to n", encodeDer({ r: ORDER, s })],
    ["s equal to n", encodeDer({ r, s: ORDER })],
    ["r and s equal to n", encodeDer({ r: ORDER, s: ORDER })],
    ["s + n", encodeDer({ r, s: s + ORDER })],
    ["s - n, which is negative", sequence(integer(r), integerOf(negatedS))],
    ["r and s of one", encodeDer({ r: 1n, s: 1n })],
  ];
});

export const textForms = signatures((wallet, challenge) => {
  const { r, s } = wallet.scalars(challenge);
  const correctHex = derHex({ r, s });
  const compact = [r, s].map((value) => value.toString(16).padStart(64, "0")).join("");
  return [
    ["r and s in 64 bytes, without DER", compact],
    ["65 bytes with a recovery number", `1b${compact}`],
    ["base64", encodeDer({ r, s }).toString("base64")],
    ["0x in front", `0x${correctHex}`],
    ["white space around it", ` ${correctHex} `],
    ["a line break behind", `${correctHex}\n`],
    ["letters behind it that are no hex", `${correctHex}zz`],
    ["an odd number of digits", correctHex.slice(0, -1)],
    ["nothing", ""],
  ];
});

export const otherHashes = signatures((wallet, challenge) => {
  const digest = sha256(challenge);
  const first32 = Buffer.from(challenge.padEnd(32)).subarray(0, 32);
  const sha512 = createHash("sha512").update(challenge).digest().subarray(0, 32);
  const sha3 = createHash("sha3-256").update(challenge).digest();
  return [
    ["SHA-256 applied twice", encodeDer(wallet.signDigest(sha256(digest)))],
    ["the hex of SHA-256 hashed again", encodeDer(wallet.signDigest(sha256(digest.toString("hex"))))],
    ["no hash at all", encodeDer(wallet.signDigest(first32))],
    ["SHA-512", encodeDer(wallet.signDigest(sha512))],
    ["SHA3-256", encodeDer(wallet.signDigest(sha3))],
  ];
});

export const otherTexts: Proofs = (wallet, challenge) =>
  [
    ["another nonce", `${challenge.slice(0, -32)}${"A".repeat(32)}`],
    ["its nonce", challenge.slice(-32)],
    ["its letters in lower case", challenge.toLowerCase()],
    ["it and a line break", `${challenge}\n`],
    ["it without its domain", challenge.split(":").toSpliced(2, 1).join(":")],
    ["it as Ethereum's wallets sign", `\x19Ethereum Signed Message:\n${challenge.length}${challenge}`],
    ["the empty text", ""],
  ]
    // A nonce without capitals is unchanged in lower case. Another check finds such nonces.
    .filter(([, text]) => text !== challenge)
    .map(([what, text = ""]) => [`a signature over ${what}`, { signature: wallet.sign(text) }]);

export const otherKeys = signatures((_wallet, challenge) => {
  const other = new Wallet();
  return [
    ["another wallet's", other.sign(challenge)],
    ["the bytes of another wallet's key", other.publicKey],
  ];
});
