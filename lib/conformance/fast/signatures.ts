import { type Check, fail } from "../check.ts";
import { type AddressKind, BitcoinWallet, ELECTRUM_HEADER, type Fields, HEADERS } from "./bitcoin-wallet.ts";
import { expectUnverified, type Try } from "./refusals.ts";
import { expectAnswer, type FastSite } from "./site.ts";

/** Section 6.2: who signed, by BIP-137 and Electrum's usage. */

const WRONG_KEY = `02${"11".repeat(32)}`;

type Changes = (
  wallet: BitcoinWallet,
  qr: string,
) => readonly (readonly [what: string, changes: Partial<Fields>])[];

/** A check that changes of correct responses are refused with 401, and leave the challenge as it was. */
export function refusesFields(
  id: string,
  proves: string,
  cause: string,
  changesOf: Changes,
  kind: AddressKind = "p2pkh",
): Check<FastSite> {
  return {
    ...{ id, level: "MUST", proves, cause },
    async run(site) {
      const wallet = new BitcoinWallet(kind);
      const code = await site.issue();
      const tries = changesOf(wallet, code.qr).map(
        ([what, changes]): Try => [what, wallet.fields(code.qr, changes)],
      );
      await expectUnverified(site, code, tries);
    },
  };
}

/** A check that responses of each kind of wallet sign in. */
export function acceptsFields(
  id: string,
  proves: string,
  cause: string,
  kinds: readonly AddressKind[],
  changesOf: Changes = () => [["as it is", {}]],
): Check<FastSite> {
  return {
    ...{ id, level: "MUST", proves, cause },
    async run(site) {
      for (const kind of kinds) {
        const wallet = new BitcoinWallet(kind);
        const count = changesOf(wallet, "").length;
        for (let index = 0; index < count; index++) {
          const code = await site.issue();
          const [what, changes] = changesOf(wallet, code.qr)[index] ?? ["", {}];
          expectAnswer(await site.respond(code, wallet, changes), 200, `${kind}, ${what}`);
          if (!(await site.isAnswered(code.sid)))
            fail(`${kind}, ${what}: the login has no address afterwards.`);
        }
      }
    },
  };
}

function flipped(bytes: Buffer, at: number): string {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy.toString("base64");
}

const base64 = (...parts: Uint8Array[]) => Buffer.concat(parts).toString("base64");

