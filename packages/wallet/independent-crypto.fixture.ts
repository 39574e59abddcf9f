/** Based on node:crypto, Bitcoin's own library and big integers, and independent of the wallet's libraries. */
import { createECDH, createHash, createHmac, createPublicKey, pbkdf2Sync, verify } from "node:crypto";
import { createRequire } from "node:module";

/** The package has no types. */
const native: {
  ecdsaSign(digest: Uint8Array, privateKey: Uint8Array): { signature: Uint8Array };
  signatureExport(signature: Uint8Array): Uint8Array;
} = createRequire(import.meta.url)("libsecp256k1/bindings.js");

const N = BigInt("0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141");

/** BIP-39 with an empty passphrase. */
export function deriveSeed(phrase: string): Buffer {
  return pbkdf2Sync(phrase.normalize("NFKD"), "mnemonic", 2048, 64, "sha512");
}

/** SLIP-0013's child numbers without their hardening bit. */
export function computeSlip13Numbers(uri: string, index: number): number[] {
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32LE(index);
  const hash = createHash("sha256").update(prefix).update(uri, "utf8").digest();
  return [13, ...[0, 4, 8, 12].map((offset) => hash.readUInt32LE(offset) & 0x7fff_ffff)];
}

/** BIP-32, in hardened steps. */
export function deriveHardenedKey(seed: Buffer, numbers: number[]): Buffer {
  let node = createHmac("sha512", "Bitcoin seed").update(seed).digest();
  for (const number of numbers) {
    const data = Buffer.alloc(37);
    node.copy(data, 1, 0, 32);
    data.writeUInt32BE(number + 0x8000_0000, 33);
    const step = createHmac("sha512", node.subarray(32)).update(data).digest();
    const key = (toNumber(step.subarray(0, 32)) + toNumber(node.subarray(0, 32))) % N;
    node = Buffer.concat([toBytes(key), step.subarray(32)]);
  }
  return node.subarray(0, 32);
}

/** Uncompressed, in hex. */
export function derivePublicKey(privateKey: Buffer): string {
  const curve = createECDH("secp256k1");
  curve.setPrivateKey(privateKey);
  return curve.getPublicKey("hex", "uncompressed");
}

/** ECDSA over SHA-256 (RFC 6979, 3.2, with low S). DER in hex. */
export function signMessageWithLibsecp256k1(message: string, privateKey: Uint8Array): string {
  const digest = createHash("sha256").update(message, "utf8").digest();
  const { signature } = native.ecdsaSign(digest, privateKey);
  return Buffer.from(native.signatureExport(signature)).toString("hex");
}

/** According to OpenSSL. All arguments are hex. */
export function isValidSignature(publicKey: string, text: string, signature: string): boolean {
  const key = Buffer.from(`3056301006072a8648ce3d020106052b8104000a034200${publicKey}`, "hex");
  const spki = createPublicKey({ key, format: "der", type: "spki" });
  return verify("sha256", Buffer.from(text, "utf8"), spki, Buffer.from(signature, "hex"));
}

function toNumber(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString("hex")}`);
}

function toBytes(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, "0"), "hex");
}
