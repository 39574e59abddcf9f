import type { Rule } from "../check.ts";
import { expectUnsigned, refusesChanges, type Try } from "../flow/responses.ts";
import { type AddressKind, BitcoinWallet, HEADERS } from "./bitcoin-wallet.ts";
import type { FastSite } from "./site.ts";

/** Section 6.2: signatures that are not the address's own, or none at all. */

const WRONG_KEY = `02${"11".repeat(32)}`;

function flipped(bytes: Buffer, at: number): string {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy.toString("base64");
}

const base64 = (...parts: Uint8Array[]) => Buffer.concat(parts).toString("base64");

export const FAST_SIGNATURE_CHECKS: readonly Rule<FastSite>[] = [
  {
    id: "6.2-header",
    proves: "A header byte outside 27 to 42 is refused.",
    cause: "The header is reduced, as in `(header - 27) & 3`, without being looked at.",
    run: (site) =>
      refusesChanges(site, new BitcoinWallet(), (wallet, { qr }) => [
        ["a header below 27", { sig: wallet.sign(qr, { header: 23 }) }],
        ["a header above 42", { sig: wallet.sign(qr, { header: 43 }) }],
        ["a header above 250", { sig: wallet.sign(qr, { header: 252 }) }],
      ]),
  },
  {
    id: "6.2-header-kind",
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
      ];
      const tries = wrong.map(([kind, other]): Try => {
        const wallet = new BitcoinWallet(kind);
        const sig = wallet.sign(code.qr, { header: HEADERS[other] });
        return [`a signature for ${other} with a ${kind} address`, wallet.fields(code.qr, { sig })];
      });
      await expectUnsigned(site, code, tries);
    },
  },
  {
    id: "6.2-signature-other",
    proves: "The signature is that address's, over that message.",
    cause: "The result of the verification is not used, or an exception counts as success.",
    run: (site) =>
      refusesChanges(site, new BitcoinWallet(), (wallet, { qr }) => {
        const other = new BitcoinWallet();
        const bytes = wallet.signatureBytes(qr);
        return [
          ["another key's signature", { sig: other.sign(qr) }],
          ["another address", { addr: other.address }],
          ["a signature over another message", { sig: wallet.sign(`${qr}x`) }],
          ["one bit of s changed", { sig: flipped(bytes, 50) }],
          [
            "the other recovery number",
            { sig: base64(Buffer.of(bytes[0] === 31 ? 32 : 31), bytes.subarray(1)) },
          ],
        ];
      }),
  },
  {
    id: "6.2-signature-zero",
    proves: "A signature of zeros, or of numbers above the curve's order, is refused.",
    cause: "The point at infinity, or an exception that is answered with 500.",
    run: (site) =>
      refusesChanges(site, new BitcoinWallet(), () => [
        ["r and s of zeros", { sig: base64(Buffer.of(HEADERS.p2pkh), Buffer.alloc(64)) }],
        ["r and s of ones", { sig: base64(Buffer.of(HEADERS.p2pkh), Buffer.alloc(64, 0xff)) }],
      ]),
  },
  {
    id: "6.2-signature-length",
    proves: "A signature has 65 bytes: a shorter or longer one is refused.",
    cause: "The bytes are cut out of fixed places, whatever stands behind them.",
    run: (site) =>
      refusesChanges(site, new BitcoinWallet(), (wallet, { qr }) => {
        const bytes = wallet.signatureBytes(qr);
        return [
          ["a byte more", { sig: base64(bytes, Buffer.of(0)) }],
          ["no signature", { sig: "" }],
          ["a byte less", { sig: base64(bytes.subarray(0, 64)) }],
          ["a signature of 30 KB", { sig: base64(bytes, Buffer.alloc(22_000)) }],
        ];
      }),
  },
  {
    id: "6.2-signature-base64",
    proves: "A signature is base64, with padding and without anything else.",
    cause: "Node's decoder skips what it does not know, so that one signature has many spellings.",
    run: (site) =>
      refusesChanges(site, new BitcoinWallet(), (wallet, { qr }) => {
        const bytes = wallet.signatureBytes(qr);
        const sig = bytes.toString("base64");
        return [
          ["hex", { sig: bytes.toString("hex") }],
          ["a space in front", { sig: ` ${sig}` }],
          ["a character that is none in the middle", { sig: `${sig.slice(0, 40)}*${sig.slice(40)}` }],
          ["no padding", { sig: sig.replace(/=+$/, "") }],
        ];
      }),
  },
  {
    id: "6.2-pubk",
    proves: "`pubk`, if it is given, is the key that signed: another one, or none, is refused.",
    cause: "The field is ignored, or stored as it came.",
    run: (site) =>
      refusesChanges(site, new BitcoinWallet(), () => [
        ["another key", { pubk: new BitcoinWallet().publicKey }],
        ["no point", { pubk: WRONG_KEY.replace(/^02/, "05") }],
        ["no hex", { pubk: "key" }],
      ]),
  },
];
