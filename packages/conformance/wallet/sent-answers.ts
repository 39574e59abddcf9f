import { secp256k1 } from "@noble/curves/secp256k1.js";
import { fail, type Rules, skip } from "../check.ts";
import { expectCloseTo, expectEqual, expectInteger, expectType } from "../expect-status.ts";
import { encodeDer } from "../flow/wallet.ts";
import { bodyOf, membersOf } from "../http-client.ts";
import type { WalletId } from "../texts/wallet.ts";
import { type CodeParts, UNKNOWN_PARAMETER } from "./code.ts";
import type { Arrival } from "./hostile-site.ts";
import { answerForOtherDomain, firstLine, type Trial } from "./trial.ts";

/** Sections 1.2, 1.4, 1.5, 3.6 and 7: the wallet's response to a correct code, and what it shows before that. */

// Without side effects, because the page for phones uses these checks of a response's format too.

export function expectFields(arrival: Pick<Arrival, "headers" | "json" | "at">, challenge: string): void {
  const body = bodyOf(arrival);
  expectType(arrival, "application/json", "the body");
  expectEqual(body.challenge, challenge, "The challenge in the response");
  const { public_key: key, signature, timestamp: seconds } = body;
  if (typeof signature !== "string") fail("The signature is not a string.");
  if (typeof key !== "string" || !/^(04[0-9a-f]{128}|0[23][0-9a-f]{64})$/i.test(key))
    fail("The key is not hex of 65 bytes beginning 04, or of 33 beginning 02 or 03.");
  expectInteger(seconds, "The timestamp");
  expectCloseTo(Number(seconds), arrival.at / 1000, 10, "The timestamp, in Unix seconds,");
  const { device_info: device = {} } = body;
  const isObject = typeof device === "object" && device !== null;
  if (!isObject || Object.values(device).some((value) => typeof value !== "string" || value.length > 200))
    fail("device_info is not an object of strings of at most 200 characters.");
}

