import { secp256k1 } from "@noble/curves/secp256k1.js";
import { fail } from "../check.ts";
import { encodeDer } from "../server/der.ts";
import type { Arrival } from "./hostile-site.ts";

/** Pure: what a wallet sent for a correct code, judged by the formats alone. */

export const bodyOf = ({ json }: Pick<Arrival, "json">): Record<string, unknown> =>
  typeof json === "object" && json !== null ? (json as Record<string, unknown>) : {};

/** @throws {Failure} unless the fields are those of docs/protocol.md#15-wallet-response */
export function judgeFields(arrival: Pick<Arrival, "headers" | "json" | "at">, challenge: string): void {
  const body = bodyOf(arrival);
  if (!/^application\/json\b/.test(arrival.headers["content-type"] ?? ""))
    fail("The body is not application/json.");
  if (body.challenge !== challenge) fail(`The challenge comes back as ${JSON.stringify(body.challenge)}.`);
  if (!/^(04[0-9a-f]{128}|0[23][0-9a-f]{64})$/i.test(String(body.public_key)))
    fail(`The key is ${body.public_key}.`);
  const seconds = Number(body.timestamp);
  if (!Number.isInteger(body.timestamp) || Math.abs(seconds - arrival.at / 1000) > 10) {
    fail(`The timestamp is ${JSON.stringify(body.timestamp)}.`);
  }
  const { device_info: device = {} } = body;
  const isObject = typeof device === "object" && device !== null;
  if (!isObject || Object.values(device).some((value) => typeof value !== "string" || value.length > 200)) {
    fail(`device_info is ${JSON.stringify(device)}.`);
  }
}

/** @throws {Failure} unless the signature is that of docs/protocol.md#14-signature, over the challenge */
export function judgeSignature(arrival: Pick<Arrival, "json">, challenge: string): void {
  const { signature, public_key: key } = bodyOf(arrival);
  const bytes = Buffer.from(String(signature), "hex");
  const scalars = readDer(bytes);
  if (!scalars || bytes.toString("hex") !== String(signature).toLowerCase())
    fail(`The signature is no DER: ${signature}`);
  if (!encodeDer(scalars).equals(bytes)) fail(`The signature is no strict DER: ${signature}`);
  const publicKey = Buffer.from(String(key), "hex");
  if (!secp256k1.utils.isValidPublicKey(publicKey)) fail(`The key is no point on the curve: ${key}`);
  const options = { format: "der", lowS: false } as const;
  if (!secp256k1.verify(bytes, Buffer.from(challenge), publicKey, options))
    fail("The signature does not verify.");
}

function readDer(bytes: Uint8Array): { r: bigint; s: bigint } | null {
  try {
    return secp256k1.Signature.fromBytes(bytes, "der");
  } catch {
    return null;
  }
}

/** @throws {Failure} where something came along that tells the site more than the answer */
export function judgeHeaders(arrival: Pick<Arrival, "headers">): void {
  const sent = ["cookie", "authorization", "referer"].filter((name) => arrival.headers[name] !== undefined);
  if (sent.length > 0) fail(`The wallet sends ${sent.join(", ")}.`);
}
