import bitcoinMessage from "bitcoinjs-message";
import { parsePublicKey } from "../../../crypto/public-key.ts";
import { getSecp256k1Engine } from "../../../crypto/secp256k1.ts";
import {
  type AddressKind,
  type BitcoinAddress,
  encodeBitcoinAddress,
  parseBitcoinAddress,
} from "./bitcoin-address.ts";

const SIGNATURE_BYTES = 65;
/** 65 bytes in base64 are 88 characters, of which the last is padding. */
const SIGNATURE_BASE64 = /^[A-Za-z0-9+/]{87}=$/;

export type MessageSigner = {
  address: BitcoinAddress;
  /** 130 lower-case hex digits that begin with 04, like all keys in this package. */
  publicKey: string;
};

/**
 * Returns null unless the signer's address is `addr`. Never throws. Uses bitcoinjs-message to compute the digest
 * ("Bitcoin Signed Message", hashed twice), but not to verify: its `verify` is lenient about base64, header bytes and
 * the address's network and type, does not return the key, and compares hashes without their version byte. Here, the
 * key is recovered once, and its address must equal `addr` exactly.
 */
export function verifyBitcoinMessage(signed: {
  message: string;
  /** The header byte, r and s, in base64. */
  sig: string;
  addr: string;
}): MessageSigner | null {
  const address = parseBitcoinAddress(signed.addr);
  const signature = decodeSignature(signed.sig);
  const header = signature && readHeader(signature[0] ?? 0);
  if (!address || !signature || !header?.kinds.includes(address.kind) || !signed.message.isWellFormed())
    return null;
  const digest = bitcoinMessage.magicHash(signed.message);
  const point = getSecp256k1Engine().recoverPoint(signature.subarray(1), header.recovery, digest);
  const key = point && parsePublicKey(Buffer.from(point).toString("hex"));
  if (!key || encodeBitcoinAddress(address.kind, header.compressed ? point : key.bytes) !== address.text)
    return null;
  return { address, publicKey: key.hex };
}

type Header = { recovery: number; compressed: boolean; kinds: readonly AddressKind[] };

/**
 * As defined by BIP-137: 27 to 30 mean P2PKH with an uncompressed key, 31 to 34 P2PKH with a compressed key, 35 to 38
 * P2SH-P2WPKH, and 39 to 42 P2WPKH. Electrum and compatible wallets use 31 to 34 for segwit addresses, too.
 */
function readHeader(byte: number): Header | null {
  if (byte < 27 || byte > 42) return null;
  const recovery = (byte - 27) & 3;
  if (byte < 31) return { recovery, compressed: false, kinds: ["p2pkh"] };
  if (byte < 35) return { recovery, compressed: true, kinds: ["p2pkh", "p2sh-p2wpkh", "p2wpkh"] };
  return { recovery, compressed: true, kinds: [byte < 39 ? "p2sh-p2wpkh" : "p2wpkh"] };
}

// Decodes strictly, because Node's decoder skips unknown characters, so that one signature would have many spellings.
function decodeSignature(base64: string): Buffer | null {
  const bytes = SIGNATURE_BASE64.test(base64) ? Buffer.from(base64, "base64") : null;
  return bytes?.length === SIGNATURE_BYTES && bytes.toString("base64") === base64 ? bytes : null;
}
