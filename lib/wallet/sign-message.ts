import { secp256k1 } from "@noble/curves/secp256k1.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { base64 } from "@scure/base";
import type { AddressKey, AddressType } from "./derive-address.ts";

/** BIP-137: the first header byte of each type; the recovery number is added. All keys here are compressed. */
const HEADERS: Record<AddressType, number> = { p2pkh: 31, "p2sh-p2wpkh": 35, p2wpkh: 39 };

const PREFIX = "Bitcoin Signed Message:\n";

/** What a wallet posts to fast login's webhook (docs/protocol.md#6-fast-login). */
export type SignedMessage = {
  /** Hex. */
  pubk: string;
  msg: string;
  /** Base64 of header, r and s. */
  sig: string;
  addr: string;
};

/**
 * Signs a message as Bitcoin wallets do: recoverable ECDSA over the double SHA-256 of prefix and message, with the
 * header bytes of BIP-137. Deterministic nonces by RFC 6979, low S.
 */
export function signMessage(
  msg: string,
  { type, address, privateKey, publicKey }: AddressKey,
): SignedMessage {
  const signature = secp256k1.sign(messageDigest(msg), privateKey, { prehash: false, format: "recovered" });
  // The library puts the recovery number first, where the header goes.
  const [recovery = 0, ...rs] = signature;
  return {
    pubk: publicKey,
    msg,
    sig: base64.encode(Uint8Array.of(HEADERS[type] + recovery, ...rs)),
    addr: address,
  };
}

/** The 32 bytes that are signed: prefix and message, each behind its length, hashed twice. */
export function messageDigest(msg: string): Uint8Array {
  const [prefix, message] = [utf8ToBytes(PREFIX), utf8ToBytes(msg)];
  return sha256(sha256(concatBytes(varint(prefix.length), prefix, varint(message.length), message)));
}

/** Bitcoin's compact size, as far as a payload of 4,096 characters needs it. */
function varint(length: number): Uint8Array {
  return length < 0xfd ? Uint8Array.of(length) : Uint8Array.of(0xfd, length & 0xff, length >> 8);
}
