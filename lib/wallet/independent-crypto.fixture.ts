/**
 * A second implementation for the tests, from node:crypto and big integers alone: nothing here comes
 * from the libraries that the wallet uses.
 */
import { createECDH, createHash, createHmac, pbkdf2Sync } from "node:crypto";

const N = BigInt("0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141");

/** BIP-39, empty passphrase. */
export function seedOf(phrase: string): Buffer {
  return pbkdf2Sync(phrase.normalize("NFKD"), "mnemonic", 2048, 64, "sha512");
}

/** SLIP-0013's child numbers without their hardening bit. */
export function slip13Numbers(uri: string, index: number): number[] {
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32LE(index);
  const hash = createHash("sha256").update(prefix).update(uri, "utf8").digest();
  return [13, ...[0, 4, 8, 12].map((offset) => hash.readUInt32LE(offset) & 0x7fff_ffff)];
}

/** BIP-32: the private key below a seed by hardened steps. */
export function hardenedKey(seed: Buffer, numbers: number[]): Buffer {
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

/** Hex of the uncompressed public key. */
export function publicKeyOf(privateKey: Buffer): string {
  const curve = createECDH("secp256k1");
  curve.setPrivateKey(privateKey);
  return curve.getPublicKey("hex", "uncompressed");
}

/** RFC 6979 (3.2) ECDSA over SHA-256, low S, DER in hex. */
export function signatureOf(message: string, privateKey: Buffer): string {
  const digest = createHash("sha256").update(message, "utf8").digest();
  const z = toBytes(toNumber(digest) % N);
  const hmac = (key: Buffer, ...parts: Buffer[]) =>
    createHmac("sha256", key).update(Buffer.concat(parts)).digest();
  let v: Buffer = Buffer.alloc(32, 1);
  let k: Buffer = Buffer.alloc(32, 0);
  k = hmac(k, v, Buffer.of(0), privateKey, z);
  v = hmac(k, v);
  k = hmac(k, v, Buffer.of(1), privateKey, z);
  v = hmac(k, v);
  const nonce = hmac(k, v);
  const r = BigInt(`0x${publicKeyOf(nonce).slice(2, 66)}`) % N;
  const s = (inverse(toNumber(nonce)) * (toNumber(z) + r * toNumber(privateKey))) % N;
  const body = Buffer.concat([derInteger(r), derInteger(s > N / 2n ? N - s : s)]);
  return Buffer.concat([Buffer.of(0x30, body.length), body]).toString("hex");
}

function derInteger(value: bigint): Buffer {
  let hex = value.toString(16);
  if (hex.length % 2) hex = `0${hex}`;
  const bytes = Buffer.from(hex, "hex");
  const padded = bytes.readUInt8(0) > 127 ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
  return Buffer.concat([Buffer.of(2, padded.length), padded]);
}

/** By Fermat: N is prime. */
function inverse(value: bigint): bigint {
  let [result, base, exponent] = [1n, value % N, N - 2n];
  for (; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = (result * base) % N;
    base = (base * base) % N;
  }
  return result;
}

function toNumber(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString("hex")}`);
}

function toBytes(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, "0"), "hex");
}
