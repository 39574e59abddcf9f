import { createHash } from "node:crypto";
import type { Rule, Said } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import { expectUnsigned, type Try } from "../flow/responses.ts";
import { encodeDer, magnitude, type Scalars } from "./der.ts";
import {
  integerVariants,
  lengthVariants,
  negativeVariants,
  rangeVariants,
  tagVariants,
  textVariants,
  trailingVariants,
  type Variant,
} from "./signature-variants.ts";
import type { Site } from "./site.ts";
import { ORDER, sha256, Wallet } from "./wallet.ts";

/** Section 1.4: which bytes are a signature, and over what. */

/** Numbers below it are written in 31 bytes or less. */
const SHORT = 1n << 247n;
/** Both begin with a bit that is clear, so a padding zero is a zero too many. */
const isPositive = (value: bigint) => (magnitude(value)[0] ?? 0) < 0x80 && magnitude(value).length === 32;

/** Every variant of a valid signature is refused. */
function refusesVariants({
  variantsOf,
  ...said
}: Said & { variantsOf: (wallet: Wallet, challenge: string) => Variant[] }): Rule<Site> {
  return {
    ...said,
    async run(site) {
      const wallet = await site.knownWallet();
      // In turn, so that neither webhook's limit is used up alone.
      const code = await (said.id.length % 2 === 0 ? site.issue() : site.issueForNew());
      const tries = variantsOf(wallet, code.challenge).map(([what, bytes]): Try => {
        const signature = typeof bytes === "string" ? bytes : Buffer.from(bytes).toString("hex");
        return [`a signature with or as ${what}`, { signature }];
      });
      await expectUnsigned(site, code, tries, wallet);
    },
  };
}

/** These spellings of a valid signature are accepted, each for a challenge of its own. */
function acceptsSignatures({
  signers,
  write = derHex,
  ...said
}: Said & {
  signers: readonly ((wallet: Wallet, challenge: string) => Scalars)[];
  write?: (scalars: Scalars) => string;
}): Rule<Site> {
  return {
    ...said,
    async run(site) {
      for (const sign of signers) {
        // A new wallet each: nothing has to have been accepted before.
        const wallet = new Wallet();
        const code = await site.issueForNew();
        const signature = write(sign(wallet, code.challenge));
        const answer = await site.respond(code, wallet, { signature });
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

export const SIGNATURE_CHECKS: readonly Rule<Site>[] = [
  acceptsSignatures({
    id: "1.4-high-s",
    proves: "A signature with a high s is accepted: OpenSSL makes one half the time.",
    cause: "The library's default refuses high s, as Bitcoin does; it has an option.",
    signers: [
      (wallet, challenge) => {
        const { r, s } = wallet.scalars(challenge);
        return { r, s: ORDER - s };
      },
    ],
  }),
  acceptsSignatures({
    id: "1.4-low-s",
    proves: "A signature with a low s is accepted.",
    cause: "Signatures are normalised before they are verified, and in the wrong direction.",
    signers: [(wallet, challenge) => wallet.scalars(challenge)],
  }),
  acceptsSignatures({
    id: "1.4-letter-case",
    proves: "A signature may be written in any letter case.",
    cause: "A pattern for hex that knows lower case alone.",
    signers: [(wallet, challenge) => wallet.scalars(challenge)],
    write: (scalars) => derHex(scalars).toUpperCase(),
  }),
  acceptsSignatures({
    id: "1.4-lengths",
    proves: "Signatures of every length are accepted: r and s may have 31, 32 or 33 bytes.",
    cause: "The length is compared with 70 to 72 bytes, or r is cut out of a fixed place.",
    signers: [
      (wallet, challenge) => wallet.findScalars(challenge, ({ r }) => r < SHORT),
      (wallet, challenge) => wallet.findScalars(challenge, ({ r }) => (magnitude(r)[0] ?? 0) >= 0x80),
      (wallet, challenge) => wallet.findScalars(challenge, ({ s }) => s < SHORT),
    ],
  }),
  refusesVariants({
    id: "1.4-der-lengths",
    proves: "Lengths have their shortest form: the long and the indefinite ones are refused with 406.",
    cause: "The signature is read as BER.",
    variantsOf: (wallet, challenge) => lengthVariants(plain(wallet, challenge)),
  }),
  refusesVariants({
    id: "1.4-der-integers",
    proves: "r and s are minimal: zeros too many, or one too few, are refused with 406.",
    cause: "Leading zeros are stripped or added before the numbers are used.",
    variantsOf: (wallet, challenge) => [
      ...integerVariants(plain(wallet, challenge)),
      ...negativeVariants(wallet.findScalars(challenge, ({ r }) => (magnitude(r)[0] ?? 0) >= 0x80)),
    ],
  }),
  refusesVariants({
    id: "1.4-der-trailing",
    proves: "Nothing stands behind the signature or within it, and nothing is missing: otherwise 406.",
    cause: "The reader stops after s and does not ask whether that is the end.",
    variantsOf: (wallet, challenge) => trailingVariants(plain(wallet, challenge)),
  }),
  refusesVariants({
    id: "1.4-der-tags",
    proves: "The signature is a SEQUENCE of two INTEGERs: other tags are refused with 406.",
    cause: "Tags are skipped without being looked at.",
    variantsOf: (wallet, challenge) => tagVariants(plain(wallet, challenge)),
  }),
  refusesVariants({
    id: "1.4-range",
    proves: "r and s lie in [1, n-1]: zero, n and what is equal modulo n are refused with 406.",
    cause: "The numbers are taken modulo n, or their range is not looked at (CVE-2022-21449).",
    variantsOf: (wallet, challenge) => rangeVariants(wallet.scalars(challenge)),
  }),
  refusesVariants({
    id: "1.4-text",
    proves: "A signature is hex of DER: base64, 64 raw bytes and texts around the hex are refused with 406.",
    cause:
      "Several encodings are guessed, or `Buffer.from(text, 'hex')` stops in silence at the first wrong character.",
    variantsOf: (wallet, challenge) => textVariants(wallet.scalars(challenge)),
  }),
  refusesVariants({
    id: "1.4-hashed-once",
    proves:
      "The signature is over SHA-256 of the challenge's bytes, hashed once: anything else is refused with 406.",
    cause: "The text is hashed and handed to a function that hashes again.",
    variantsOf: (wallet, challenge) => {
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
  }),
  refusesVariants({
    id: "1.4-this-challenge",
    proves: "A signature over any other text is refused with 406.",
    cause: "Only a part of the challenge is verified, or the text that is verified comes from the request.",
    variantsOf: (wallet, challenge) => [
      ["a signature over another nonce", wallet.sign(`${challenge.slice(0, -32)}${"A".repeat(32)}`)],
      ["a signature over its nonce", wallet.sign(challenge.slice(-32))],
      ["a signature over its letters in lower case", wallet.sign(`${challenge.toLowerCase()} `)],
      ["a signature over the empty text", wallet.sign("")],
    ],
  }),
  refusesVariants({
    id: "1.4-this-key",
    proves: "A signature by any other key is refused with 406, so that nobody signs in as somebody else.",
    cause: "The signature is not verified, or with a key that the caller chose.",
    variantsOf: (_wallet, challenge) => {
      const other = new Wallet();
      return [
        ["another wallet's", other.sign(challenge)],
        ["the bytes of another wallet's key", other.publicKey],
      ];
    },
  }),
];
