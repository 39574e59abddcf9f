import { fail, type Rule, type Said } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import { type AddressKind, BitcoinWallet, ELECTRUM_HEADER, type Fields } from "./bitcoin-wallet.ts";
import type { FastSite } from "./site.ts";

/** Section 6.2: whose signatures sign in, by BIP-137 and Electrum's usage. */

/** Ways to change what a wallet sends, each with its name. */
type Changes = (
  wallet: BitcoinWallet,
  qr: string,
) => readonly (readonly [what: string, changes: Partial<Fields>])[];

/** Responses of each kind of wallet sign in. */
function acceptsFields({
  kinds,
  changesOf = () => [["as it is", {}]],
  ...said
}: Said & { kinds: readonly AddressKind[]; changesOf?: Changes }): Rule<FastSite> {
  return {
    ...said,
    async run(site) {
      for (const kind of kinds) {
        const wallet = new BitcoinWallet(kind);
        const count = changesOf(wallet, "").length;
        for (let index = 0; index < count; index++) {
          const code = await site.issue();
          const [what, changes] = changesOf(wallet, code.qr)[index] ?? ["", {}];
          expectStatus(await site.respond(code, wallet, changes), 200, `${kind}, ${what}`);
          if (!(await site.isAnswered(code.sid)))
            fail(`${kind}, ${what}: the login has no address afterwards.`);
        }
      }
    },
  };
}

export const FAST_SIGNER_CHECKS: readonly Rule<FastSite>[] = [
  acceptsFields({
    id: "6.2-p2pkh",
    proves: "A P2PKH address signs in, with a compressed key and with an uncompressed one.",
    cause: "The address is made from the compressed key alone, or header bytes 27 to 30 are refused.",
    kinds: ["p2pkh", "p2pkh-uncompressed"],
  }),
  acceptsFields({
    id: "6.2-p2sh-p2wpkh",
    proves: "A P2SH-P2WPKH address signs in with BIP-137's header bytes.",
    cause: "The library compares the hash of the key instead of that of the redeem script.",
    kinds: ["p2sh-p2wpkh"],
  }),
  acceptsFields({
    id: "6.2-p2wpkh",
    proves: "A P2WPKH address signs in with BIP-137's header bytes.",
    cause: "Addresses are read as Base58 alone.",
    kinds: ["p2wpkh"],
  }),
  acceptsFields({
    id: "6.2-electrum",
    proves: "Electrum's signatures sign in: header bytes 31 to 34 for segwit addresses too.",
    cause:
      "The header byte decides the kind of address; bitcoinjs-message needs `checkSegwitAlways` for these.",
    kinds: ["p2sh-p2wpkh", "p2wpkh"],
    changesOf: (wallet, qr) => [["Electrum's header", { sig: wallet.sign(qr, { header: ELECTRUM_HEADER }) }]],
  }),
  acceptsFields({
    id: "6.2-signature-forms",
    proves: "Every good signature signs in: s low or high, and r and s with zeros in front.",
    cause: "A library's refusal of high s; or numbers that are written without their leading zeros.",
    kinds: ["p2pkh"],
    changesOf: (wallet, qr) => [
      ["a high s", { sig: wallet.sign(qr, { highS: true }) }],
      ["an s that begins with zero", { sig: wallet.sign(qr, { has: (rs) => rs[32] === 0 }) }],
      ["an r that begins with zero", { sig: wallet.sign(qr, { has: (rs) => rs[0] === 0 }) }],
    ],
  }),
  acceptsFields({
    id: "6.2-pubk-optional",
    proves: "`pubk` may be absent or empty, and in capitals.",
    cause: "The field is required, or compared as it was sent.",
    kinds: ["p2pkh"],
    changesOf: (wallet) => [
      ["an empty pubk", { pubk: "" }],
      ["pubk in capitals", { pubk: wallet.publicKey.toUpperCase() }],
    ],
  }),
];
