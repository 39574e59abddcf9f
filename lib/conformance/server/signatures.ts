import { createHash } from "node:crypto";
import type { Check } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import { encodeDer, integer, integerOf, magnitude, type Scalars, sequence, tagged } from "./der.ts";
import { expectUnsigned, type Site } from "./site.ts";
import { ORDER, sha256, Wallet } from "./wallet.ts";

/** Section 1.4: which bytes are a signature, and over what. */

type Variant = [what: string, signature: Uint8Array | string];

const ZERO = Buffer.of(0);
/** Numbers below it are written in 31 bytes or less. */
const SHORT = 1n << 247n;
const byteLength = (value: bigint) => magnitude(value).length;
/** Both begin with a bit that is clear, so a padding zero is a zero too many. */
const isPositive = (value: bigint) => (magnitude(value)[0] ?? 0) < 0x80 && byteLength(value) === 32;

/** An order of lengths: short, long and indefinite forms where one alone is right. */
function lengthVariants({ r, s }: Scalars): Variant[] {
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

function integerVariants({ r, s }: Scalars): Variant[] {
  const [rBytes, sBytes] = [magnitude(r), magnitude(s)];
  return [
    ["a padded r", sequence(integerOf(ZERO, rBytes), integer(s))],
    ["a padded s", sequence(integer(r), integerOf(ZERO, sBytes))],
    ["an r padded twice", sequence(integerOf(ZERO, ZERO, rBytes), integer(s))],
    ["an r padded to 64 bytes", sequence(integerOf(Buffer.alloc(32), rBytes), integer(s))],
  ];
}

/** The highest bit is set and no zero stands before it: in DER these numbers are negative. */
function negativeVariants({ r, s }: Scalars): Variant[] {
  return [["r without its leading zero", sequence(integerOf(magnitude(r)), integer(s))]];
}

function trailingVariants(scalars: Scalars): Variant[] {
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

function tagVariants({ r, s }: Scalars): Variant[] {
  return [
    ["a SET", tagged(0x31, integer(r), integer(s))],
    ["a BIT STRING for r", sequence(tagged(0x03, integer(r).subarray(2)), integer(s))],
    ["an OCTET STRING for s", sequence(integer(r), tagged(0x04, integer(s).subarray(2)))],
    ["a sequence around the sequence", sequence(encodeDer({ r, s }))],
  ];
}

function rangeVariants({ r, s }: Scalars): Variant[] {
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

function textVariants(scalars: Scalars): Variant[] {
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

/** A check that every variant of a valid signature is refused. */
function refusesVariants(
  id: string,
  level: "MUST",
  proves: string,
  cause: string,
  variantsOf: (wallet: Wallet, challenge: string) => Variant[],
): Check<Site> {
  return {
    ...{ id, level, proves, cause },
    async run(site) {
      // In turn, so that neither webhook's limit is used up alone.
      const action = id.length % 2 === 0 ? "login" : "register";
      const wallet = await site.knownWallet();
      const code = await site.issue(site.browser(), action);
      for (const [what, bytes] of variantsOf(wallet, code.challenge)) {
        const signature = typeof bytes === "string" ? bytes : Buffer.from(bytes).toString("hex");
        const answer = await site.respond(action, wallet, code, { signature });
        expectUnsigned(answer, `a signature with or as ${what}`);
      }
    },
  };
}

/** A check that these spellings of a valid signature are accepted, each for a challenge of its own. */
function acceptsSignatures(
  id: string,
  proves: string,
  cause: string,
  signers: readonly ((wallet: Wallet, challenge: string) => Scalars)[],
  write = derHex,
): Check<Site> {
  return {
    ...{ id, level: "MUST", proves, cause },
    async run(site) {
      for (const sign of signers) {
        // A new wallet each: nothing has to have been accepted before.
        const wallet = new Wallet();
        const code = await site.issue(site.browser(), "register");
        const signature = write(sign(wallet, code.challenge));
        const answer = await site.respond("register", wallet, code, { signature });
        expectStatus(answer, 200, `the signature ${signature}`);
      }
    },
  };
}

function derHex(scalars: Scalars): string {
  return encodeDer(scalars).toString("hex");
}

const plain = (wallet: Wallet, challenge: string) =>
  wallet.findScalars(challenge, ({ r, s }) => isPositive(r) && isPositive(s));

export const SIGNATURE_CHECKS: readonly Check<Site>[] = [
  acceptsSignatures(
    "1.4-high-s",
    "A signature with a high s is accepted: OpenSSL makes one half the time.",
    "The library's default refuses high s, as Bitcoin does; it has an option.",
    [
      (wallet, challenge) => {
        const { r, s } = wallet.scalars(challenge);
        return { r, s: ORDER - s };
      },
    ],
  ),
  acceptsSignatures(
    "1.4-low-s",
    "A signature with a low s is accepted.",
    "Signatures are normalised before they are verified, and in the wrong direction.",
    [(wallet, challenge) => wallet.scalars(challenge)],
  ),
  acceptsSignatures(
    "1.4-letter-case",
    "A signature may be written in any letter case.",
    "A pattern for hex that knows lower case alone.",
    [(wallet, challenge) => wallet.scalars(challenge)],
    (scalars) => derHex(scalars).toUpperCase(),
  ),
  acceptsSignatures(
    "1.4-lengths",
    "Signatures of every length are accepted: r and s may have 31, 32 or 33 bytes.",
    "The length is compared with 70 to 72 bytes, or r is cut out of a fixed place.",
    [
      (wallet, challenge) => wallet.findScalars(challenge, ({ r }) => r < SHORT),
      (wallet, challenge) => wallet.findScalars(challenge, ({ r }) => (magnitude(r)[0] ?? 0) >= 0x80),
      (wallet, challenge) => wallet.findScalars(challenge, ({ s }) => s < SHORT),
    ],
  ),
  refusesVariants(
    "1.4-der-lengths",
    "MUST",
    "Lengths have their shortest form: the long and the indefinite ones are refused with 406.",
    "The signature is read as BER.",
    (wallet, challenge) => lengthVariants(plain(wallet, challenge)),
  ),
  refusesVariants(
    "1.4-der-integers",
    "MUST",
    "r and s are minimal: zeros too many, or one too few, are refused with 406.",
    "Leading zeros are stripped or added before the numbers are used.",
    (wallet, challenge) => [
      ...integerVariants(plain(wallet, challenge)),
      ...negativeVariants(wallet.findScalars(challenge, ({ r }) => (magnitude(r)[0] ?? 0) >= 0x80)),
    ],
  ),
  refusesVariants(
    "1.4-der-trailing",
    "MUST",
    "Nothing stands behind the signature or within it, and nothing is missing: otherwise 406.",
    "The reader stops after s and does not ask whether that is the end.",
    (wallet, challenge) => trailingVariants(plain(wallet, challenge)),
  ),
  refusesVariants(
    "1.4-der-tags",
    "MUST",
    "The signature is a SEQUENCE of two INTEGERs: other tags are refused with 406.",
    "Tags are skipped without being looked at.",
    (wallet, challenge) => tagVariants(plain(wallet, challenge)),
  ),
  refusesVariants(
    "1.4-range",
    "MUST",
    "r and s lie in [1, n-1]: zero, n and what is equal modulo n are refused with 406.",
    "The numbers are taken modulo n, or their range is not looked at (CVE-2022-21449).",
    (wallet, challenge) => rangeVariants(wallet.scalars(challenge)),
  ),
  refusesVariants(
    "1.4-text",
    "MUST",
    "A signature is hex of DER: base64, 64 raw bytes and texts around the hex are refused with 406.",
    "Several encodings are guessed, or `Buffer.from(text, 'hex')` stops in silence at the first wrong character.",
    (wallet, challenge) => textVariants(wallet.scalars(challenge)),
  ),
  refusesVariants(
    "1.4-hashed-once",
    "MUST",
    "The signature is over SHA-256 of the challenge's bytes, hashed once: anything else is refused with 406.",
    "The text is hashed and handed to a function that hashes again.",
    (wallet, challenge) => {
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
    },
  ),
  refusesVariants(
    "1.4-this-challenge",
    "MUST",
    "A signature over any other text is refused with 406.",
    "Only a part of the challenge is verified, or the text that is verified comes from the request.",
    (wallet, challenge) => [
      ["a signature over another nonce", wallet.sign(`${challenge.slice(0, -32)}${"A".repeat(32)}`)],
      ["a signature over its nonce", wallet.sign(challenge.slice(-32))],
      ["a signature over its letters in lower case", wallet.sign(`${challenge.toLowerCase()} `)],
      ["a signature over the empty text", wallet.sign("")],
    ],
  ),
  refusesVariants(
    "1.4-this-key",
    "MUST",
    "A signature by any other key is refused with 406, so that nobody signs in as somebody else.",
    "The signature is not verified, or with a key that the caller chose.",
    (_wallet, challenge) => {
      const other = new Wallet();
      return [
        ["another wallet's", other.sign(challenge)],
        ["the bytes of another wallet's key", other.publicKey],
      ];
    },
  ),
];