function expectSignature(arrival: Pick<Arrival, "json">, challenge: string): void {
  const { signature, public_key: key } = bodyOf(arrival);
  if (typeof signature !== "string" || typeof key !== "string")
    fail("The signature or the key is not a string.");
  const bytes = Buffer.from(signature, "hex");
  const scalars = readDer(bytes);
  if (!scalars || bytes.toString("hex") !== signature.toLowerCase()) fail("The signature is not DER in hex.");
  if (!encodeDer(scalars).equals(bytes)) fail("The signature is DER, but not strict DER.");
  const publicKey = Buffer.from(key, "hex");
  if (!secp256k1.utils.isValidPublicKey(publicKey)) fail("The key is not a point on the curve.");
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

/** In the order in which they run. */
export const FORMAT_CHECKS = [
  ["1.5-sent", expectFields],
  ["1.4-sent", expectSignature],
  ["7-no-cookies", expectNoIdentifyingHeaders],
] as const;

/** The check tests whether wallets report this intent (docs/protocol.md#36-intents). */
export function shownIntentCheck(intent: CodeParts["intent"]): string {
  return intent ? "3.6-shown" : "3.6-shown-none";
}

export function expectShownIntent(arrival: Pick<Arrival, "json">, intent: CodeParts["intent"]): void {
  const { intent: showed } = bodyOf(arrival);
  const code = intent ? `a code with intent=${intent}` : "a code without an intent";
  if (showed === undefined) fail(`The response to ${code} has no \`intent\`.`);
  expectEqual(showed, intent ?? null, `\`intent\` in the response to ${code}`);
}

export function expectNoIdentifyingHeaders(arrival: Pick<Arrival, "headers">): void {
  const sent = ["cookie", "authorization", "referer"].filter((name) => arrival.headers[name] !== undefined);
  if (sent.length > 0) fail(`The wallet sends ${sent.join(", ")}.`);
}

/** Account 0 in the test vectors (docs/wallet.md#vectors). */
const KEY_AT_LOCALHOST =
  "04792fe19c02a99159d5249fbdbc5f60f0586b8ac78249b98a633900c71b583c87aa708cb2bed6a0fceefab969a6737c3ca8f662e832546963855330d9e10eddd9";
/** The prefix is 03, because y is odd. */
const COMPRESSED_AT_LOCALHOST = `03${KEY_AT_LOCALHOST.slice(2, 66)}`;

const ofResponse = (examine: (arrival: Arrival, challenge: string) => void) => async (trial: Trial) => {
  const { arrival, challenge } = await trial.answered();
  examine(arrival, challenge);
};

export const SENT_ANSWER_CHECKS = {
  async "7-answers"(trial) {
    const { exit, arrivals } = await trial.try();
    if (arrivals.length !== 1) fail(`${arrivals.length} requests arrive: ${firstLine(exit)}`);
    const [{ method, path }] = arrivals as [Arrival];
    expectEqual(`${method} ${path}`, "POST /webhook/login", "The wallet's request");
    if (exit.status !== 0)
      fail(`The site accepted, but the wallet exits with ${exit.status}: ${firstLine(exit)}`);
  },
  "1.5-sent": ofResponse(expectFields),
  "1.4-sent": ofResponse(expectSignature),
  async "3.6-shown-none"(trial) {
    expectShownIntent((await trial.answered()).arrival, undefined);
    expectShownIntent((await trial.answered({ action: "register" })).arrival, undefined);
    // A wallet that does not know this intent can treat the code as a login or refuse it.
    const more = [["intent", "steal"]] as const;
    const { arrivals } = await trial.try({ more });
    if (arrivals[0]) expectShownIntent(arrivals[0], undefined);
  },
  async "3.6-shown"(trial) {
    let answerCount = 0;
    for (const intent of ["add", "approve", "recover"] as const) {
      const action = intent === "recover" ? "register" : "login";
      const { arrivals } = await trial.try({ action, intent });
      // A wallet may refuse codes with an intent that it does not support.
      if (!arrivals[0]) continue;
      answerCount++;
      expectShownIntent(arrivals[0], intent);
    }
    if (answerCount === 0) skip("The wallet answers no code with an intent.");
  },
  "7-no-cookies": ofResponse(expectNoIdentifyingHeaders),
  async "7-one-key-per-domain"(trial) {
    const first = bodyOf((await trial.answered()).arrival).public_key;
    const again = bodyOf((await trial.answered()).arrival).public_key;
    if (first !== again) fail(`The same domain gets the key ${first} and then ${again}.`);
    const { domain, arrival } = await answerForOtherDomain(trial);
    if (bodyOf(arrival).public_key === first) fail(`The key ${first} is sent to localhost and to ${domain}.`);
  },
  async "7-device-per-domain"(trial) {
    const idOf = (arrival: Arrival) => membersOf(bodyOf(arrival).device_info).device_id;
    const first = idOf((await trial.answered()).arrival);
    if (first === undefined) skip("The wallet does not send a device_id.");
    const { domain, arrival } = await answerForOtherDomain(trial);
    if (idOf(arrival) === first) fail(`The device_id ${first} is sent to localhost and to ${domain}.`);
  },
  async "7-derivation"(trial) {
    if (!trial.holdsVectors) skip("Only for a wallet that holds the phrase of docs/wallet.md: --vectors.");
    const key = String(bodyOf((await trial.answered()).arrival).public_key).toLowerCase();
    if (![KEY_AT_LOCALHOST, COMPRESSED_AT_LOCALHOST].includes(key))
      fail(
        `For localhost the wallet sends the key ${key}. The phrase of the test vectors gives ${KEY_AT_LOCALHOST}, which is ${COMPRESSED_AT_LOCALHOST} compressed.`,
      );
  },
  async "7-shows-domain"(trial) {
    const domain = "localhost";
    const { exit } = await trial.answered();
    if (!exit.output.includes(domain)) fail(`Its output does not name the domain: ${firstLine(exit)}`);
    if (!/log.?in|sign.?in/i.test(exit.output))
      fail(`Its output does not name the login: ${firstLine(exit)}`);
  },
  async "1.2-unknown-parameter"(trial) {
    const { arrivals, exit } = await trial.try({ more: [UNKNOWN_PARAMETER] });
    if (arrivals.length === 0) fail(`A code with an unknown parameter is refused: ${firstLine(exit)}`);
  },
} satisfies Rules<Trial, WalletId>;
