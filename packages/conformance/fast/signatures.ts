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
import { accepts, type FastCode, type FastSite, refuses, withQuery } from "./site.ts";

/**
 * Section 6.2: what a wallet's response must prove. The signed message is the QR URL that the same request contains. If
 * a site verified only the signature, an attacker could sign in with any text that the victim has ever signed. The
 * signature follows BIP-137 or Electrum's format. The wrong addresses in these checks still contain the hash of the
 * signing key, so a site that compares only the hash would accept them.
 */

function acceptsKinds(
  kinds: readonly AddressKind[],
  ways: Record<string, Change> = { unchanged: () => ({}) },
) {
  const responses = kinds.flatMap((kind) =>
    Object.entries(ways).map(([way, change]) => {
      const respond = (site: FastSite, code: FastCode) => {
        const wallet = new BitcoinWallet(kind);
        return site.respond(code, wallet, change(wallet, code.qr));
      };
      return [`a ${kind} response ${way}`, respond] as const;
    }),
  );
  return accepts(Object.fromEntries(responses));
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
export const toOtherCase = (text: string) => (upper(text) === text ? text.toLowerCase() : upper(text));

const refusesAddressForms = refuses("p2wpkh", ({ address }) => [
  ["an address in mixed letter case", { addr: `B${address.slice(1)}` }],
  ["an address after a space", { addr: ` ${address}` }],
  ["an address followed by a line break", { addr: `${address}\n` }],
  ["an empty address", { addr: "" }],
  ["an address as a bitcoin: link", { addr: `bitcoin:${address}` }],
]);

export const FAST_SIGNATURE_CHECKS = {
  "6.2-message-elsewhere": refusesMessages(({ challenge, sid }) => [
    ["a sentence", "I love Bitcoin"],
    ["only the challenge", challenge],
    ["sid and challenge", `${sid}${challenge}`],
  ]),
  "6.2-message-origin": refusesMessages(({ qr, url }, { target: { origin } }) => [
    ["the QR URL with another host", qr.replace(origin.host, "evil.example")],
    ["the QR URL with a suffix in its host", qr.replace(origin.host, `${origin.host}.evil.example`)],
    ["the QR URL with a prefix in its host", qr.replace(origin.host, `evil.${origin.host}`)],
    [
      "the QR URL with another scheme",
      qr.replace(origin.protocol, origin.protocol === "http:" ? "https:" : "http:"),
    ],
    ["the QR URL without its origin", url.pathname + url.search],
  ]),
  "6.2-message-path": refusesMessages(({ qr, url }) => [
    ["the QR URL with a slash after its path", qr.replace(url.pathname, `${url.pathname}/`)],
    ["the QR URL with another path", qr.replace(url.pathname, "/login")],
    ["the QR URL with its path in capitals", qr.replace(url.pathname, upper(url.pathname))],
  ]),
  "6.2-message-sid": refuses("p2pkh", async (wallet, code, site) => {
    const other = await site.issue();
    return [
      ["a signature over the QR URL with another sid", wallet.fields(withQuery(code, { sid: other.sid }).qr)],
      ["a signature over another login's QR URL", wallet.fields(other.qr)],
    ];
  }),
  "6.2-message-challenge": refuses("p2pkh", async (wallet, first, site) => {
    const second = await site.renew(first);
    const wrong = withQuery(second, { c: `${"A".repeat(32)}_1700000000` }).qr;
    return [
      ["a signature over the QR URL with a made-up challenge", wallet.fields(wrong), second],
      ["a signature over the previous QR URL", wallet.fields(first.qr), second],
    ];
  }),
  "6.2-message-time": refuses("p2pkh", (wallet, code) => {
    const other = withQuery(code, { t: "1" });
    return [
      ["a signature over the QR URL with another `t`", wallet.fields(other.qr)],
      ["a request with another `t` than the signed QR URL", wallet.fields(code.qr), other],
    ];
  }),
  "6.2-message-time-issued": refuses("p2pkh", (wallet, code) => {
    const other = withQuery(code, { t: "1" });
    return [["another `t` in both the message and the request", wallet.fields(other.qr), other]];
  }),
  "6.2-message-whole": refusesMessages(({ qr }) => [
    ["the QR URL without `t`", qr.slice(0, qr.lastIndexOf("&t="))],
    ["the QR URL and a line break", `${qr}\n`],
    ["the QR URL after a space", ` ${qr}`],
    ["the QR URL after other text", `Transfer everything: ${qr}`],
    ["the QR URL with an additional parameter", `${qr}&x=1`],
    ["the QR URL with a fragment", `${qr}#x`],
  ]),
  "6.2-message-letter": refusesMessages(({ qr, sid, challenge }) => [
    ["the QR URL with its parameters in another order", reordered(qr)],
    ["the QR URL with its scheme in capitals", qr.replace(/^https?/, upper)],
    ["the QR URL with `SID` instead of `sid`", qr.replace("sid=", "SID=")],
    ["the QR URL with its sid in another letter case", qr.replace(sid, toOtherCase(sid))],
    ["the QR URL with its challenge in another letter case", qr.replace(challenge, toOtherCase(challenge))],
  ]),
  "6.2-p2pkh": acceptsKinds(["p2pkh", "p2pkh-uncompressed"]),
  "6.2-p2sh-p2wpkh": acceptsKinds(["p2sh-p2wpkh"]),
  "6.2-p2wpkh": acceptsKinds(["p2wpkh"]),
  "6.2-electrum": acceptsKinds(["p2sh-p2wpkh", "p2wpkh"], {
    "with Electrum's header byte": (wallet, qr) => ({ sig: wallet.sign(qr, { header: ELECTRUM_HEADER }) }),
  }),
  "6.2-signature-forms": acceptsKinds(["p2pkh"], {
    "with a high s": (wallet, qr) => ({ sig: wallet.sign(qr, { highS: true }) }),
    "with an s that begins with a zero": signs((rs) => rs[32] === 0),
    "with an r that begins with a zero": signs((rs) => rs[0] === 0),
  }),
  "6.2-pubk-optional": acceptsKinds(["p2pkh"], {
    "with an empty `pubk`": () => ({ pubk: "" }),
    "with `pubk` in upper case": ({ publicKey }) => ({ pubk: publicKey.toUpperCase() }),
  }),
  "6.2-header": refuses("p2pkh", (wallet, { qr }) => [
    ["a signature with a header byte below 27", { sig: wallet.sign(qr, { header: 23 }) }],
    ["a signature with a header byte above 42", { sig: wallet.sign(qr, { header: 43 }) }],
    ["a signature with a header byte above 250", { sig: wallet.sign(qr, { header: 252 }) }],
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
      ["a signature by another key", { sig: other.sign(qr) }],
      ["another key's address", { addr: other.address }],
      ["a signature over another message", { sig: wallet.sign(`${qr}x`) }],
      ["a signature with one changed bit in s", { sig: flipped(bytes, 50) }],
      ["the other recovery number", { sig: base64(Buffer.of(bytes[0] === 31 ? 32 : 31), bytes.subarray(1)) }],
    ];
  }),
  "6.2-signature-zero": refuses("p2pkh", () => [
    ["a signature whose r and s are zero", { sig: base64(Buffer.of(HEADERS.p2pkh), Buffer.alloc(64)) }],
    ["r and s with only 1 bits", { sig: base64(Buffer.of(HEADERS.p2pkh), Buffer.alloc(64, 0xff)) }],
  ]),
  "6.2-signature-length": refuses("p2pkh", (wallet, { qr }) => {
    const bytes = wallet.signatureBytes(qr);
    return [
      ["a signature with an additional byte", { sig: base64(bytes, Buffer.of(0)) }],
      ["an empty signature", { sig: "" }],
      ["a signature without its last byte", { sig: base64(bytes.subarray(0, 64)) }],
      ["a signature of 30 KB", { sig: base64(bytes, Buffer.alloc(22_000)) }],
    ];
  }),
  "6.2-signature-base64": refuses("p2pkh", (wallet, { qr }) => {
    const bytes = wallet.signatureBytes(qr);
    const sig = bytes.toString("base64");
    return [
      ["a signature in hex", { sig: bytes.toString("hex") }],
      ["a signature after a space", { sig: ` ${sig}` }],
      ["a signature with an asterisk in its base64", { sig: `${sig.slice(0, 40)}*${sig.slice(40)}` }],
      ["a signature without base64 padding", { sig: sig.replace(/={1,2}$/, "") }],
    ];
  }),
  "6.2-pubk": refuses("p2pkh", () => [
    ["`pubk` of another key", { pubk: new BitcoinWallet().publicKey }],
    ["`pubk` that is not a point on the curve", { pubk: NO_POINT }],
    ["`pubk` that is not hex", { pubk: "key" }],
  ]),
  "6.2-address-network": refuses("p2wpkh", ({ keyHash }) => [
    ["a testnet P2WPKH address", { addr: segwitAddress("tb", 0, keyHash) }],
    ["a regtest P2WPKH address", { addr: segwitAddress("bcrt", 0, keyHash) }],
  ]),
  "6.2-address-version": refuses("p2pkh", ({ keyHash }, { qr }) => {
    const script = new BitcoinWallet("p2sh-p2wpkh");
    return [
      ["a testnet P2PKH address", { addr: base58Check(0x6f, keyHash) }],
      ["a Litecoin P2PKH address", { addr: base58Check(0x30, keyHash) }],
      ["testnet P2SH", script.fields(qr, { addr: base58Check(0xc4, redeemScriptHash(script.keyHash)) })],
    ];
  }),
  "6.2-address-checksum": refuses("p2wpkh", ({ address, keyHash }, { qr }) => {
    const plain = new BitcoinWallet("p2pkh");
    const last = address.endsWith("q") ? "p" : "q";
    return [
      ["a P2PKH address of wrong checksum", plain.fields(qr, { addr: base58Check(0x00, plain.keyHash, 1) })],
      ["a P2WPKH address with another last letter", { addr: address.slice(0, -1) + last }],
      [
        "a bech32m checksum for version 0",
        { addr: segwitAddress("bc", 0, keyHash, { checksum: "bech32m" }) },
      ],
    ];
  }),
  "6.2-address-kind": refuses("p2wpkh", (wallet, { qr }) => {
    const { keyHash } = wallet;
    return [
      ["an address of witness version 1", { addr: segwitAddress("bc", 1, keyHash) }],
      [
        "an address of witness version 1 with the checksum of bech32",
        { addr: segwitAddress("bc", 1, keyHash, { checksum: "bech32" }) },
      ],
      ["a P2WSH address", { addr: segwitAddress("bc", 0, Buffer.concat([keyHash, Buffer.alloc(12)])) }],
      [
        "a P2SH address of the key's hash",
        { addr: base58Check(0x05, keyHash), sig: wallet.sign(qr, { header: ELECTRUM_HEADER }) },
      ],
      [
        "a P2SH address of the key's hash, with a header byte of P2SH",
        { addr: base58Check(0x05, keyHash), sig: wallet.sign(qr, { header: HEADERS["p2sh-p2wpkh"] }) },
      ],
    ];
  }),
  async "6.2-address-form"(site) {
    await refusesAddressForms(site);
    // A site can refuse NUL while it reads the body, before it checks the address.
    const code = await site.issue();
    const wallet = new BitcoinWallet("p2wpkh");
    const answer = await site.respond(code, wallet, { addr: `${wallet.address}\u0000` });
    expectStatus(answer, "a 4xx", "an address followed by NUL");
    if (await site.isAnswered(code.sid)) fail("An address followed by NUL answers the login.");
  },
  async "6.2-one-address-one-user"(site) {
    const wallet = new BitcoinWallet("p2wpkh");
    const spellings = [wallet.address, wallet.address.toUpperCase()];
    const identities: (string | null)[] = [];
    for (const addr of spellings) {
      const code = await site.issue();
      expectStatus(await site.respond(code, wallet, { addr }), 200, `a response with the address ${addr}`);
      await site.signIn(code.browser, code.sid);
      identities.push(await site.identityOf(code.browser, spellings));
    }
    if (identities.includes(null)) skip("With --flow fast the kit cannot see the user here.");
    if (identities[0] !== identities[1]) fail(`One address is signed in as ${identities.join(" and ")}.`);
  },
} satisfies Rules<FastSite, FastId>;
