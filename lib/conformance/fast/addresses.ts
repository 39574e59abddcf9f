import { createHash } from "node:crypto";
import { ripemd160 } from "@noble/hashes/legacy.js";

/** Bitcoin addresses as text (BIP-13, BIP-173, BIP-350). It only writes them: what reads them is under test. */

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const BECH32_SUM = 1;
const BECH32M_SUM = 0x2bc830a3;

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();

export function hash160(bytes: Uint8Array): Uint8Array {
  return ripemd160(sha256(bytes));
}

/** A version byte and a payload with the first four bytes of their double SHA-256 behind them. */
export function base58Check(version: number, payload: Uint8Array, checksumOff = 0): string {
  const body = Buffer.concat([Buffer.of(version), payload]);
  const sum = Buffer.from(sha256(sha256(body)).subarray(0, 4));
  sum[3] = ((sum[3] ?? 0) + checksumOff) & 0xff;
  const bytes = Buffer.concat([body, sum]);
  let rest = BigInt(`0x${bytes.toString("hex")}`);
  let text = "";
  for (; rest > 0n; rest /= 58n) text = BASE58[Number(rest % 58n)] + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return "1".repeat(zeros) + text;
}

/** A segwit address: human-readable part, witness version and program. Version 0 has the checksum of bech32. */
export function segwitAddress(
  prefix: string,
  version: number,
  program: Uint8Array,
  { checksum = version === 0 ? "bech32" : "bech32m" }: { checksum?: "bech32" | "bech32m" } = {},
): string {
  const words = [version, ...toWords(program)];
  const sum = polymod([...expand(prefix), ...words, 0, 0, 0, 0, 0, 0]);
  const target = sum ^ (checksum === "bech32" ? BECH32_SUM : BECH32M_SUM);
  const check = Array.from({ length: 6 }, (_, index) => (target >>> (5 * (5 - index))) & 31);
  return `${prefix}1${[...words, ...check].map((word) => BECH32[word]).join("")}`;
}

/** Groups of five bits, the last one filled with zeros. */
function toWords(bytes: Uint8Array): number[] {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => Number.parseInt(group.padEnd(5, "0"), 2));
}

function expand(prefix: string): number[] {
  const codes = Buffer.from(prefix, "ascii");
  return [...[...codes].map((code) => code >> 5), 0, ...[...codes].map((code) => code & 31)];
}

function polymod(values: readonly number[]): number {
  let sum = 1;
  for (const value of values) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    for (const [bit, generator] of GENERATORS.entries()) if ((top >> bit) & 1) sum ^= generator;
  }
  return sum;
}
