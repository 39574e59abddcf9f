import { fail, type Rules, skip } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import type { FastId } from "../texts/fast.ts";
import {
  type AddressKind,
  BitcoinWallet,
  base58Check,
  ELECTRUM_HEADER,
  type Fields,
  HEADERS,
  redeemScriptHash,
  segwitAddress,
} from "./bitcoin-wallet.ts";
import { changed, type FastCode, type FastSite, refuses } from "./site.ts";

/**
 * Section 6.2: what a response proves. The message is the QR URL of the same request. A site that verifies only the
 * signature would sign in anyone who has any text that the victim has signed. The signature follows BIP-137 or
 * Electrum's format. Each address contains the hash of the signing key, so a site that compares only the hash would
 * accept it.
 */

/** Responses from each kind of wallet sign in, changed in each of these ways. */
function accepts(
  kinds: readonly AddressKind[],
  changesByName: Record<string, Change> = { "as it is": () => ({}) },
) {
  return async (site: FastSite): Promise<void> => {
    for (const wallet of kinds.map((kind) => new BitcoinWallet(kind))) {
      for (const [way, change] of Object.entries(changesByName)) {
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
  (condition: (rs: Buffer) => boolean): Change =>
  (wallet, qr) => ({ sig: wallet.sign(qr, { has: condition }) });

const NO_POINT = `05${"11".repeat(32)}`;

function flipped(bytes: Buffer, at: number): string {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy.toString("base64");
}

const base64 = (...parts: Uint8Array[]) => Buffer.concat(parts).toString("base64");

type Messages = (code: FastCode, site: FastSite) => readonly (readonly [what: string, message: string])[];

const refusesMessages = (messagesOf: Messages) =>
  refuses("p2pkh", (wallet, code, site) =>
    messagesOf(code, site).map(([what, message]) => [`a signature over ${what}`, wallet.fields(message)]),
  );

const upper = (text: string) => text.toUpperCase();
const reordered = (qr: string) => qr.replace(/(?<=\?).*/, (query) => query.split("&").reverse().join("&"));
/** A text in upper case, or in lower case if it is already in upper case. */
export const otherCase = (text: string) => (upper(text) === text ? text.toLowerCase() : upper(text));

export const FAST_SIGNATURE_CHECKS = {
  "6.2-message-elsewhere": refusesMessages(({ challenge, sid }) => [
    ["a sentence", "I love Bitcoin"],
    ["only the challenge", challenge],
    ["sid and challenge", `${sid}${challenge}`],
  ]),
  "6.2-message-origin": refusesMessages(({ qr, url }, { target: { origin } }) => [
    ["another host", qr.replace(origin.host, "evil.example")],
    ["a host that begins alike", qr.replace(origin.host, `${origin.host}.evil.example`)],
    ["a host that ends alike", qr.replace(origin.host, `evil.${origin.host}`)],
    ["another scheme", qr.replace(origin.protocol, origin.protocol === "http:" ? "https:" : "http:")],
    ["no origin", url.pathname + url.search],
  ]),
  "6.2-message-path": refusesMessages(({ qr, url }) => [
    ["a slash behind the path", qr.replace(url.pathname, `${url.pathname}/`)],
    ["another path", qr.replace(url.pathname, "/login")],
    ["the path in capitals", qr.replace(url.pathname, upper(url.pathname))],
  ]),
  "6.2-message-sid": refuses("p2pkh", async (wallet, code, site) => {
    const other = await site.issue();
    return [
      ["a message with another sid", wallet.fields(changed(code, { sid: other.sid }).qr)],
      ["another login's message", wallet.fields(other.qr)],
    ];
  }),
  "6.2-message-challenge": refuses("p2pkh", async (wallet, first, site) => {
    const second = await site.renew(first);
    const wrong = changed(second, { c: `${"A".repeat(32)}_1700000000` }).qr;
    return [
      ["a message with a made-up challenge", wallet.fields(wrong), second],
      ["the message of the code before", wallet.fields(first.qr), second],
    ];
  }),
  "6.2-message-time": refuses("p2pkh", (wallet, code) => {
    const other = changed(code, { t: "1" });
    return [
      ["a message with another t", wallet.fields(other.qr)],
      ["a request with another t", wallet.fields(code.qr), other],
    ];
  }),
  "6.2-message-time-issued": refuses("p2pkh", (wallet, code) => {
    const other = changed(code, { t: "1" });
    return [["another t in message and request", wallet.fields(other.qr), other]];
  }),
  "6.2-message-whole": refusesMessages(({ qr }) => [
    ["all but the time", qr.slice(0, qr.lastIndexOf("&t="))],
    ["a line more", `${qr}\n`],
    ["a space in front", ` ${qr}`],
    ["text in front", `Transfer everything: ${qr}`],
    ["a parameter more", `${qr}&x=1`],
    ["a fragment", `${qr}#x`],
  ]),
  "6.2-message-letter": refusesMessages(({ qr, sid, challenge }) => [
    ["the parameters in another order", reordered(qr)],
    ["the scheme in capitals", qr.replace(/^https?/, upper)],
    ["a name in capitals", qr.replace("sid=", "SID=")],
    ["the sid in capitals", qr.replace(sid, otherCase(sid))],
    ["the challenge in capitals", qr.replace(challenge, otherCase(challenge))],
  ]),
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
