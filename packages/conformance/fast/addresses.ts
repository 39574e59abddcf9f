import { fail, type Rules, skip } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import type { FastId } from "../texts/fast.ts";
import {
  BitcoinWallet,
  base58Check,
  ELECTRUM_HEADER,
  HEADERS,
  redeemScriptHash,
  segwitAddress,
} from "./bitcoin-wallet.ts";
import { type FastSite, refuses } from "./site.ts";

/**
 * Section 6.2: which addresses sign in. Each address contains the hash of the signing key, so a site that compares
 * only the hash accepts it.
 */

export const FAST_ADDRESS_CHECKS = {
  "6.2-address-network": refuses("p2wpkh", ({ keyHash }) => [
    ["testnet P2WPKH", { addr: segwitAddress("tb", 0, keyHash) }],
    ["regtest P2WPKH", { addr: segwitAddress("bcrt", 0, keyHash) }],
  ]),
  "6.2-address-version": refuses("p2pkh", ({ keyHash }, { qr }) => {
    const script = new BitcoinWallet("p2sh-p2wpkh");
    return [
      ["testnet P2PKH", { addr: base58Check(0x6f, keyHash) }],
      ["Litecoin's P2PKH", { addr: base58Check(0x30, keyHash) }],
      ["testnet P2SH", script.fields(qr, { addr: base58Check(0xc4, redeemScriptHash(script.keyHash)) })],
    ];
  }),
  "6.2-address-checksum": refuses("p2wpkh", ({ address, keyHash }, { qr }) => {
    const plain = new BitcoinWallet("p2pkh");
    const last = address.endsWith("q") ? "p" : "q";
    return [
      ["P2PKH with a wrong checksum", plain.fields(qr, { addr: base58Check(0x00, plain.keyHash, 1) })],
      ["P2WPKH with another last letter", { addr: address.slice(0, -1) + last }],
      [
        "version 0 with the checksum of bech32m",
        { addr: segwitAddress("bc", 0, keyHash, { checksum: "bech32m" }) },
      ],
    ];
  }),
  "6.2-address-kind": refuses("p2wpkh", (wallet, { qr }) => {
    const { keyHash } = wallet;
    return [
      ["witness version 1", { addr: segwitAddress("bc", 1, keyHash) }],
      [
        "witness version 1 with the checksum of bech32",
        { addr: segwitAddress("bc", 1, keyHash, { checksum: "bech32" }) },
      ],
      ["P2WSH", { addr: segwitAddress("bc", 0, Buffer.concat([keyHash, Buffer.alloc(12)])) }],
      [
        "P2SH of the key's hash",
        { addr: base58Check(0x05, keyHash), sig: wallet.sign(qr, { header: ELECTRUM_HEADER }) },
      ],
      [
        "P2SH of the key's hash with P2SH's header",
        { addr: base58Check(0x05, keyHash), sig: wallet.sign(qr, { header: HEADERS["p2sh-p2wpkh"] }) },
      ],
    ];
  }),
  "6.2-address-form": refuses("p2wpkh", ({ address }) => [
    ["mixed letter case", { addr: `B${address.slice(1)}` }],
    ["a space in front", { addr: ` ${address}` }],
    ["a line break behind", { addr: `${address}\n` }],
    ["no address", { addr: "" }],
    ["a payment link", { addr: `bitcoin:${address}` }],
    ["NUL behind it", { addr: `${address}\u0000` }],
  ]),
  async "6.2-one-address-one-user"(site) {
    const wallet = new BitcoinWallet("p2wpkh");
    const spellings = [wallet.address, wallet.address.toUpperCase()];
    const identities: (string | null)[] = [];
    for (const addr of spellings) {
      const code = await site.issue();
      expectStatus(await site.respond(code, wallet, { addr }), 200, `the address ${addr}`);
      await site.enter(code.browser, code.sid);
      identities.push(await site.identityOf(code.browser, spellings));
    }
    if (identities.includes(null)) skip("The site does not return the signed-in user.");
    if (identities[0] !== identities[1]) fail(`One address is ${identities.join(" and ")}.`);
  },
} satisfies Rules<FastSite, FastId>;
