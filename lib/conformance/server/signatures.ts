import { createHash } from "node:crypto";
import type { Rule } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
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
import { expectUnsigned, type Site } from "./site.ts";
import { ORDER, sha256, Wallet } from "./wallet.ts";

/** Section 1.4: which bytes are a signature, and over what. */

/** Numbers below it are written in 31 bytes or less. */
const SHORT = 1n << 247n;
/** Both begin with a bit that is clear, so a padding zero is a zero too many. */
const isPositive = (value: bigint) => (magnitude(value)[0] ?? 0) < 0x80 && magnitude(value).length === 32;

/** A check that every variant of a valid signature is refused. */
function refusesVariants(
  id: string,
  proves: string,
  cause: string,
  variantsOf: (wallet: Wallet, challenge: string) => Variant[],
): Rule<Site> {
  return {
    ...{ id, proves, cause },
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
): Rule<Site> {
  return {
    ...{ id, proves, cause },
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

export const SIGNATURE_CHECKS: readonly Rule<Site>[] = [
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
    "Lengths have their shortest form: the long and the indefinite ones are refused with 406.",
    "The signature is read as BER.",
    (wallet, challenge) => lengthVariants(plain(wallet, challenge)),
  ),
  refusesVariants(
    "1.4-der-integers",
    "r and s are minimal: zeros too many, or one too few, are refused with 406.",
    "Leading zeros are stripped or added before the numbers are used.",
    (wallet, challenge) => [
      ...integerVariants(plain(wallet, challenge)),
      ...negativeVariants(wallet.findScalars(challenge, ({ r }) => (magnitude(r)[0] ?? 0) >= 0x80)),
    ],
  ),
  refusesVariants(
    "1.4-der-trailing",
    "Nothing stands behind the signature or within it, and nothing is missing: otherwise 406.",
    "The reader stops after s and does not ask whether that is the end.",
    (wallet, challenge) => trailingVariants(plain(wallet, challenge)),
  ),
  refusesVariants(
    "1.4-der-tags",
    "The signature is a SEQUENCE of two INTEGERs: other tags are refused with 406.",
    "Tags are skipped without being looked at.",
    (wallet, challenge) => tagVariants(plain(wallet, challenge)),
  ),
  refusesVariants(
    "1.4-range",
    "r and s lie in [1, n-1]: zero, n and what is equal modulo n are refused with 406.",
    "The numbers are taken modulo n, or their range is not looked at (CVE-2022-21449).",
    (wallet, challenge) => rangeVariants(wallet.scalars(challenge)),
  ),
  refusesVariants(
    "1.4-text",
    "A signature is hex of DER: base64, 64 raw bytes and texts around the hex are refused with 406.",
    "Several encodings are guessed, or `Buffer.from(text, 'hex')` stops in silence at the first wrong character.",
    (wallet, challenge) => textVariants(wallet.scalars(challenge)),
  ),
  refusesVariants(
    "1.4-hashed-once",
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
