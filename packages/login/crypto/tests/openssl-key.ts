import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";

const UNCOMPRESSED_BYTES = 65;

export function generateOpensslKey(): { publicKeyHex: string; privateKey: KeyObject } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "secp256k1" });
  const spki = publicKey.export({ type: "spki", format: "der" });
  return { publicKeyHex: spki.subarray(-UNCOMPRESSED_BYTES).toString("hex"), privateKey };
}

export function signWithOpenssl(message: string, privateKey: KeyObject): string {
  return sign("sha256", Buffer.from(message, "utf8"), privateKey).toString("hex");
}
