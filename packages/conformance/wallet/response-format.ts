import { secp256k1 } from "@noble/curves/secp256k1.js";
import { fail } from "../check.ts";
import { expectEqual, expectType } from "../expect-status.ts";
import { bodyOf } from "../http-client.ts";
import { encodeDer } from "../server/der.ts";
import type { CodeParts } from "./code.ts";
import type { Arrival } from "./hostile-site.ts";

/** Checks the format of a wallet's response to a correct code. Pure. */

export function expectFields(arrival: Pick<Arrival, "headers" | "json" | "at">, challenge: string): void {
  const body = bodyOf(arrival);
  expectType(arrival, "application/json", "the body");
  expectEqual(body.challenge, challenge, "The challenge that comes back");
  const { public_key: key, signature, timestamp: seconds } = body;
  if (typeof signature !== "string") fail("The signature is no text.");
  if (typeof key !== "string" || !/^(04[0-9a-f]{128}|0[23][0-9a-f]{64})$/i.test(key))
    fail("The key is not hex of 65 bytes beginning 04, or of 33 beginning 02 or 03.");
  if (typeof seconds !== "number" || !Number.isInteger(seconds)) fail("The timestamp is no integer.");
  else if (Math.abs(seconds - arrival.at / 1000) > 10)
    fail(`The timestamp is ${seconds} instead of ${Math.round(arrival.at / 1000)}, in Unix seconds.`);
  const { device_info: device = {} } = body;
  const isObject = typeof device === "object" && device !== null;
  if (!isObject || Object.values(device).some((value) => typeof value !== "string" || value.length > 200))
    fail("device_info is no object of texts of at most 200 characters.");
}

export function expectSignature(arrival: Pick<Arrival, "json">, challenge: string): void {
  const { signature, public_key: key } = bodyOf(arrival);
  if (typeof signature !== "string" || typeof key !== "string") fail("The signature or the key is no text.");
  const bytes = Buffer.from(signature, "hex");
  const scalars = readDer(bytes);
  if (!scalars || bytes.toString("hex") !== signature.toLowerCase()) fail("The signature is no hex of DER.");
  if (!encodeDer(scalars).equals(bytes)) fail("The signature is DER, but not strict DER.");
  const publicKey = Buffer.from(key, "hex");
  if (!secp256k1.utils.isValidPublicKey(publicKey)) fail("The key is no point on the curve.");
  const options = { format: "der", lowS: false } as const;
  if (!secp256k1.verify(bytes, Buffer.from(challenge), publicKey, options))
    fail(
      "The signature does not verify over SHA-256 of the challenge, hashed once, with the key that was sent.",
    );
}

function readDer(bytes: Uint8Array): { r: bigint; s: bigint } | null {
  try {
    return secp256k1.Signature.fromBytes(bytes, "der");
  } catch {
    return null;
  }
}

/** The checks of a response's format with their functions, in the order in which they run. */
export const FORMAT_CHECKS = [
  ["1.5-sent", expectFields],
  ["1.4-sent", expectSignature],
  ["7-no-cookies", expectNoTraces],
] as const;

/** The check that a code of this intent belongs to (docs/protocol.md#36-intents). */
export function shownCheckOf(intent: CodeParts["intent"]): string {
  return intent ? "3.6-shown" : "3.6-shown-none";
}

export function expectShownIntent(arrival: Pick<Arrival, "json">, intent: CodeParts["intent"]): void {
  const { intent: showed } = bodyOf(arrival);
  const code = intent ? `A code with intent=${intent}` : "A code without an intent";
  if (showed === undefined) fail(`${code} is answered without a word of what the wallet showed.`);
  expectEqual(showed, intent ?? null, `${code} is answered, and \`intent\``);
}

export function expectNoTraces(arrival: Pick<Arrival, "headers">): void {
  const sent = ["cookie", "authorization", "referer"].filter((name) => arrival.headers[name] !== undefined);
  if (sent.length > 0) fail(`The wallet sends ${sent.join(", ")}.`);
}