export const FAST_SIGNATURE_CHECKS: readonly Check<FastSite>[] = [
  acceptsFields(
    "6.2-p2pkh",
    "A P2PKH address signs in, with a compressed key and with an uncompressed one.",
    "The address is made from the compressed key alone, or header bytes 27 to 30 are refused.",
    ["p2pkh", "p2pkh-uncompressed"],
  ),
  acceptsFields(
    "6.2-p2sh-p2wpkh",
    "A P2SH-P2WPKH address signs in with BIP-137's header bytes.",
    "The library compares the hash of the key instead of that of the redeem script.",
    ["p2sh-p2wpkh"],
  ),
  acceptsFields(
    "6.2-p2wpkh",
    "A P2WPKH address signs in with BIP-137's header bytes.",
    "Addresses are read as Base58 alone.",
    ["p2wpkh"],
  ),
  acceptsFields(
    "6.2-electrum",
    "Electrum's signatures sign in: header bytes 31 to 34 for segwit addresses too.",
    "The header byte decides the kind of address; bitcoinjs-message needs `checkSegwitAlways` for these.",
    ["p2sh-p2wpkh", "p2wpkh"],
    (wallet, qr) => [["Electrum's header", { sig: wallet.sign(qr, { header: ELECTRUM_HEADER }) }]],
  ),
  acceptsFields(
    "6.2-signature-forms",
    "Every good signature signs in: s low or high, and r and s with zeros in front.",
    "A library's refusal of high s; or numbers that are written without their leading zeros.",
    ["p2pkh"],
    (wallet, qr) => [
      ["a high s", { sig: wallet.sign(qr, { highS: true }) }],
      ["an s that begins with zero", { sig: wallet.sign(qr, { has: (rs) => rs[32] === 0 }) }],
      ["an r that begins with zero", { sig: wallet.sign(qr, { has: (rs) => rs[0] === 0 }) }],
    ],
  ),
  refusesFields(
    "6.2-header",
    "A header byte outside 27 to 42 is refused.",
    "The header is reduced, as in `(header - 27) & 3`, without being looked at.",
    (wallet, qr) => [
      ["a header below 27", { sig: wallet.sign(qr, { header: 23 }) }],
      ["a header above 42", { sig: wallet.sign(qr, { header: 43 }) }],
      ["a header of 0", { sig: wallet.sign(qr, { header: 0 }) }],
      ["a header above 250", { sig: wallet.sign(qr, { header: 252 }) }],
    ],
  ),
  {
    id: "6.2-header-kind",
    level: "MUST",
    proves: "BIP-137's headers stand for their own kind of address alone.",
    cause: "The recovered key is compared with the hash in the address, and the header's kind is not.",
    async run(site) {
      const code = await site.issue();
      const wrong: [AddressKind, AddressKind][] = [
        ["p2pkh", "p2pkh-uncompressed"],
        ["p2pkh", "p2wpkh"],
        ["p2pkh-uncompressed", "p2pkh"],
        ["p2sh-p2wpkh", "p2wpkh"],
        ["p2wpkh", "p2sh-p2wpkh"],
        ["p2wpkh", "p2pkh-uncompressed"],
      ];
      const tries = wrong.map(([kind, other]): Try => {
        const wallet = new BitcoinWallet(kind);
        const sig = wallet.sign(code.qr, { header: HEADERS[other] });
        return [`a signature for ${other} with a ${kind} address`, wallet.fields(code.qr, { sig })];
      });
      await expectUnverified(site, code, tries);
    },
  },
  refusesFields(
    "6.2-signature-other",
    "The signature is that address's, over that message.",
    "The result of the verification is not used, or an exception counts as success.",
    (wallet, qr) => {
      const other = new BitcoinWallet();
      const bytes = wallet.signatureBytes(qr);
      return [
        ["another key's signature", { sig: other.sign(qr) }],
        ["another address", { addr: other.address }],
        ["a signature over another message", { sig: wallet.sign(`${qr}x`) }],
        ["one bit of r changed", { sig: flipped(bytes, 20) }],
        ["one bit of s changed", { sig: flipped(bytes, 50) }],
        [
          "the other recovery number",
          { sig: base64(Buffer.of(bytes[0] === 31 ? 32 : 31), bytes.subarray(1)) },
        ],
      ];
    },
  ),
  refusesFields(
    "6.2-signature-zero",
    "A signature of zeros, or of numbers above the curve's order, is refused.",
    "The point at infinity, or an exception that is answered with 500.",
    () => [
      ["r and s of zeros", { sig: base64(Buffer.of(HEADERS.p2pkh), Buffer.alloc(64)) }],
      ["r and s of ones", { sig: base64(Buffer.of(HEADERS.p2pkh), Buffer.alloc(64, 0xff)) }],
      ["nothing but zeros", { sig: base64(Buffer.alloc(65)) }],
    ],
  ),
  refusesFields(
    "6.2-signature-length",
    "A signature has 65 bytes: a shorter or longer one is refused.",
    "The bytes are cut out of fixed places, whatever stands behind them.",
    (wallet, qr) => {
      const bytes = wallet.signatureBytes(qr);
      return [
        ["a byte more", { sig: base64(bytes, Buffer.of(0)) }],
        ["a byte less", { sig: base64(bytes.subarray(0, 64)) }],
        ["no header", { sig: base64(bytes.subarray(1)) }],
        ["no signature", { sig: "" }],
        ["a signature of 30 KB", { sig: base64(bytes, Buffer.alloc(22_000)) }],
      ];
    },
  ),
  refusesFields(
    "6.2-signature-base64",
    "A signature is base64, with padding and without anything else.",
    "Node's decoder skips what it does not know, so that one signature has many spellings.",
    (wallet, qr) => {
      const bytes = wallet.signatureBytes(qr);
      const sig = bytes.toString("base64");
      return [
        ["hex", { sig: bytes.toString("hex") }],
        ["a space in front", { sig: ` ${sig}` }],
        ["a line break behind", { sig: `${sig}\n` }],
        ["a character that is none in the middle", { sig: `${sig.slice(0, 40)}*${sig.slice(40)}` }],
        ["no padding", { sig: sig.replace(/=+$/, "") }],
      ];
    },
  ),
  refusesFields(
    "6.2-pubk",
    "`pubk`, if it is given, is the key that signed: another one, or none, is refused.",
    "The field is ignored, or stored as it came.",
    () => [
      ["another key", { pubk: new BitcoinWallet().publicKey }],
      ["another key, uncompressed", { pubk: new BitcoinWallet("p2pkh-uncompressed").publicKey }],
      ["no point", { pubk: WRONG_KEY.replace(/^02/, "05") }],
      ["no hex", { pubk: "key" }],
    ],
  ),
  acceptsFields(
    "6.2-pubk-optional",
    "`pubk` may be absent or empty, and in capitals.",
    "The field is required, or compared as it was sent.",
    ["p2pkh"],
    (wallet) => [
      ["an empty pubk", { pubk: "" }],
      ["pubk in capitals", { pubk: wallet.publicKey.toUpperCase() }],
    ],
  ),
];
