import { createHash } from "node:crypto";
import type { Rules } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import { ORDER, sha256 } from "../signing-key.ts";
import type { SiteId } from "../texts/site.ts";
import { encodeDer, integer, integerOf, magnitude, type Scalars, sequence, tagged } from "./der.ts";
import { refuses } from "./keys.ts";
import type { Action, Site } from "./site.ts";
import { Wallet } from "./wallet.ts";

/** Section 1.4: the valid forms of a signature, and the bytes that it covers. */

const ZERO = Buffer.of(0);
/** Numbers below it are written in 31 bytes or less. */
const SHORT = 1n << 247n;

const hasHighBit = (value: bigint) => (magnitude(value)[0] ?? 0) >= 0x80;
const derHex = (scalars: Scalars) => encodeDer(scalars).toString("hex");

type Sign = (wallet: Wallet, challenge: string) => Scalars;

const signatureWith =
  (has: (scalars: Scalars) => boolean): Sign =>
  (wallet, challenge) =>
    wallet.findScalars(challenge, has);

const anySignature: Sign = (wallet, challenge) => wallet.scalars(challenge);
/** A signature whose r and s have 32 bytes and a clear first bit, so that a padding zero is one too many. */
const plainSignature = signatureWith(({ r, s }) =>
  [r, s].every((value) => !hasHighBit(value) && magnitude(value).length === 32),
);

/** Expects these spellings of a valid signature to be accepted, each for a separate challenge. */
function accepts(signers: readonly Sign[], write = derHex) {
  return async (site: Site): Promise<void> => {
    for (const sign of signers) {
      // Each with a new wallet, so that no signature has to be accepted before another.
      const wallet = new Wallet();
      const code = await site.issueForNew();
      const signature = write(sign(wallet, code.challenge));
      expectStatus(await site.respond(code, wallet, { signature }), 200, `the signature ${signature}`);
    }
  };
}

type Variant = readonly [what: string, signature: Uint8Array | string];

const refusesVariants = (action: Action, variantsOf: (wallet: Wallet, challenge: string) => Variant[]) =>
  refuses(action, (wallet, { challenge }) =>
    variantsOf(wallet, challenge).map(([what, bytes]) => {
      const signature = typeof bytes === "string" ? bytes : Buffer.from(bytes).toString("hex");
      return [`a signature with or as ${what}`, { signature }];
    }),
  );

export const SIGNATURE_CHECKS = {
  "1.4-high-s": accepts([anySignature], ({ r, s }) => derHex({ r, s: ORDER - s })),
  "1.4-low-s": accepts([anySignature]),
  "1.4-letter-case": accepts([anySignature], (scalars) => derHex(scalars).toUpperCase()),
  "1.4-lengths": accepts([
    signatureWith(({ r }) => r < SHORT),
    signatureWith(({ r }) => hasHighBit(r)),
    signatureWith(({ s }) => s < SHORT),
  ]),
  "1.4-der-lengths": refusesVariants("register", (wallet, challenge) => {
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
  }),
  "1.4-der-integers": refusesVariants("login", (wallet, challenge) => {
    const { r, s } = plainSignature(wallet, challenge);
    const [rBytes, sBytes] = [magnitude(r), magnitude(s)];
    // Its highest bit is set and no zero precedes it, so in DER this number is negative.
    const negative = signatureWith((scalars) => hasHighBit(scalars.r))(wallet, challenge);
    return [
      ["a padded r", sequence(integerOf(ZERO, rBytes), integer(s))],
      ["a padded s", sequence(integer(r), integerOf(ZERO, sBytes))],
      ["an r padded twice", sequence(integerOf(ZERO, ZERO, rBytes), integer(s))],
      ["an r padded to 64 bytes", sequence(integerOf(Buffer.alloc(32), rBytes), integer(s))],
      ["r without its leading zero", sequence(integerOf(magnitude(negative.r)), integer(negative.s))],
    ];
  }),
  "1.4-der-trailing": refusesVariants("login", (wallet, challenge) => {
    const { r, s } = plainSignature(wallet, challenge);
    const right = encodeDer({ r, s });
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
  }),
  "1.4-der-tags": refusesVariants("login", (wallet, challenge) => {
    const { r, s } = plainSignature(wallet, challenge);
    return [
      ["a SET", tagged(0x31, integer(r), integer(s))],
      ["a BIT STRING for r", sequence(tagged(0x03, integer(r).subarray(2)), integer(s))],
      ["an OCTET STRING for s", sequence(integer(r), tagged(0x04, integer(s).subarray(2)))],
      ["a sequence around the sequence", sequence(encodeDer({ r, s }))],
    ];
  }),
  "1.4-range": refusesVariants("register", (wallet, challenge) => {
    const { r, s } = wallet.scalars(challenge);
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
  }),
  "1.4-text": refusesVariants("login", (wallet, challenge) => {
    const { r, s } = wallet.scalars(challenge);
    const right = derHex({ r, s });
    const compact = [r, s].map((value) => value.toString(16).padStart(64, "0")).join("");
    return [
      ["r and s in 64 bytes, without DER", compact],
      ["65 bytes with a recovery number", `1b${compact}`],
      ["base64", encodeDer({ r, s }).toString("base64")],
      ["0x in front", `0x${right}`],
      ["white space around it", ` ${right} `],
      ["a line break behind", `${right}\n`],
      ["letters behind it that are no hex", `${right}zz`],
      ["an odd number of digits", right.slice(0, -1)],
      ["nothing", ""],
    ];
  }),
  "1.4-hashed-once": refusesVariants("register", (wallet, challenge) => {
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
  }),
  "1.4-this-challenge": refuses("login", (wallet, { challenge, body }) =>
    [
      ["another nonce", `${challenge.slice(0, -32)}${"A".repeat(32)}`],
      ["its nonce", challenge.slice(-32)],
      ["its letters in lower case", challenge.toLowerCase()],
      ["it and a line break", `${challenge}\n`],
      ["it without its domain", challenge.split(":").toSpliced(2, 1).join(":")],
      ["the code's payload", String(body.qr)],
      ["it as Ethereum's wallets sign", `\x19Ethereum Signed Message:\n${challenge.length}${challenge}`],
      ["the empty text", ""],
    ]
      // In lower case, a nonce without capitals is the same text; another check finds such nonces.
      .filter(([, text]) => text !== challenge)
      .map(([what, text = ""]) => [`a signature over ${what}`, { signature: wallet.sign(text) }]),
  ),
  "1.4-this-key": refusesVariants("login", (_wallet, challenge) => {
    const other = new Wallet();
    return [
      ["another wallet's", other.sign(challenge)],
      ["the bytes of another wallet's key", other.publicKey],
    ];
  }),
} satisfies Rules<Site, SiteId>;
