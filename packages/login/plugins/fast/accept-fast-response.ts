import { readField } from "../../client/fetch-json.ts";
import { parsePublicKey } from "../../crypto/public-key.ts";
import { nullOnError } from "../../crypto/secp256k1.ts";
import { parseFormFields, readBodyBytes } from "../../http/read-body.ts";
import type { Intent } from "../../protocol/qr-payload.ts";
import { checkResponse, refuseResponse, refuseUnknownChallenge } from "../../server/check-response.ts";
import type { LoginCore } from "../../server/core.ts";
import { readTruncatedHeader } from "../../server/web-request.ts";
import { type MessageSigner, verifyBitcoinMessage } from "./crypto/bitcoin-message.ts";
import { FAST_CHALLENGE_LIFETIME_SECONDS, parseFastTokenTime, parseFastUrl } from "./protocol.ts";
import { findFastChallenge, spendFastChallenge } from "./store/fast-session.ts";

/** docs/protocol.md#62-get-and-post-apifastauth */
export type FastOutcome = "authenticated" | "no_challenge" | "not_verified";

export type RawFastQuery = { sid?: string; c?: string; t?: string };

/** The login session of an accepted response stores the wallet's address. */
export async function acceptFastResponse(
  core: LoginCore,
  query: RawFastQuery,
  signed: SignedMessage,
  { requestId }: { requestId: string },
): Promise<FastOutcome> {
  const now = core.now();
  const call = { requestId, flow: "fast" } as const;
  const { sid = "", c: challenge = "" } = query;

  const isNamed = parseFastTokenTime(sid) !== null && parseFastTokenTime(challenge) !== null;
  const found = isNamed ? await findFastChallenge(core.database, { now, sid, text: challenge }) : null;
  if (!found) {
    refuseUnknownChallenge(core, call);
    return "no_challenge";
  }

  const urlIntent = signedIntent(core, query, signed.msg);
  const signer = urlIntent === undefined ? null : signerOf(signed);
  const lifetimeSeconds = FAST_CHALLENGE_LIFETIME_SECONDS;
  const showedOther = urlIntent !== found.intent;
  const verdict = checkResponse(found, signer !== null, { now, lifetimeSeconds, showedOther });
  const outcome =
    verdict ??
    (signer &&
      (await spendFastChallenge(core.database, {
        ...{ now, sid, challenge, address: signer.address.text },
        deviceInfo: signed.platform === TEMPORARY_PLATFORM ? { platform: TEMPORARY_PLATFORM } : null,
      })));
  if (outcome === "spent") {
    core.onStep({ ...call, sid, outcome: "authenticated" });
    return "authenticated";
  }
  const reason = outcome ?? "invalid_signature";
  await refuseResponse(core, { ...call, sid, now, reason });
  return reason === "challenge_used" || reason === "challenge_expired" ? "no_challenge" : "not_verified";
}

/**
 * This is the intent that the wallet showed. The message must equal the QR URL with this request's values: otherwise,
 * any message that a user has ever signed could be used to sign in as that user.
 * @returns undefined if the message differs from the QR URL
 */
function signedIntent(
  { origin }: LoginCore,
  { sid, c, t }: RawFastQuery,
  msg: string,
): Intent | null | undefined {
  const signedUrl = parseFastUrl(origin.origin, msg);
  return signedUrl && signedUrl.sid === sid && signedUrl.c === c && signedUrl.t === t
    ? signedUrl.intent
    : undefined;
}

function signerOf({ msg, sig, addr, pubk }: SignedMessage): MessageSigner | null {
  const signer = verifyBitcoinMessage({ message: msg, sig, addr });
  if (!signer || pubk === "") return signer;
  return parsePublicKey(pubk)?.hex === signer.publicKey ? signer : null;
}

/** A field that is missing or unreadable is empty. */
export type SignedMessage = { pubk: string; msg: string; sig: string; addr: string; platform: string };

const TEMPORARY_PLATFORM = "trial";

type Field = (name: string) => unknown;

/**
 * The fields come from a GET's query or from a form (docs/protocol.md#62-get-and-post-apifastauth). If the form has no
 * `msg`, they come from `data` in a JSON body, regardless of the content type. An unreadable field is treated as empty
 * and is refused later, because no signature over it can be valid.
 * @throws {Refusal} 413 above 64 KB; 400 if the body stalls, ends early or has too many fields
 */
export async function readSignedMessage(
  request: Request,
  query: Record<string, string | undefined>,
): Promise<SignedMessage> {
  if (request.method !== "POST") return pick((name) => query[name]);
  const bytes = await readBodyBytes(request);
  const form = await readFormOf(readTruncatedHeader(request.headers, "content-type"), bytes);
  const fromForm = pick((name) => form?.get(name));
  return fromForm.msg === "" ? pick(readData(bytes)) : fromForm;
}

function pick(field: Field): SignedMessage {
  const text = (name: string) => {
    const value = field(name);
    return typeof value === "string" ? value : "";
  };
  const [pubk, msg, sig, addr] = [text("pubk"), text("msg"), text("sig"), text("addr")];
  return { pubk, msg, sig, addr, platform: text("platform") };
}

async function readFormOf(
  contentType: string,
  bytes: Uint8Array,
): Promise<{ get(name: string): unknown } | null> {
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase();
  if (type === "application/x-www-form-urlencoded") return parseFormFields(decodeUtf8(bytes) ?? "");
  if (type !== "multipart/form-data") return null;
  const headers = { "Content-Type": contentType };
  const read = async () => new Response(Uint8Array.from(bytes), { headers }).formData();
  return read().catch(() => null);
}

// Some wallets send `pubk` outside `data`.
function readData(bytes: Uint8Array): Field {
  const body: unknown = nullOnError(() => JSON.parse(decodeUtf8(bytes) ?? ""));
  const data = readField(body, "data");
  return (name) => readField(data, name) ?? (name === "pubk" ? readField(body, name) : undefined);
}

function decodeUtf8(bytes: Uint8Array): string | null {
  return nullOnError(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes));
}
