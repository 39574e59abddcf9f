import { fail, type Rule } from "../check.ts";
import { type AddressKind, BitcoinWallet, ELECTRUM_HEADER } from "./bitcoin-wallet.ts";
import { type Changes, expectAnswer, type FastSite } from "./site.ts";

/** Section 6.2: whose signatures sign in, by BIP-137 and Electrum's usage. */

/** A check that responses of each kind of wallet sign in. */
function acceptsFields(
  id: string,
  proves: string,
  cause: string,
  kinds: readonly AddressKind[],
  changesOf: Changes = () => [["as it is", {}]],
): Rule<FastSite> {
  return {
    ...{ id, proves, cause },
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

export const FAST_SIGNER_CHECKS: readonly Rule<FastSite>[] = [
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
