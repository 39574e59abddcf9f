import { fail, type Rules } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import type { FastId } from "../texts/fast.ts";
import { type AddressKind, BitcoinWallet, ELECTRUM_HEADER, type Fields, HEADERS } from "./bitcoin-wallet.ts";
import { type FastSite, refuses } from "./site.ts";

/** Section 6.2: whose signatures sign in, by BIP-137 and Electrum's usage, and which are not the address's own. */

/** Responses of each kind of wallet sign in, changed in each of these ways. */
function accepts(kinds: readonly AddressKind[], ways: Record<string, Change> = { "as it is": () => ({}) }) {
  return async (site: FastSite): Promise<void> => {
    for (const wallet of kinds.map((kind) => new BitcoinWallet(kind))) {
      for (const [way, change] of Object.entries(ways)) {
        const what = `${wallet.kind}, ${way}`;
        const code = await site.issue();
        expectStatus(await site.respond(code, wallet, change(wallet, code.qr)), 200, what);
        if (!(await site.isAnswered(code.sid))) fail(`${what}: the login has no address afterwards.`);
      }
    }
  };
}

type Change = (wallet: BitcoinWallet, qr: string) => Partial<Fields>;

const signs =
  (has: (rs: Buffer) => boolean): Change =>
  (wallet, qr) => ({ sig: wallet.sign(qr, { has }) });

const NO_POINT = `05${"11".repeat(32)}`;

function flipped(bytes: Buffer, at: number): string {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy.toString("base64");
}

const base64 = (...parts: Uint8Array[]) => Buffer.concat(parts).toString("base64");

export const FAST_SIGNATURE_CHECKS = {
  "6.2-p2pkh": accepts(["p2pkh", "p2pkh-uncompressed"]),
  "6.2-p2sh-p2wpkh": accepts(["p2sh-p2wpkh"]),
  "6.2-p2wpkh": accepts(["p2wpkh"]),
  "6.2-electrum": accepts(["p2sh-p2wpkh", "p2wpkh"], {
    "Electrum's header": (wallet, qr) => ({ sig: wallet.sign(qr, { header: ELECTRUM_HEADER }) }),
  }),
  "6.2-signature-forms": accepts(["p2pkh"], {
    "a high s": (wallet, qr) => ({ sig: wallet.sign(qr, { highS: true }) }),
    "an s that begins with zero": signs((rs) => rs[32] === 0),
    "an r that begins with zero": signs((rs) => rs[0] === 0),
  }),
  "6.2-pubk-optional": accepts(["p2pkh"], {
    "an empty pubk": () => ({ pubk: "" }),
    "pubk in capitals": ({ publicKey }) => ({ pubk: publicKey.toUpperCase() }),
  }),
  "6.2-header": refuses("p2pkh", (wallet, { qr }) => [
    ["a header below 27", { sig: wallet.sign(qr, { header: 23 }) }],
    ["a header above 42", { sig: wallet.sign(qr, { header: 43 }) }],
    ["a header above 250", { sig: wallet.sign(qr, { header: 252 }) }],
  ]),
  "6.2-header-kind": refuses("p2pkh", (_wallet, { qr }) => {
    const wrong: [AddressKind, AddressKind][] = [
      ["p2pkh", "p2pkh-uncompressed"],
      ["p2pkh", "p2wpkh"],
      ["p2pkh-uncompressed", "p2pkh"],
      ["p2sh-p2wpkh", "p2wpkh"],
      ["p2wpkh", "p2sh-p2wpkh"],
    ];
    return wrong.map(([kind, other]) => {
      const wallet = new BitcoinWallet(kind);
      const sig = wallet.sign(qr, { header: HEADERS[other] });
      return [`a signature for ${other} with a ${kind} address`, wallet.fields(qr, { sig })];
    });
  }),
  "6.2-signature-other": refuses("p2pkh", (wallet, { qr }) => {
    const other = new BitcoinWallet();
    const bytes = wallet.signatureBytes(qr);
    return [
      ["another key's signature", { sig: other.sign(qr) }],
      ["another address", { addr: other.address }],
      ["a signature over another message", { sig: wallet.sign(`${qr}x`) }],
      ["one bit of s changed", { sig: flipped(bytes, 50) }],
      ["the other recovery number", { sig: base64(Buffer.of(bytes[0] === 31 ? 32 : 31), bytes.subarray(1)) }],
    ];
  }),
  "6.2-signature-zero": refuses("p2pkh", () => [
    ["r and s of zeros", { sig: base64(Buffer.of(HEADERS.p2pkh), Buffer.alloc(64)) }],
    ["r and s of ones", { sig: base64(Buffer.of(HEADERS.p2pkh), Buffer.alloc(64, 0xff)) }],
  ]),
  "6.2-signature-length": refuses("p2pkh", (wallet, { qr }) => {
    const bytes = wallet.signatureBytes(qr);
    return [
      ["a byte more", { sig: base64(bytes, Buffer.of(0)) }],
      ["no signature", { sig: "" }],
      ["a byte less", { sig: base64(bytes.subarray(0, 64)) }],
      ["a signature of 30 KB", { sig: base64(bytes, Buffer.alloc(22_000)) }],
    ];
  }),
  "6.2-signature-base64": refuses("p2pkh", (wallet, { qr }) => {
    const bytes = wallet.signatureBytes(qr);
    const sig = bytes.toString("base64");
    return [
      ["hex", { sig: bytes.toString("hex") }],
      ["a space in front", { sig: ` ${sig}` }],
      ["a character that is none in the middle", { sig: `${sig.slice(0, 40)}*${sig.slice(40)}` }],
      ["no padding", { sig: sig.replace(/={1,2}$/, "") }],
    ];
  }),
  "6.2-pubk": refuses("p2pkh", () => [
    ["another key", { pubk: new BitcoinWallet().publicKey }],
    ["no point", { pubk: NO_POINT }],
    ["no hex", { pubk: "key" }],
  ]),
} satisfies Rules<FastSite, FastId>;
