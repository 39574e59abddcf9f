import { createHash } from "node:crypto";
import { sha256 } from "@noble/hashes/sha2.js";
import { base58, bech32, bech32m, createBase58check } from "@scure/base";
import { parsePublicKey } from "../../login/crypto/public-key.ts";
import { recoverPoint } from "../../login/fast/crypto/bitcoin-message.ts";
import { hash160 } from "../fast/addresses.ts";
import type { AddressKind } from "../fast/bitcoin-wallet.ts";
import type { Has } from "./planted.fixture.ts";

/** How the reference site judges a signed message, and the places where a fault changes that. */

export type Signed = { pubk: string; msg: string; sig: string; addr: string };

type Address = { kind: "p2pkh" | "p2sh-p2wpkh" | "p2wpkh"; hash: string; canonical: string };

const base58check = createBase58check(sha256);
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/** The address that signed, as it is stored; null where it did not. */
export function signerOf({ msg, sig, addr, pubk }: Signed, has: Has): string | null {
  const address = readAddress(addr, has);
  const bytes = address && readSignature(sig, has);
  if (!address || !bytes) return null;
  const header = bytes[0] ?? 0;
  const key = keyOf(msg, header, bytes.subarray(1, 65), address.kind, has);
  if (key === null) return null;
  if (key === "unknown") return address.canonical;
  const isOwn =
    hashOf(key, address.kind) === address.hash ||
    (address.kind === "p2sh-p2wpkh" && hex(hash160(key)) === address.hash && has("script-of-key-hash"));
  if (!isOwn && !has("signature-unused")) return null;
  if (pubk !== "" && !isSameKey(pubk, key, has) && !has("pubk-ignored")) return null;
  if (pubk === "" && has("pubk-required")) return null;
  return address.canonical;
}

/** The recovered key, in the form that the address hashes. */
function keyOf(
  msg: string,
  header: number,
  rs: Uint8Array,
  kind: Address["kind"],
  has: Has,
): Uint8Array | "unknown" | null {
  const isOutside = header < 27 || header > 42;
  if (isOutside && !has("any-header")) return null;
  const kinds = kindsOf(header);
  if (!isOutside && !kinds.includes(kind) && !has("any-header-kind")) return null;
  if (header >= 31 && header < 35 && kind !== "p2pkh" && has("no-electrum")) return null;
  if (header < 31 && !isOutside && kind === "p2pkh" && has("no-uncompressed")) return null;
  if ((rs[0] === 0 || rs[32] === 0) && rs.some((byte) => byte !== 0) && has("zeros-stripped")) return null;
  if ((rs[32] ?? 0) >= 0x80 && rs.some((byte) => byte !== 0xff) && has("low-s-only")) return null;
  const point = recoverPoint(rs, (header - 27) & 3, messageHash(msg));
  if (!point) {
    if (has("recovery-throws")) throw new RangeError("Invalid point");
    return has("unrecoverable-accepted") ? "unknown" : null;
  }
  if (header >= 31 || isOutside) return point;
  return Buffer.from(parsePublicKey(hex(point))?.hex ?? "", "hex");
}

function kindsOf(header: number): readonly AddressKind[] {
  if (header < 31) return ["p2pkh"];
  if (header < 35) return ["p2pkh", "p2sh-p2wpkh", "p2wpkh"];
  return [header < 39 ? "p2sh-p2wpkh" : "p2wpkh"];
}

function hashOf(key: Uint8Array, kind: Address["kind"]): string {
  const keyHash = hash160(key);
  return hex(kind === "p2sh-p2wpkh" ? hash160(Buffer.concat([Buffer.of(0, 20), keyHash])) : keyHash);
}

function isSameKey(pubk: string, key: Uint8Array, has: Has): boolean {
  if (pubk !== pubk.toLowerCase() && has("pubk-as-sent")) return false;
  return parsePublicKey(pubk)?.hex === parsePublicKey(hex(key))?.hex;
}

