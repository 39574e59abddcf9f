import { ripemd160 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { base58, bech32, bech32m, createBase58check } from "@scure/base";
import bitcoinMessage from "bitcoinjs-message";
import { parsePublicKey } from "../../login/crypto/public-key.ts";
import { getSecp256k1Engine } from "../../login/crypto/secp256k1.ts";
import { parseBitcoinAddress } from "../../login/plugins/fast/crypto/bitcoin-address.ts";
import { verifyBitcoinMessage } from "../../login/plugins/fast/crypto/bitcoin-message.ts";
import type { HasFault } from "./reference.fixture.ts";

export type SignedMessage = { pubk: string; msg: string; sig: string; addr: string };

const base58check = createBase58check(sha256);

/** In the form in which a site stores an address. Null if the signature is wrong. */
export function signerOf(signed: SignedMessage, has: HasFault): string | null {
  const address = verified(signed);
  if (address !== null)
    return isRefusedByStrictSite(signed, address.kind, has) ? null : storedAs(signed, address.text, has);
  if (isUndecodable(signed.addr) && has("address-throws")) throw new Error("Invalid checksum");
  for (const [fault, correct] of Object.entries(CORRECTIONS)) {
    const corrected = verified({ ...signed, ...correct(signed) });
    if (corrected !== null && has(fault)) return corrected.text;
  }
  const key = parseBitcoinAddress(signed.addr) && recoveredKey(signed);
  if (key === null) return null;
  if (key === "none") {
    if (has("recovery-throws")) throw new RangeError("Invalid point");
    return has("unrecoverable-accepted") ? signed.addr : null;
  }
  const isAnothers = verifyBitcoinMessage({ ...signed, message: signed.msg }) === null;
  return isAnothers && isOwnKey(signed.pubk, key) && has("signature-unused") ? signed.addr : null;
}

function verified(signed: SignedMessage) {
  const signer = verifyBitcoinMessage({ ...signed, message: signed.msg });
  return signer && isOwnKey(signed.pubk, signer.publicKey) ? signer.address : null;
}

const isOwnKey = (pubk: string, key: string) => pubk === "" || parsePublicKey(pubk)?.hex === key;

const storedAs = ({ addr }: SignedMessage, text: string, has: HasFault) =>
  addr !== text && has("address-as-sent") ? addr : text;

/** A planted fault makes the site refuse this correct response. */
function isRefusedByStrictSite({ pubk, sig }: SignedMessage, kind: string, has: HasFault): boolean {
  const [header = 0, ...rs] = Buffer.from(sig, "base64");
  return (
    (pubk === "" && has("pubk-required")) ||
    (pubk !== pubk.toLowerCase() && has("pubk-as-sent")) ||
    (kind === "p2wpkh" && has("no-segwit")) ||
    (kind === "p2sh-p2wpkh" && has("no-script")) ||
    (header < 31 && has("no-uncompressed")) ||
    (header >= 31 && header < 35 && kind !== "p2pkh" && has("no-electrum")) ||
    ((rs[0] === 0 || rs[32] === 0) && has("zeros-stripped")) ||
    ((rs[32] ?? 0) >= 0x80 && has("low-s-only"))
  );
}

/** How a site that is too tolerant corrects a response before it verifies it, keyed by the site's fault. */
const CORRECTIONS: Record<string, (signed: SignedMessage) => Partial<SignedMessage> | null> = {
  "pubk-ignored": () => ({ pubk: "" }),
  "any-header": ({ sig }) => withElectrumHeader(sig, (header) => header < 27 || header > 42),
  "any-header-kind": ({ sig }) => withElectrumHeader(sig, (header) => header >= 31 && header <= 42),
  "lenient-base64": ({ sig }) => ({ sig: Buffer.from(sig, "base64").toString("base64") }),
  "signature-cut": ({ sig }) => ({ sig: strictBytes(sig).subarray(0, 65).toString("base64") }),
  "address-trimmed": ({ addr }) => ({ addr: addr.trim() }),
  "address-lower-cased": ({ addr }) => ({ addr: addr.toLowerCase() }),
  "any-network": ({ addr }) => {
    const decoded = bech32.decodeUnsafe(addr, 100);
    return decoded ? { addr: bech32.encode("bc", decoded.words) } : null;
  },
  "any-witness": ({ addr }) => {
    const decoded = bech32.decodeUnsafe(addr, 100) ?? bech32m.decodeUnsafe(addr, 100);
    const [version, ...words] = decoded?.words ?? [];
    const program = bech32.fromWordsUnsafe(words) ?? [];
    if (decoded?.prefix !== "bc" || (version === 0 && program.length === 20)) return null;
    return { addr: bech32.encode("bc", [0, ...bech32.toWords(Uint8Array.from(program).subarray(0, 20))]) };
  },
  "any-version": ({ addr }) => {
    const [version = 0, ...hash] = decodeBase58(addr) ?? [];
    if (version === 0 || version === 5) return null;
    return { addr: base58check.encode(Uint8Array.of(version === 0xc4 ? 5 : 0, ...hash)) };
  },
  "script-of-key-hash": ({ addr }) => {
    const [version, ...hash] = decodeBase58(addr) ?? [];
    if (version !== 5) return null;
    return {
      addr: base58check.encode(Uint8Array.of(5, ...ripemd160(sha256(Uint8Array.of(0, 20, ...hash))))),
    };
  },
  "checksum-unchecked": ({ addr }) => ({ addr: withChecksum(addr) }),
};

/** Electrum uses this header for every compressed key. */
function withElectrumHeader(
  sig: string,
  isChanged: (header: number) => boolean,
): Partial<SignedMessage> | null {
  const [header = 0, ...rs] = strictBytes(sig);
  return isChanged(header) ? { sig: Buffer.of(31 + ((header - 27) & 3), ...rs).toString("base64") } : null;
}

/** No bytes if the text is not strict base64. */
function strictBytes(sig: string): Buffer {
  const bytes = Buffer.from(sig, "base64");
  return bytes.toString("base64") === sig ? bytes : Buffer.alloc(0);
}

function decodeBase58(text: string): Uint8Array | null {
  try {
    return base58check.decode(text);
  } catch {
    return null;
  }
}

const isUndecodable = (addr: string) => !/^(bc|tb|bcrt|ltc)1/i.test(addr) && decodeBase58(addr) === null;

const BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

function withChecksum(text: string): string {
  if (/^[1-9A-HJ-NP-Za-km-z]{26,40}$/.test(text))
    return base58check.encode(base58.decode(text).subarray(0, -4));
  const [, prefix = "", data = ""] = /^([a-z]+)1([a-z0-9]+).{6}$/.exec(text) ?? [];
  const words = [...data].map((letter) => BECH32.indexOf(letter));
  return prefix === "" || words.includes(-1) ? text : bech32.encode(prefix, words);
}

/** In hex. Null if the text is not a signature, and "none" if no key matches. */
function recoveredKey({ msg, sig }: SignedMessage): string | null {
  const bytes = strictBytes(sig);
  const header = bytes[0] ?? 0;
  if (bytes.length !== 65 || header < 27 || header > 42) return null;
  const point = getSecp256k1Engine().recoverPoint(
    bytes.subarray(1),
    (header - 27) & 3,
    bitcoinMessage.magicHash(msg),
  );
  return point ? (parsePublicKey(Buffer.from(point).toString("hex"))?.hex ?? null) : "none";
}