function messageHash(message: string): Buffer {
  const bytes = Buffer.from(message, "utf8");
  const length = bytes.length < 253 ? [bytes.length] : [0xfd, bytes.length & 0xff, bytes.length >> 8];
  const text = Buffer.concat([Buffer.from("\u0018Bitcoin Signed Message:\n"), Buffer.from(length), bytes]);
  const digest = (part: Uint8Array) => createHash("sha256").update(part).digest();
  return digest(digest(text));
}

function readSignature(sig: string, has: Has): Buffer | null {
  const bytes = Buffer.from(sig, "base64");
  const isStrict = bytes.toString("base64") === sig;
  if (!isStrict && (bytes.length !== 65 || !has("lenient-base64"))) return null;
  if (bytes.length === 65) return bytes;
  return bytes.length > 65 && has("signature-cut") ? bytes : null;
}

function readAddress(text: string, has: Has): Address | null {
  const trimmed = text !== text.trim() && has("address-trimmed") ? text.trim() : text;
  const isSegwit = /^(bc|tb|bcrt|ltc)1/i.test(trimmed);
  if (isSegwit && has("no-segwit")) return null;
  const address = isSegwit ? readSegwit(trimmed, has) : readBase58(trimmed, has);
  return address && text !== address.canonical && has("address-as-sent")
    ? { ...address, canonical: text }
    : address;
}

function readSegwit(given: string, has: Has): Address | null {
  const isMixed = given !== given.toLowerCase() && given !== given.toUpperCase();
  const text = isMixed && has("address-lower-cased") ? given.toLowerCase() : given;
  const decoded = bech32.decodeUnsafe(text, 100) ?? undefined;
  const modern = decoded ? undefined : bech32m.decodeUnsafe(text, 100);
  const loose =
    decoded ??
    modern ??
    (/^\w+$/.test(text) && !isMixed && has("checksum-unchecked") ? withoutChecksum(text) : undefined);
  if (!loose) return null;
  if (loose.prefix !== "bc" && !has("any-network")) return null;
  const [version, ...words] = loose.words;
  const program = Uint8Array.from(bech32.fromWordsUnsafe(words) ?? []);
  const isOther = version !== 0 || program.length !== 20;
  if (isOther && !has("any-witness")) return null;
  if (!isOther && modern && !has("checksum-unchecked")) return null;
  return { kind: "p2wpkh", hash: hex(program.subarray(0, 20)), canonical: text.toLowerCase() };
}

function withoutChecksum(text: string): { prefix: string; words: number[] } | undefined {
  const separator = text.lastIndexOf("1");
  const words = [...text.slice(separator + 1, -6).toLowerCase()].map((letter) =>
    "qpzry9x8gf2tvdw0s3jn54khce6mua7l".indexOf(letter),
  );
  return words.includes(-1) ? undefined : { prefix: text.slice(0, separator).toLowerCase(), words };
}

function readBase58(text: string, has: Has): Address | null {
  let payload: Uint8Array;
  try {
    payload = base58check.decode(text);
  } catch {
    if (has("address-throws")) throw new Error("Invalid checksum");
    const bytes =
      /^[1-9A-HJ-NP-Za-km-z]{26,40}$/.test(text) && has("checksum-unchecked") ? base58.decode(text) : null;
    if (bytes?.length !== 25) return null;
    payload = bytes.subarray(0, 21);
  }
  const [version = 0] = payload;
  const hash = hex(payload.subarray(1));
  if (version === 0) return { kind: "p2pkh", hash, canonical: text };
  if (version === 5 && has("no-script")) return null;
  if (version === 5) return { kind: "p2sh-p2wpkh", hash, canonical: text };
  if (!has("any-version")) return null;
  return { kind: version === 0xc4 ? "p2sh-p2wpkh" : "p2pkh", hash, canonical: text };
}
